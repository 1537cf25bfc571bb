// SPDX-License-Identifier: MIT
#include "core/memory/svm.h"

#include "core/base/error.h"
#include "core/device/device_ext.h"
#include "core/memory/usm.h"

/* A page. */
#define MAX_ALIGN 4096

static cl_int check_flags(struct context *context, cl_svm_mem_flags flags)
{
	const cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
	const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
	cl_bitfield can = usm_context_capabilities(context, USM_SVM);

	REQUIRE(can, CL_INVALID_OPERATION);
	REQUIRE(!(flags & ~(access | fine | CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL)),
		CL_INVALID_VALUE);
	REQUIRE(!(flags & access & ((flags & access) - 1)), CL_INVALID_VALUE);
	REQUIRE(!(flags & CL_MEM_SVM_ATOMICS) || flags & CL_MEM_SVM_FINE_GRAIN_BUFFER,
		CL_INVALID_VALUE);
	REQUIRE(!(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) || can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER,
		CL_INVALID_OPERATION);
	REQUIRE(!(flags & CL_MEM_SVM_ATOMICS) || can & CL_DEVICE_SVM_ATOMICS, CL_INVALID_OPERATION);
	return CL_SUCCESS;
}

cl_int svm_alloc(
	struct context *context, cl_svm_mem_flags flags, size_t size, cl_uint align, void **out)
{
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	if ((rc = check_flags(context, flags)))
		return rc;
	if ((rc = context_check_alloc_size(context, flags, size)))
		return rc;
	REQUIRE(!(align & (align - 1)) && align <= MAX_ALIGN, CL_INVALID_VALUE);

	struct usm_block block = {
		.type = USM_SVM, .size = size, .device = context->devices[0], .flags = flags
	};
	rc = usm_add(context, &block, align);
	if (!rc)
		*out = block.address;
	return rc;
}

void svm_free(struct context *context, void *pointer)
{
	if (context && pointer)
		(void)usm_remove(context, pointer, true);
}
