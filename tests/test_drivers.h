// SPDX-License-Identifier: MIT
#ifndef TEST_DRIVERS_H
#define TEST_DRIVERS_H

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

/*
 * Ends a test of contexts over devices of different models, as skipped, if there can be none: when
 * clCreateContext returned `rc` and each model has a Level Zero driver of its own, as with newer
 * ones.
 */
static inline void test_models_share_driver(cl_int rc)
{
	int (*get)(uint32_t *, void **) = NULL; /* zeDriverGet */
	void *loader = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_NOLOAD);
	uint32_t n = 0;

	if (loader)
		*(void **)&get = dlsym(loader, "zeDriverGet");
	if (rc != CL_OUT_OF_RESOURCES || !get || get(&n, NULL) || n < 2)
		return;
	puts("skipped: devices of different models have a Level Zero driver each");
	fflush(stdout);
	_exit(77);
}

#endif
