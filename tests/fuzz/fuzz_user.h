// SPDX-License-Identifier: MIT
#ifndef FUZZ_USER_H
#define FUZZ_USER_H

#include <stdint.h>

/* All the memory that the caller of an ioctl has: mapped here, and nothing else is believed. */
#define FUZZ_ARENA UINT64_C(0x10000000)
enum { FUZZ_ARENA_BYTES = 1 << 18 };

#endif
