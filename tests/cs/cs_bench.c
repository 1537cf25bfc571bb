// SPDX-License-Identifier: MIT
#include "cs_bench.h"

#include <stdlib.h>

struct fake_engine fake_engine;

int eu_engine_run(struct eu_engine *engine, const struct eu_dispatch *dispatch,
	const atomic_int *stop, struct gen_fault *fault)
{
	assert_non_null(engine);
	assert_non_null(stop);
	fake_engine.runs++;
	fake_engine.dispatch = *dispatch;
	if (fake_engine.start)
		memcpy(fake_engine.start, dispatch->start, fake_engine.start_bytes);
	if (fake_engine.answer)
		gen_fault_add(fault, GEN_FAULT_BAD_INSTRUCTION, "fake engine");
	return fake_engine.answer;
}

static bool find(void *self, uint64_t address, struct eu_range *range)
{
	struct bench *bench = self;
	struct {
		uint64_t base;
		uint32_t *host;
	} buffers[] = { { BENCH_BATCH, bench->batch }, { BENCH_CHILD, bench->child },
		{ BENCH_DATA, bench->data } };

	for (unsigned i = 0; i < 3; i++) {
		if (address - buffers[i].base >= sizeof bench->batch)
			continue;
		range->first = buffers[i].base;
		range->end = buffers[i].base + sizeof bench->batch;
		range->host = (uint8_t *)buffers[i].host;
		return true;
	}
	return false;
}

static uint64_t clock_of(void *self)
{
	return ((struct bench *)self)->ticks;
}

int bench_setup(void **state)
{
	struct bench *bench = aligned_alloc(64, sizeof *bench);

	assert_non_null(bench);
	memset(bench, 0, sizeof *bench);
	memset(bench->data, 0xcd, sizeof bench->data);
	memset(&fake_engine, 0, sizeof fake_engine);
	bench->bus = (struct eu_bus){ .self = bench, .find = find };
	bench->config = (struct cs_config){
		.device = gen_device_find(NULL),
		.bus = &bench->bus,
		.timestamp = clock_of,
		.timestamp_self = bench,
		.stop = &bench->stop,
	};
	bench->ticks = UINT64_C(0xabc123456789);
	bench->stream = cs_stream_create(&bench->config);
	assert_non_null(bench->stream);
	cs_stream_set_engine(bench->stream, (struct eu_engine *)bench);
	*state = bench;
	return 0;
}

int bench_teardown(void **state)
{
	struct bench *bench = *state;

	cs_stream_destroy(bench->stream);
	free(bench);
	return 0;
}

enum cs_status bench_run(struct bench *bench, const uint32_t *batch, unsigned count)
{
	memset(bench->batch, 0xff, sizeof bench->batch);
	memcpy(bench->batch, batch, count * sizeof *batch);
	assert_int_equal(cs_stream_start(bench->stream, BENCH_BATCH, count * sizeof *batch), 0);
	return cs_stream_run(bench->stream, 10000);
}

void bench_expect_fault(struct bench *bench, enum gen_fault_kind kind, const char *word)
{
	const struct gen_fault *fault = cs_stream_fault(bench->stream);

	assert_non_null(fault);
	assert_int_equal(fault->kind, kind);
	if (!strstr(fault->report, word))
		fail_msg("no \"%s\" in:\n%s", word, fault->report);
	cs_stream_reset(bench->stream);
	assert_null(cs_stream_fault(bench->stream));
}
