// SPDX-License-Identifier: MIT
#ifndef MEM_PROPERTIES_H
#define MEM_PROPERTIES_H

#include "core/memory/mem.h"

/* What a list of cl_mem_properties says. */
struct mem_properties {
	const cl_mem_properties *list; /* the caller's; NULL if there is none */
	size_t n;		       /* with the 0 at the end */
	bool has_device_address;       /* cl_ext_buffer_device_address */
	struct device *importer;       /* of cl_khr_external_memory: the device that … */
	int fd;			       /* … imports this dma_buf; NULL: none does */
	const char *extension;	       /* that of the type of handle by which it is named */
};

/*
 * Reads and checks the properties of a buffer or an image, which must go with the flags. Returns
 * CL_INVALID_PROPERTY, CL_INVALID_DEVICE, CL_INVALID_VALUE.
 */
cl_int mem_properties_read(const struct context *context, const cl_mem_properties *list,
	cl_mem_flags flags, cl_mem_object_type type, struct mem_properties *out);

/* Keeps the list with the object. CL_OUT_OF_HOST_MEMORY. */
cl_int mem_properties_keep(struct mem *mem, const struct mem_properties *properties);

/*
 * Makes the first `size` bytes of the dma_buf those of the object. The descriptor belongs to the
 * object once that has been created: mem_properties_take, after which nothing may fail.
 */
cl_int mem_properties_import(struct mem *mem, const struct mem_properties *properties, size_t size);
void mem_properties_take(const struct mem_properties *properties);

#endif
