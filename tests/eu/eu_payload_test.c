// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "eu/engine/eu_payload.h"
#include "gen/gen_inst.h"

enum { GRF_BYTES = GEN_GRF_COUNT * GEN_GRF_BYTES, MEMORY_BYTES = 65536, SPLIT = 12345 };

#define BASE UINT64_C(0x7f0012340000)

static uint8_t memory[MEMORY_BYTES];

/* Two ranges that touch, in opposite order in host memory, to see that a block may span them. */
static bool find(void *self, uint64_t address, struct eu_range *range)
{
	(void)self;
	if (address < BASE || address >= BASE + MEMORY_BYTES)
		return false;
	bool low = address < BASE + SPLIT;
	range->first = low ? BASE : BASE + SPLIT;
	range->end = low ? BASE + SPLIT : BASE + MEMORY_BYTES;
	range->host = low ? memory + (MEMORY_BYTES - SPLIT) : memory;
	return true;
}

static uint8_t byte_at(uint64_t offset)
{
	return offset < SPLIT ? memory[MEMORY_BYTES - SPLIT + offset] : memory[offset - SPLIT];
}

static const struct eu_bus bus = { .find = find };

static uint32_t random32(void)
{
	return (uint32_t)random() ^ (uint32_t)random() << 16;
}

/* r0 and what follows it, byte by byte from the definition. */
static void reference(const struct eu_dispatch *d, const uint32_t id[3], uint32_t barrier,
	uint32_t index, uint32_t fftid, uint8_t *grf)
{
	uint32_t code = 0;

	while (d->scratch_bytes_per_thread > 1024u << code)
		code++;
	uint32_t own =
		d->scratch_bytes_per_thread
			? (uint32_t)(d->scratch + (uint64_t)fftid * d->scratch_bytes_per_thread)
			: 0;
	uint32_t number = d->numbers_threads ? d->threads_per_group << 24 | index : barrier << 24;
	uint32_t r0[8] = { d->payload_pointer, id[0], number, d->sampler_state | code,
		d->binding_table, d->scratch_surface | own | fftid, id[1], id[2] };
	memcpy(grf, r0, 32);
	uint32_t thread = d->per_thread_registers * 32, cross = d->cross_thread_registers * 32;
	uint32_t own_at = d->cross_first ? cross : 0, cross_at = d->cross_first ? 0 : thread;
	for (uint32_t i = 0; i < thread + cross; i++) {
		bool is_own = i >= own_at && i < own_at + thread;
		uint64_t offset =
			is_own ? cross + (uint64_t)index * thread + i - own_at : i - cross_at;
		if (d->start)
			grf[32 + i] = d->start[offset];
		else
			grf[32 + i] =
				offset < d->payload_bytes ? byte_at(d->payload - BASE + offset) : 0;
	}
}

static void random_payloads_match_the_definition(void **state)
{
	static uint8_t got[GRF_BYTES], want[GRF_BYTES];
	struct eu_payload payload = { 0 };
	struct gen_fault fault = { 0 };

	(void)state;
	for (unsigned i = 0; i < MEMORY_BYTES; i++)
		memory[i] = (uint8_t)random();
	for (unsigned round = 0; round < 2000; round++) {
		struct eu_dispatch d = {
			.bus = &bus,
			.threads_per_group = 1 + random32() % 16,
			.cross_thread_registers = random32() % 60,
			.per_thread_registers = random32() % 60,
			.payload = BASE + random32() % 20000,
			.sampler_state = (random32() % 4096) * 32,
			.binding_table = (random32() % 2048) * 32,
			.cross_first = random32() % 2,
		};
		uint32_t all = 32 * (d.cross_thread_registers +
					    d.threads_per_group * d.per_thread_registers);
		d.payload_bytes = round % 3 ? all : random32() % (all + 1);
		if (round % 2) {
			d.scratch_bytes_per_thread = 1024u << random32() % 12;
			d.scratch = (random32() % 4096) * 1024;
		} else if (round % 4) { /* as COMPUTE_WALKER has it */
			d.numbers_threads = true;
			d.payload_pointer = random32() & ~63u;
			d.scratch_surface = random32() & ~1023u;
			d.start = memory + random32() % 10000;
		}
		assert_true(eu_payload_prepare(&payload, &d, 768, &fault));
		for (unsigned i = 0; i < 4; i++) {
			uint32_t id[3] = { random32(), random32(), random32() };
			uint32_t index = random32() % d.threads_per_group;
			uint32_t fftid = random32() % 768, barrier = random32() % 128;
			memset(got, 0xcd, sizeof got);
			memset(want, 0xcd, sizeof want);
			eu_payload_write(&payload, id, barrier, index, fftid, got);
			reference(&d, id, barrier, index, fftid, want);
			assert_memory_equal(got, want, sizeof got);
		}
	}
	eu_payload_finish(&payload);
}

/* Blocks of 2 x 2 pixels side by side, and which pixels are of the rectangle. */
static void pixels_have_places(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		struct eu_dispatch d = { .simd = (uint8_t)(8u << round % 3) };
		uint32_t id[3] = { random32() % 20, random32() % 20, random32() }, want = 0;
		uint8_t grf[3 * GEN_GRF_BYTES];
		uint16_t words[3][16];

		d.pixels = (struct eu_pixels){ random32() % 100, random32() % 20, random32() % 300,
			random32() % 50, 15, NULL, 0 };
		memset(grf, 0xcd, sizeof(grf));
		uint32_t mask = eu_payload_pixels(&d, id, grf);
		memcpy(words, grf, sizeof(words));
		for (unsigned i = 0; i < d.simd; i++) {
			const uint16_t *own = words[1 + i / 16];
			uint32_t x = own[4 + i % 16 / 4 * 2] + i % 2;
			uint32_t y = own[5 + i % 16 / 4 * 2] + i / 2 % 2;
			assert_int_equal(x, id[0] * d.simd / 2 + i / 4 * 2 + i % 2);
			assert_int_equal(y, id[1] * 2 + i / 2 % 2);
			want |= (uint32_t)(x >= d.pixels.left && x < d.pixels.right &&
					   y >= d.pixels.top && y < d.pixels.bottom)
				<< i;
		}
		assert_int_equal(mask, want);
		assert_int_equal(words[1][14], want & 0xffff);
		if (d.simd == 32)
			assert_int_equal(words[2][14], want >> 16);
	}
}

static void impossible_payloads_fault(void **state)
{
	struct eu_payload payload = { 0 };
	const struct eu_dispatch good = {
		.bus = &bus,
		.threads_per_group = 2,
		.cross_thread_registers = 2,
		.per_thread_registers = 1,
		.payload = BASE,
		.payload_bytes = 128,
	};
	struct gen_fault fault = { 0 };
	struct eu_dispatch d = good;

	(void)state;
	d.payload = BASE + MEMORY_BYTES - 64;
	assert_false(eu_payload_prepare(&payload, &d, 768, &fault));
	assert_int_equal(fault.kind, GEN_FAULT_PAGE);
	assert_int_equal(fault.address, BASE + MEMORY_BYTES);
	d = good;
	d.cross_thread_registers = GEN_GRF_COUNT - 1;
	memset(&fault, 0, sizeof fault);
	assert_false(eu_payload_prepare(&payload, &d, 768, &fault));
	assert_int_equal(fault.kind, GEN_FAULT_BAD_STATE);
	d.cross_thread_registers = GEN_GRF_COUNT - 2;
	d.payload_bytes = 128;
	memset(&fault, 0, sizeof fault);
	assert_true(eu_payload_prepare(&payload, &d, 768, &fault));
	d = good;
	d.scratch = UINT64_C(0xfff00000);
	d.scratch_bytes_per_thread = 65536;
	assert_false(eu_payload_prepare(&payload, &d, 768, &fault));
	assert_int_equal(fault.kind, GEN_FAULT_BAD_STATE);
	eu_payload_finish(&payload);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_payloads_match_the_definition),
		cmocka_unit_test(pixels_have_places),
		cmocka_unit_test(impossible_payloads_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
