// SPDX-License-Identifier: MIT
#ifndef L0_ERROR_H
#define L0_ERROR_H

#include <CL/cl.h>

/*
 * What the last failed Level Zero call of this thread was: "zeModuleCreate:
 * ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY". "" if none failed. The thread's own storage, valid until
 * the next failure.
 */
const char *l0_error_text(void);

#endif
