// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

#include "eu_message_fixture.h"

#include "eu/engine/eu_run.h"
#include "eu/code/eu_code.h"
#include "gen/gen_device.h"

enum { TABLE = 0x40, STATES = 0x400, STATE_BYTES = 64 };

static bool find(void *self, uint64_t address, struct eu_range *range)
{
	struct fixture *fixture = self;

	if (address - FIXTURE_STATE_BASE < FIXTURE_BUFFER_BYTES) {
		*range = (struct eu_range){ FIXTURE_STATE_BASE,
			FIXTURE_STATE_BASE + FIXTURE_BUFFER_BYTES, fixture->state, 0, NULL };
		return true;
	}
	for (unsigned i = 0; i < FIXTURE_BUFFERS; i++) {
		struct fixture_buffer *buffer = &fixture->buffers[i];

		if (address - buffer->address < FIXTURE_BUFFER_BYTES) {
			*range = (struct eu_range){ buffer->address,
				buffer->address + FIXTURE_BUFFER_BYTES, buffer->host, 0, NULL };
			return true;
		}
	}
	return false;
}

static void put_surface(
	struct fixture *fixture, unsigned index, unsigned type, uint64_t base, uint32_t bytes)
{
	uint32_t offset = STATES + index * STATE_BYTES, last = bytes - 1;
	uint32_t entry = offset | 0x21; /* low bits do not count */
	uint32_t dwords[16] = { type << 29 | 0x1ffu << 18, 0,
		(last & 0x7f) | (last >> 7 & 0x3fff) << 16, last >> 21 << 21 };

	base |= base >> 47 != 0 ? UINT64_C(0xffff) << 48 : 0; /* canonical */
	memcpy(&dwords[8], &base, sizeof(base));
	memcpy(fixture->state + TABLE + index * 4, &entry, sizeof(entry));
	memcpy(fixture->state + offset, dwords, sizeof(dwords));
}

int fixture_setup(void **state)
{
	struct fixture *fixture = aligned_alloc(64, sizeof(*fixture));

	assert_non_null(fixture);
	memset(fixture, 0, sizeof(*fixture));
	fixture->thread = aligned_alloc(64, (sizeof(struct eu_thread) + 63) & ~(size_t)63);
	assert_non_null(fixture->thread);
	memset(fixture->thread, 0, sizeof(struct eu_thread));
	fixture->buffers[0].address = FIXTURE_FIRST;
	fixture->buffers[1].address = FIXTURE_FIRST + FIXTURE_BUFFER_BYTES;
	fixture->buffers[2].address = FIXTURE_LAST;
	for (unsigned i = 0; i < FIXTURE_BUFFERS; i++) {
		fixture->buffers[i].host = malloc(FIXTURE_BUFFER_BYTES);
		assert_non_null(fixture->buffers[i].host);
	}
	fixture->bus = (struct eu_bus){ fixture, find };
	fixture->dispatch = (struct eu_dispatch){
		.bus = &fixture->bus,
		.general_state_base = FIXTURE_GENERAL,
		.surface_state_base = FIXTURE_STATE_BASE,
		.binding_table_base = FIXTURE_STATE_BASE,
		.bindless_surface_base =
			FIXTURE_STATE_BASE + STATES + FIXTURE_WIDE * STATE_BYTES - FIXTURE_BINDLESS,
		.binding_table = TABLE,
		.slm_bytes = FIXTURE_SLM_BYTES,
	};
	fixture->worker = (struct eu_worker){
		.dispatch = &fixture->dispatch,
		.device = gen_device_find(NULL),
		.translations = &fixture->translation,
		.surfaces = fixture->surfaces,
		.fault = &fixture->fault,
	};
	fixture->group = (struct eu_group){
		.dispatch = &fixture->dispatch,
		.thread_count = 1,
		.live = 1,
		.slm = fixture->slm,
		.slm_reach = FIXTURE_SLM_BYTES,
	};
	fixture->thread->group = &fixture->group;
	fixture->thread->worker = &fixture->worker;
	fixture->random = 12345;
	put_surface(fixture, FIXTURE_WIDE, 4, FIXTURE_WIDE_BASE, FIXTURE_WIDE_BYTES);
	put_surface(fixture, FIXTURE_NULL, 7, FIXTURE_WIDE_BASE, FIXTURE_WIDE_BYTES);
	put_surface(fixture, FIXTURE_SMALL, 4, FIXTURE_SMALL_BASE, FIXTURE_SMALL_BYTES);
	put_surface(fixture, FIXTURE_IMAGE, 1, FIXTURE_WIDE_BASE, FIXTURE_WIDE_BYTES);
	put_surface(fixture, FIXTURE_UNBOUND, 4, 0x55550000, 4096);
	*state = fixture;
	return 0;
}

int fixture_teardown(void **state)
{
	struct fixture *fixture = *state;

	for (unsigned i = 0; i < FIXTURE_BUFFERS; i++)
		free(fixture->buffers[i].host);
	free(fixture->thread);
	free(fixture);
	return 0;
}

uint32_t fixture_random(struct fixture *fixture)
{
	return (uint32_t)test_random(&fixture->random);
}

static void fill(struct fixture *fixture, uint8_t *bytes, uint8_t *model, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = model[i] = (uint8_t)(fixture_random(fixture) >> 11);
}

void fixture_shuffle(struct fixture *fixture)
{
	for (unsigned i = 0; i < FIXTURE_BUFFERS; i++)
		fill(fixture, fixture->buffers[i].host, fixture->buffers[i].model,
			FIXTURE_BUFFER_BYTES);
	fill(fixture, fixture->slm, fixture->slm_model, FIXTURE_SLM_BYTES + 256);
	fill(fixture, fixture->thread->grf, fixture->grf_model, sizeof(fixture->grf_model));
	memset(&fixture->translation, 0, sizeof(fixture->translation));
	memset(fixture->surfaces, 0, sizeof(fixture->surfaces));
}

uint8_t *fixture_byte(struct fixture *fixture, uint64_t address)
{
	for (unsigned i = 0; i < FIXTURE_BUFFERS; i++) {
		struct fixture_buffer *buffer = &fixture->buffers[i];

		if (address >= buffer->address && address < buffer->address + FIXTURE_BUFFER_BYTES)
			return &buffer->model[address - buffer->address];
	}
	return NULL;
}

uint8_t *fixture_space_byte(
	struct fixture *fixture, enum eu_space space, unsigned index, uint64_t offset, bool *exists)
{
	uint64_t base = FIXTURE_WIDE_BASE, size = FIXTURE_WIDE_BYTES;

	*exists = true;
	if (space == EU_SPACE_A64)
		return fixture_byte(fixture, offset & EU_ADDRESS_MASK);
	if (space == EU_SPACE_STATELESS)
		return fixture_byte(fixture, (FIXTURE_GENERAL + offset) & EU_ADDRESS_MASK);
	if (space == EU_SPACE_SLM) {
		*exists = offset < FIXTURE_SLM_BYTES;
		return *exists ? &fixture->slm_model[offset] : NULL;
	}
	if (index == FIXTURE_SMALL) {
		base = FIXTURE_SMALL_BASE;
		size = FIXTURE_SMALL_BYTES;
	}
	if (index == FIXTURE_NULL)
		size = 0;
	*exists = offset < size;
	return *exists ? fixture_byte(fixture, base + offset) : NULL;
}

/* What gives a register its value, so that a block of code has it in a register of the host alone.
 */
static struct gen_inst make(struct fixture *fixture, unsigned offset)
{
	const struct gen_operand operand = { .file = GEN_FILE_GRF,
		.type = GEN_TYPE_UD,
		.reg = (uint8_t)(offset / GEN_GRF_BYTES),
		.vstride = 8,
		.width = 8,
		.hstride = 1 };

	for (unsigned i = 0; i < GEN_GRF_BYTES; i++)
		fixture->thread->grf[offset + i] ^= 0xff;
	return (struct gen_inst){ .op = GEN_OP_not,
		.exec_size = 8,
		.no_mask = true,
		.has_dst = true,
		.source_count = 1,
		.dst = operand,
		.src = { operand } };
}

/*
 * The message as an instruction of a kernel that an engine runs, behind others that make a block of
 * code of it, which is long now and then.
 */
static enum eu_status run_kernel(
	struct fixture *fixture, const struct eu_send *send, uint32_t lanes, unsigned engine)
{
	enum { SHORT = 2, LONG = 4096 };
	static struct gen_inst insts[LONG + 2];
	const unsigned before = fixture_random(fixture) % 128 ? SHORT : LONG;
	enum eu_host host = (enum eu_host)(engine % EU_HOSTS);
	bool is_block = send->access.kind == EU_ACCESS_BLOCK;
	bool is_whole = is_block && lanes == UINT32_MAX >> (32 - send->exec_size);
	const struct gen_inst last[] = {
		{ .op = GEN_OP_send,
			.exec_size = is_block ? send->exec_size : send->access.lanes,
			.no_mask = is_whole,
			/* flags are zeros when a thread begins: all lanes are on */
			.predicate = is_whole && fixture_random(fixture) % 2 ? GEN_PRED_SEQUENTIAL
									     : GEN_PRED_NONE,
			.predicate_invert = true,
			.sfid = send->sfid,
			.desc = send->desc,
			.exdesc = send->exdesc,
			.mlen = send->mlen,
			.xlen = send->xlen,
			.wide_handle = send->wide_handle,
			.rlen = send->rlen,
			.has_dst = true,
			.dst = { .file = send->writes ? GEN_FILE_GRF : GEN_FILE_NULL,
				.reg = (uint8_t)(send->dst / GEN_GRF_BYTES) },
			.src = { { .reg = (uint8_t)(send->src0 / GEN_GRF_BYTES) },
				{ .reg = (uint8_t)(send->src1 / GEN_GRF_BYTES) } } },
		{ .op = GEN_OP_send,
			.exec_size = 8,
			.sfid = fixture->worker.device->family->generation == GEN_HPG
					? GEN_SFID_GATEWAY
					: GEN_SFID_THREAD_SPAWNER,
			.no_mask = true,
			.end_of_thread = true },
	};
	struct gen_program program = { .count = before + 2, .inst = insts };

	for (unsigned i = 0; i < before; i++)
		insts[i] = make(fixture, i % 2 && send->xlen ? send->src1 : send->src0);
	memcpy(insts + before, last, sizeof(last));
	for (unsigned i = 0; i < program.count; i++) {
		insts[i].jip = insts[i].uip = -1;
		insts[i].ip = 16 * i;
		insts[i].size = 16;
	}
	lanes = is_whole ? 0xffff : lanes;
	struct eu_options options = { .target = { host, engine >= EU_HOSTS } };
	struct eu_kernel *kernel =
		eu_kernel_create_for(fixture->worker.device, &program, options, &fixture->fault);
	assert_non_null(kernel);
	eu_thread_start(fixture->thread, kernel, lanes & 0xffff, 0x4c0);
	enum eu_status status = eu_thread_run(fixture->thread, 1000);
	eu_kernel_destroy(kernel);
	fixture->thread->kernel = NULL;
	return status;
}

/* Runs a bound message by itself or, if it has code of its own, by any engine. */
static bool run(struct fixture *fixture, const struct eu_send *send, uint32_t lanes)
{
	struct eu_send whole = *send;
	struct eu_access_plain plain;
	unsigned engine = fixture_random(fixture) % (2 * EU_HOSTS + 1);

	whole.exec_size = send->access.lanes;
	if (engine == 2 * EU_HOSTS || engine % EU_HOSTS > eu_target_parse(NULL).host ||
		lanes == 0 ||
		(send->access.kind != EU_ACCESS_BLOCK && !eu_access_is_plain(&whole, &plain)))
		return send->run(fixture->thread, send, lanes) == EU_RUN;
	return run_kernel(fixture, send, lanes, engine) == EU_DONE;
}

void fixture_expect(struct fixture *fixture, struct eu_send *send, uint32_t lanes)
{
	memset(&fixture->fault, 0, sizeof(fixture->fault));
	if (eu_message_bind(fixture->worker.device, send, &fixture->fault) != 0)
		fail_msg("%s", fixture->fault.report);
	if (!run(fixture, send, lanes))
		fail_msg("%s", fixture->fault.report);
	for (unsigned i = 0; i < sizeof(fixture->grf_model); i++) {
		if (fixture->thread->grf[i] != fixture->grf_model[i])
			fail_msg("%s %08x: r%u byte %u is 0x%02x, not 0x%02x (result at r%u)",
				send->access.name, send->desc, i / 32, i % 32,
				fixture->thread->grf[i], fixture->grf_model[i], send->dst / 32);
	}
	for (unsigned i = 0; i < FIXTURE_BUFFERS; i++)
		assert_memory_equal(
			fixture->buffers[i].host, fixture->buffers[i].model, FIXTURE_BUFFER_BYTES);
	assert_memory_equal(fixture->slm, fixture->slm_model, sizeof(fixture->slm));
}

void fixture_expect_fault(struct fixture *fixture, struct eu_send *send, uint32_t lanes,
	enum gen_fault_kind kind, const char *text)
{
	memset(&fixture->fault, 0, sizeof(fixture->fault));
	assert_int_equal(eu_message_bind(fixture->worker.device, send, &fixture->fault), 0);
	assert_int_equal(send->run(fixture->thread, send, lanes), EU_FAULT);
	assert_int_equal(fixture->fault.kind, kind);
	if (!strstr(fixture->fault.report, text) ||
		!strstr(fixture->fault.report, send->access.name))
		fail_msg("'%s' is not in: %s", text, fixture->fault.report);
}

void fixture_expect_refused(struct fixture *fixture, struct eu_send *send, const char *text)
{
	memset(&fixture->fault, 0, sizeof(fixture->fault));
	assert_int_equal(eu_message_bind(fixture->worker.device, send, &fixture->fault), -1);
	assert_null(send->run);
	assert_int_equal(fixture->fault.kind, GEN_FAULT_BAD_MESSAGE);
	if (!strstr(fixture->fault.report, text))
		fail_msg("'%s' is not in: %s", text, fixture->fault.report);
}

void fixture_place(struct fixture *fixture, struct eu_send *send, const void *payload,
	unsigned registers, unsigned results)
{
	const uint8_t *bytes = payload;
	unsigned cut = 1 + fixture_random(fixture) % registers;
	unsigned low = fixture_random(fixture) % 8, high = 40 + fixture_random(fixture) % 8;
	unsigned dst = fixture_random(fixture) % 4 == 0 ? low : 80 + fixture_random(fixture) % 8;

	if (send->mlen != 0) /* the caller insists */
		cut = send->mlen;
	memcpy(fixture->grf_model + low * 32, bytes, cut * 32);
	memcpy(fixture->grf_model + high * 32, bytes + cut * 32, (registers - cut) * 32);
	memcpy(fixture->thread->grf, fixture->grf_model, sizeof(fixture->grf_model));
	send->mlen = (uint8_t)cut;
	send->xlen = (uint8_t)(registers - cut);
	send->rlen = (uint8_t)results;
	send->src0 = (uint16_t)(low * 32);
	send->src1 = (uint16_t)(high * 32);
	send->dst = (uint16_t)(dst * 32);
	send->writes = results > 0;
}
