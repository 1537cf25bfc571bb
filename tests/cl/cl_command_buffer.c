// SPDX-License-Identifier: MIT
#include "cl/cl_command_buffer.h"

#include <string.h>

struct command_buffer_api cb;

static void find(void *slot, const char *name)
{
	void *function = clGetExtensionFunctionAddressForPlatform(cl.platform, name);

	assert_non_null(function);
	memcpy(slot, &function, sizeof(function));
}

void cb_load(void)
{
	skip_if(!cl_has("cl_khr_command_buffer") ||
		!cl_has("cl_khr_command_buffer_mutable_dispatch"));
	find(&cb.create, "clCreateCommandBufferKHR");
	find(&cb.finalize, "clFinalizeCommandBufferKHR");
	find(&cb.retain, "clRetainCommandBufferKHR");
	find(&cb.release, "clReleaseCommandBufferKHR");
	find(&cb.enqueue, "clEnqueueCommandBufferKHR");
	find(&cb.info, "clGetCommandBufferInfoKHR");
	find(&cb.barrier, "clCommandBarrierWithWaitListKHR");
	find(&cb.copy, "clCommandCopyBufferKHR");
	find(&cb.copy_rect, "clCommandCopyBufferRectKHR");
	find(&cb.fill, "clCommandFillBufferKHR");
	find(&cb.to_image, "clCommandCopyBufferToImageKHR");
	find(&cb.copy_image, "clCommandCopyImageKHR");
	find(&cb.from_image, "clCommandCopyImageToBufferKHR");
	find(&cb.fill_image, "clCommandFillImageKHR");
	find(&cb.launch, "clCommandNDRangeKernelKHR");
	find(&cb.svm_copy, "clCommandSVMMemcpyKHR");
	find(&cb.svm_fill, "clCommandSVMMemFillKHR");
	find(&cb.update, "clUpdateMutableCommandsKHR");
	find(&cb.command_info, "clGetMutableCommandInfoKHR");
}

cl_command_buffer_khr cb_create(cl_command_buffer_flags_khr flags)
{
	const cl_command_buffer_properties_khr properties[] = { CL_COMMAND_BUFFER_FLAGS_KHR, flags,
		0 };
	cl_int rc;
	cl_command_buffer_khr buffer = cb.create(1, &cl.queue, flags ? properties : NULL, &rc);

	CL(rc);
	assert_non_null(buffer);
	return buffer;
}

void cb_run(cl_command_buffer_khr buffer)
{
	CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
	CL(clFinish(cl.queue));
}
