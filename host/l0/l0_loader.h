// SPDX-License-Identifier: MIT
#ifndef L0_LOADER_H
#define L0_LOADER_H

/* Private to host/l0 (it shows Level Zero types): the function table and the check of results. */

#include <CL/cl.h>
#include <level_zero/ze_api.h>
#include <stdbool.h>

struct l0_api {
#define L0_NEED(name) __typeof__(name) *name;
#define L0_MAY(name)  __typeof__(name) *name;
#include "l0/l0_api.def"
#undef L0_NEED
#undef L0_MAY
};

/* The table. Empty until l0_loader_load; a test may fill it with functions of its own before. */
extern struct l0_api l0_ze;

/*
 * Loads libze_loader.so.1 and fills the table; does nothing if it is full already. On failure
 * returns false and *why is a sentence (static storage). *path, if it is not NULL, becomes the
 * file's path, or "".
 */
bool l0_loader_load(const char **why, const char **path);

/*
 * In a copy of this library (l0_process.h), returns a copy of the driver, which is used without a
 * loader: the driver and the loader of the parent process have the parent's state. NULL in other
 * processes, and if it cannot be loaded.
 */
void *l0_loader_own_driver(void);

/* l0_check of a failure. */
cl_int l0_failed(const char *call, ze_result_t result) __attribute__((cold));

/*
 * The OpenCL code for a result. Failures leave their text for l0_error_text and a line in the log.
 * ZE_RESULT_NOT_READY is a failure too: who expects it does not come here.
 */
static inline cl_int l0_check(const char *call, ze_result_t result)
{
	return result == ZE_RESULT_SUCCESS ? CL_SUCCESS : l0_failed(call, result);
}

/* "ZE_RESULT_ERROR_…". */
const char *l0_result_name(ze_result_t result);

/*
 * Any call may tell that a device was lost, and not which: how often one did, for l0_device_check.
 * Who does not come through L0_CALL passes the result on here.
 */
unsigned l0_losses_told(void);
void l0_tell_loss(void) __attribute__((cold));
static inline ze_result_t l0_heard(ze_result_t result)
{
	if (result == ZE_RESULT_ERROR_DEVICE_LOST)
		l0_tell_loss();
	return result;
}

#define L0_CALL(function, ...) l0_check(#function, l0_heard(l0_ze.function(__VA_ARGS__)))

#endif
