// SPDX-License-Identifier: MIT
#ifndef TOOL_ENV_H
#define TOOL_ENV_H

#include <stdbool.h>
#include <stddef.h>

/* What our platform is called. */
#define TOOL_PLATFORM "ZeroCL"

/* The files of ZeroCL that belong to this program, from its build tree or its installation. */
enum tool_file {
	TOOL_FILE_ICD,	    /* zerocl.icd, which names the library to loaders */
	TOOL_FILE_LIBRARY,  /* libzerocl.so.1 */
	TOOL_FILE_VGPU,	    /* libzerocl-vgpu.so.1 */
	TOOL_FILE_COMPILER, /* zerocl-cc */
	TOOL_FILE_LAYER,    /* libzerocl-layer.so */
	TOOL_FILE_COUNT
};

/* Returns what a file is: "runtime", "virtual device" …. */
const char *tool_env_name(enum tool_file file);

/*
 * Finds a file. False, with the place where it should be in path, if it is nowhere. `path` must
 * hold PATH_MAX bytes.
 */
bool tool_env_find(enum tool_file file, char *path);

/*
 * Makes loaders of this process, and of those that it becomes or starts, find our platform and no
 * other: OCL_ICD_VENDORS for ocl-icd, OCL_ICD_FILENAMES for Khronos's loader. What is set already
 * stays. Call it before the first OpenCL call. False if zerocl.icd is nowhere.
 */
bool tool_env_prepare(void);

/* The same for `command`, which cannot go on without: false with a sentence on stderr. */
bool tool_env_need(const char *command);

/*
 * Puts a path before those that a variable has, with ':' between, as loaders read lists. False if
 * memory is short.
 */
bool tool_env_put_first(const char *variable, const char *path);

/*
 * Gives programs that this process starts the virtual device, unless ZEROCL_DEVICE says otherwise:
 * it is preloaded, so that other drivers of Intel GPUs find it too, as Mesa's Vulkan.
 */
void tool_env_put_vgpu(void);

#endif
