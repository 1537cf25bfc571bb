// SPDX-License-Identifier: MIT
#include "core/memory/mem_properties.h"

#include "compile/base/pool.h"
#include "core/base/error.h"
#include "core/device/device_ext.h"
#include "core/device/mem_address.h"
#include "l0/l0_import.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A list of one device; *used counts the 0 behind it. */
static cl_int read_devices(const struct context *context, const cl_mem_properties *list,
	size_t *used, struct device **out)
{
	size_t n;
	cl_int rc = context_read_devices(context, list, &n, out);

	if (rc)
		return rc;
	REQUIRE(n, error_say(CL_INVALID_PROPERTY, "the list of devices is empty"));
	REQUIRE(n == 1, error_say(CL_INVALID_DEVICE, "memory is imported for one device"));
	*used = n + 1;
	return CL_SUCCESS;
}

/* Which device imports, and whether it can. */
static cl_int check_import(const struct context *context, cl_mem_flags flags,
	const struct mem_properties *properties, struct device **importer)
{
	if (!*importer) {
		REQUIRE(context->n_devices == 1,
			error_say(CL_INVALID_DEVICE,
				"memory is imported for one device, and the context has "
				"several: CL_MEM_DEVICE_HANDLE_LIST_KHR is missing"));
		*importer = context->devices[0];
	}
	REQUIRE(device_has_extension(*importer, properties->extension),
		error_say(CL_INVALID_DEVICE, "%s has no %s", (*importer)->name,
			properties->extension));
	REQUIRE(!properties->has_device_address,
		error_say(
			CL_INVALID_PROPERTY, "memory that is imported has no address to ask for"));
	REQUIRE(!(flags & (MEM_HOST_PTR_FLAGS | CL_MEM_FORCE_HOST_MEMORY_INTEL)),
		error_say(CL_INVALID_VALUE, "memory that is imported is where it is"));
	return CL_SUCCESS;
}

/* A property of one value. */
static cl_int read_value(struct mem_properties *properties, cl_mem_properties name,
	cl_mem_properties value, cl_mem_object_type type)
{
	if (name == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT && type == CL_MEM_OBJECT_BUFFER) {
		REQUIRE(value == CL_TRUE || value == CL_FALSE, CL_INVALID_PROPERTY);
		properties->has_device_address = value;
		return CL_SUCCESS;
	}
	const char *extension = device_importer_of(name);
	REQUIRE(extension, error_say(CL_INVALID_PROPERTY, "0x%llx is no property of such an object",
				   (unsigned long long)name));
	REQUIRE(!properties->extension,
		error_say(CL_INVALID_PROPERTY, "the list has more than one handle"));
	REQUIRE(value <= INT_MAX, error_say(CL_INVALID_PROPERTY, "0x%llx is no descriptor",
					  (unsigned long long)value));
	properties->fd = (int)value;
	properties->extension = extension;
	return CL_SUCCESS;
}

static bool has_before(const cl_mem_properties *const names[], size_t n, cl_mem_properties name)
{
	while (n > 0 && *names[n - 1] != name)
		n--;
	return n;
}

cl_int mem_properties_read(const struct context *context, const cl_mem_properties *list,
	cl_mem_flags flags, cl_mem_object_type type, struct mem_properties *out)
{
	const cl_mem_properties *names[3]; /* as many as there are */
	struct device *importer = NULL;
	size_t n_names = 0;

	*out = (struct mem_properties){ .list = list, .fd = -1 };
	if (!list)
		return CL_SUCCESS;
	while (list[out->n]) {
		const cl_mem_properties *name = &list[out->n];
		size_t used = 1;
		cl_int rc;

		REQUIRE(!has_before(names, n_names, *name),
			error_say(CL_INVALID_PROPERTY, "property 0x%llx is there twice",
				(unsigned long long)*name));
		if (*name == CL_MEM_DEVICE_HANDLE_LIST_KHR)
			rc = read_devices(context, name + 1, &used, &importer);
		else
			rc = read_value(out, *name, name[1], type);
		if (rc)
			return rc;
		names[n_names++] = name;
		out->n += 1 + used;
	}
	out->n++;
	REQUIRE(out->fd >= 0 || !importer,
		error_say(CL_INVALID_PROPERTY, "a list of devices without a handle"));
	if (out->fd < 0)
		return CL_SUCCESS;
	cl_int rc = check_import(context, flags, out, &importer);
	out->importer = importer;
	return rc;
}

cl_int mem_properties_keep(struct mem *mem, const struct mem_properties *properties)
{
	mem->properties = bytes_copy(properties->list, properties->n * sizeof(*properties->list));
	REQUIRE(mem->properties, CL_OUT_OF_HOST_MEMORY);
	mem->n_properties = properties->n;
	return CL_SUCCESS;
}

cl_int mem_properties_import(struct mem *mem, const struct mem_properties *properties, size_t size)
{
	struct context *context = mem->context;
	struct device *device = properties->importer;
	cl_int rc = l0_import(context->on[context_place(context, device)], properties->fd, size,
		(void **)&mem->address);

	if (rc)
		return error_say(rc, "descriptor %d: %s", properties->fd,
			rc == CL_INVALID_PROPERTY      ? "it is no dma_buf"
			: rc == CL_INVALID_BUFFER_SIZE ? "it has fewer bytes"
						       : "drivers import a dma_buf once for a "
							 "device, and another context has it");
	mem->only = device;
	return CL_SUCCESS;
}

void mem_properties_take(const struct mem_properties *properties)
{
	if (properties->importer)
		close(properties->fd);
}
