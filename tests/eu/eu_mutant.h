// SPDX-License-Identifier: MIT
#ifndef EU_MUTANT_H
#define EU_MUTANT_H

#include <stddef.h>
#include <stdint.h>

#include "gen/gen_device.h"
#include "gen/gen_decode.h"

/*
 * A program like `whole`, of which `bytes` are the machine code, with one to three instructions
 * changed (bits, or a copy of another one) and some of its messages exchanged for others that the
 * device has. *random is the state of test_random.h. NULL if it cannot be decoded; the caller
 * destroys it.
 */
struct gen_program *eu_mutant_create(const struct gen_device *device, const uint8_t *bytes,
	size_t size, const struct gen_program *whole, uint64_t *random);

#endif
