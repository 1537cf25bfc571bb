// SPDX-License-Identifier: MIT
#include "api/icd.h"

#include "core/device/extension.h"
#include "l0/l0_process.h"
#include "util/util_bits.h"
#include "util/util_library.h"
#include "util/util_log.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define ICD_ENTRY(name)	 .header.name = name,
#define ICD_TAGGED(name) .header.name = (__typeof__(((struct _cl_icd_dispatch *)0)->name))ICD_TAG,
#ifdef ICD_HEADER_HAS_3_1
#define ICD_NEWER(name) .header.name = (void *)(uintptr_t)(name),
#else
#define ICD_NEWER(name) .name = name,
#endif
#define ICD_ABSENT(name)
#define ICD_EXTENSION(name, extension)
const struct icd_table icd_dispatch = {
#include "api/icd.def"
};
#undef ICD_NEWER
#undef ICD_ENTRY
#undef ICD_TAGGED
#undef ICD_OWNED
#undef ICD_EXTENSION
#undef ICD_NAMED
#undef ICD_COMMAND_BUFFER

static const struct icd_function functions[] = {
#define ICD_ENTRY(name)			     { #name, (icd_any)name, "" },
#define ICD_TAGGED(name)		     ICD_ENTRY(name)
#define ICD_OWNED(name, extension)	     { #name, (icd_any)name, #extension },
#define ICD_EXTENSION(name, extension)	     { #name, (icd_any)name, #extension },
#define ICD_NAMED(name, function, extension) { #name, (icd_any)(function), #extension },
#define ICD_COMMAND_BUFFER(name, extension)
#include "api/icd.def"
	{ 0 },
#undef ICD_ENTRY
#undef ICD_TAGGED
#undef ICD_OWNED
#undef ICD_EXTENSION
#undef ICD_NAMED
#undef ICD_COMMAND_BUFFER
#undef ICD_ABSENT
#undef ICD_NEWER
};

/*
 * Of the heir: without tags, so that loaders of cl_khr_icd 2.0 call its objects' own table, and not
 * the functions that they had from the library before the fork.
 */
static struct icd_table inherited;
static const struct icd_table *table = &icd_dispatch;

static void set_dispatch(void)
{
	obj_set_dispatch(table);
}

struct platform *icd_platform(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, set_dispatch);
	return platform_default();
}

API_EXPORT const struct icd_table *zerocl_inherit(struct platform *platform, const char *path)
{
	util_library_is_copy_of(path);
	l0_process_inherit();
	inherited = icd_dispatch;
	inherited.header.clGetPlatformIDs = clGetPlatformIDs;
	inherited.header.clUnloadCompiler = clUnloadCompiler;
	table = &inherited;
	set_dispatch();
	platform_inherit(platform);
	return table;
}

static const struct icd_table *heir;

static void find_heir(void)
{
	const char *path = util_library_path();
	char why[512] = "";
	void *copy = path ? util_library_load_again(path, why, sizeof why) : NULL;
	__typeof__(zerocl_inherit) *inherit = NULL;

	if (copy)
		*(void **)&inherit = dlsym(copy, "zerocl_inherit");
	if (inherit)
		heir = inherit(icd_platform(), path);
	else
		util_log(UTIL_LOG_ERROR, "cl", "the forked process has no device: %s", why);
}

const struct _cl_icd_dispatch *icd_heir(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!l0_process_is_orphan())
		return NULL;
	pthread_once(&once, find_heir);
	return heir ? &heir->header : NULL;
}

static icd_any find(const struct icd_function *at, const char *name)
{
	while (at->name && strcmp(at->name, name) != 0)
		at++;
	return at->name && extension_is_shown(at->extension) ? at->function : NULL;
}

void *icd_find(const char *name)
{
	icd_any function = name ? find(functions, name) : NULL;

	if (name && !function)
		function = find(icd_command_buffer, name);
	return (void *)(uintptr_t)function;
}

static cl_int platform_ids(cl_uint n, cl_platform_id *platforms, cl_uint *n_ret)
{
	REQUIRE(n > 0 || !platforms, CL_INVALID_VALUE);
	REQUIRE(n_ret || platforms, CL_INVALID_VALUE);

	if (platforms)
		platforms[0] = platform_handle(icd_platform());
	if (n_ret)
		*n_ret = 1;
	return CL_SUCCESS;
}

API_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(
	cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
	return API_DONE(NULL, platform_ids(num_entries, platforms, num_platforms));
}

cl_int CL_API_CALL clGetPlatformIDs(
	cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
	return API_DONE(NULL, platform_ids(num_entries, platforms, num_platforms));
}

API_EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *function_name)
{
	const struct _cl_icd_dispatch *heir_ = icd_heir();

	if (heir_)
		return heir_->clGetExtensionFunctionAddress(function_name);
	return icd_find(function_name);
}

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(
	cl_platform_id platform, const char *function_name)
{
	const struct _cl_icd_dispatch *heir_ = icd_heir();

	if (heir_)
		return heir_->clGetExtensionFunctionAddressForPlatform(platform, function_name);
	return platform_from(platform) ? icd_find(function_name) : NULL;
}

API_EXPORT void *CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(
	cl_platform_id platform, const char *function_name)
{
	return clGetExtensionFunctionAddressForPlatform(platform, function_name);
}

static cl_int set_dispatch_data(struct platform *platform, void *data)
{
	REQUIRE(platform, CL_INVALID_PLATFORM);

	platform_set_loader_data(platform, data);
	return CL_SUCCESS;
}

API_EXPORT cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(
	cl_platform_id platform, void *disp_data)
{
	return API_DONE(NULL, set_dispatch_data(platform_from(platform), disp_data));
}
