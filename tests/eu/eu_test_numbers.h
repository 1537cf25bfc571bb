// SPDX-License-Identifier: MIT
#ifndef EU_TEST_NUMBERS_H
#define EU_TEST_NUMBERS_H

#include "eu/message/eu_message.h"
#include "eu_reference.h"
#include "eu_test_program.h"

/* What instructions are tried with, through the engine and through the reference. */

/* Fills registers with ordinary and extreme numbers of all types, so that those are frequent. */
void test_fill_registers(struct eu_thread *thread, uint64_t *state);

/*
 * Fills accumulators, addresses and flags of both alike. An address is that of one of `count`
 * dwords, from byte `first` of the registers on.
 */
void test_fill_files(struct eu_thread *thread, struct reference *reference, unsigned first,
	unsigned count, uint64_t *state);

/* Whether elements of the type are the same bits, or NaNs, of which arithmetic may choose any. */
bool test_same_bits(uint8_t type, const uint8_t *a, const uint8_t *b, unsigned bytes);

/* The message of a send as the engine has it, for the reference's. */
struct eu_send test_send(const struct gen_inst *inst);

#endif
