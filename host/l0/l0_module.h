// SPDX-License-Identifier: MIT
#ifndef L0_MODULE_H
#define L0_MODULE_H

#include "l0/l0_context.h"

struct l0_module;
struct l0_kernel;

enum l0_module_format {
	L0_MODULE_NATIVE, /* an ELF of IGC's: zebin or patch tokens */
	L0_MODULE_SPIRV
};

/*
 * Loads code. `flags` are Level Zero build flags, NULL for none. When `log` is not NULL, *log
 * becomes the driver's build log (malloc'ed, "" if empty) or NULL, on failure too.
 * CL_BUILD_PROGRAM_FAILURE when the driver's compiler refused it, CL_INVALID_BINARY when it is no
 * code for this device, CL_OUT_OF_*.
 */
cl_int l0_module_create(struct l0_context *context, enum l0_module_format format, const void *code,
	size_t size, const char *flags, struct l0_module **out, char **log);
/* Its kernels must be gone. NULL is allowed. */
void l0_module_destroy(struct l0_module *module);

/* From `offset` of a kernel's code on, up to the next row; line 0: of none. */
struct l0_line {
	uint32_t offset, line, column;
};

/* What the virtual device may tell of a kernel's code in its reports. */
struct l0_code {
	const char *kernel;
	size_t size; /* bytes */
	const struct l0_line *lines;
	size_t n_lines;
	const char *source; /* of the program, or NULL */
	bool has_sub_group_barriers;
	uint32_t hidden_first, hidden_end; /* of local memory: the compiler's own */
	const void *binary; /* a zebin with debug information of the kernel, or NULL */
	size_t binary_size;
};

/* Whether somebody reads what l0_module_name_kernel tells. */
bool l0_module_wants_names(const struct l0_module *module);

/*
 * Tells the virtual device, for its reports, what the code of a kernel is. What cannot be told is
 * not. Not while others use the module.
 */
void l0_module_name_kernel(struct l0_module *module, const struct l0_code *code);

/* Where a variable of the program is. CL_INVALID_VALUE and others: there is none of that name. */
cl_int l0_module_find(struct l0_module *module, const char *name, uint64_t *address);

struct l0_kernel_info {
	uint32_t n_args;
	uint32_t required_group[3]; /* reqd_work_group_size; 0 if none */
	uint32_t required_num_sub_groups;
	uint32_t max_sub_group_size; /* the SIMD width of the code */
	uint32_t local_size;	     /* bytes of static local memory of a group */
	uint32_t private_size;	     /* bytes of each thread of the device */
	uint32_t spill_size;	     /* bytes per hardware thread */
};

/*
 * A kernel and its arguments. It may be one that cannot run (l0_kernel_fits_device). Not
 * thread-safe: the owner serialises from set to append.
 */
cl_int l0_kernel_create(struct l0_module *module, const char *name, struct l0_kernel **out);
/* NULL is allowed. */
void l0_kernel_destroy(struct l0_kernel *kernel);

const struct l0_kernel_info *l0_kernel_info(const struct l0_kernel *kernel);

/*
 * Sets an argument. Buffers: value is the address of the pointer (`const void *const *`), size is
 * that of a pointer; value NULL is the NULL buffer. Local memory: value NULL and size the bytes.
 * By value: the bytes, copied. CL_INVALID_ARG_INDEX, CL_INVALID_ARG_SIZE, CL_INVALID_ARG_VALUE.
 */
cl_int l0_kernel_set_arg(struct l0_kernel *kernel, uint32_t index, size_t size, const void *value);

/* The group size of the launches that follow; costs nothing if it is so already. */
cl_int l0_kernel_set_group_size(struct l0_kernel *kernel, const size_t size[3]);

/* The global offset; CL_INVALID_GLOBAL_OFFSET if not 0 and the driver cannot. */
cl_int l0_kernel_set_offset(struct l0_kernel *kernel, const size_t offset[3]);

/* What the driver thinks a good group size for that range; always divides it. */
cl_int l0_kernel_suggest_group_size(
	struct l0_kernel *kernel, const size_t global[3], uint32_t size[3]);

/* The largest group that this kernel can run in (registers and local memory considered). */
uint32_t l0_kernel_max_group_size(const struct l0_kernel *kernel);

/*
 * False of a kernel that requires groups of more work-items than the device has room for: it must
 * not be appended, and of what is known of kernels only its largest group is.
 */
bool l0_kernel_fits_device(const struct l0_kernel *kernel);

/*
 * Whether the device has the private memory that all its threads need for the kernel. If not, the
 * kernel must not be appended: the driver allocates that memory then, and ends the process if it
 * cannot.
 */
bool l0_kernel_fits_memory(const struct l0_kernel *kernel);

#endif
