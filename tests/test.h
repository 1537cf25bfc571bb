// SPDX-License-Identifier: MIT
#ifndef TEST_H
#define TEST_H

/* cmocka.h and the four headers that it expects to be included before it. Every test starts here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
