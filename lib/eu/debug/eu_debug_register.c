// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_register.h"

#include <stddef.h>
#include <string.h>

#include "eu/debug/eu_debug_memory.h"
#include "eu/memory/eu_item.h"
#include "eu/memory/eu_memory.h"
#include "eu/ops/eu_kernel.h"
#include "util/util_bits.h"

enum feature { FEATURE_CORE, FEATURE_SSE, FEATURE_OWN };

struct row {
	const char *name, *type;
	uint16_t bits;
	uint8_t feature;
	bool is_state, can_write;
	size_t offset;					     /* of the state in struct eu_thread */
	uint64_t (*number)(const struct eu_debug_thread *t); /* of 64 bits at most */
	bool (*get)(const struct eu_debug_thread *t, void *value);
	void (*set)(struct eu_debug_thread *t, const void *value);
};

static void put_dwords(void *value, uint32_t x, uint32_t y, uint32_t z)
{
	memcpy(value, (const uint32_t[]){ x, y, z }, 3 * sizeof(uint32_t));
}

static uint64_t get_registers(const struct eu_debug_thread *t)
{
	(void)t;
	return EU_DEBUG_REGISTERS;
}

/* Dword `index` of the register that calls use. */
static uint64_t get_call(const struct eu_debug_thread *t, unsigned index)
{
	return eu_payload_dword(t->thread->grf + 127 * GEN_GRF_BYTES, index);
}

static uint64_t get_frame(const struct eu_debug_thread *t)
{
	return get_call(t, 3);
}

static uint64_t get_kernel_frame(const struct eu_debug_thread *t)
{
	return get_call(t, 2);
}

static uint64_t get_return(const struct eu_debug_thread *t)
{
	return get_call(t, 0);
}

static uint64_t get_lane(const struct eu_debug_thread *t)
{
	return t->lane;
}

static uint64_t get_simd(const struct eu_debug_thread *t)
{
	return t->thread->worker->dispatch->simd;
}

static uint64_t get_ip(const struct eu_debug_thread *t)
{
	return t->thread->kernel->program->inst[eu_debug_inst(t)].ip;
}

static void set_lane(struct eu_debug_thread *t, const void *value)
{
	uint32_t lane;

	memcpy(&lane, value, sizeof lane);
	t->lane = lane % GEN_MAX_LANES;
}

static bool get_local_id(const struct eu_debug_thread *t, void *value)
{
	uint16_t id[3] = { 0 };

	if (!eu_item_find(t->thread->worker->dispatch, t->thread->index, t->lane, id))
		return false;
	put_dwords(value, id[0], id[1], id[2]);
	return true;
}

static bool get_global_id(const struct eu_debug_thread *t, void *value)
{
	const uint32_t *group = t->thread->group->id;
	uint32_t size[3] = { 0 };
	uint16_t id[3] = { 0 };

	if (!eu_item_find(t->thread->worker->dispatch, t->thread->index, t->lane, id))
		return false;
	eu_item_sizes(t->thread->worker->dispatch, size);
	put_dwords(value, group[0] * size[0] + id[0], group[1] * size[1] + id[1],
		group[2] * size[2] + id[2]);
	return true;
}

static bool get_group(const struct eu_debug_thread *t, void *value)
{
	const uint32_t *group = t->thread->group->id;

	put_dwords(value, group[0], group[1], group[2]);
	return true;
}

#define NONE		      false, false, 0, NULL, NULL, NULL
#define STATE(m)	      true, true, offsetof(struct eu_thread, m), NULL, NULL, NULL
#define FIXED(m)	      true, false, offsetof(struct eu_thread, m), NULL, NULL, NULL
#define NUMBER(f)	      false, false, 0, f, NULL, NULL
#define MADE(f)		      false, false, 0, NULL, f, NULL
#define KEPT(f, s)	      false, true, 0, f, NULL, s
#define CORE(n, t, b, source) { n, t, b, FEATURE_CORE, source },
#define SSE(n, t, b, source)  { n, t, b, FEATURE_SSE, source },
#define OWN(n, t, b, source)  { n, t, b, FEATURE_OWN, source },
static const struct row rows[] = {
#include "eu/debug/eu_debug_register.def"
};
enum { ROWS = UTIL_ARRAY_SIZE(rows) };

unsigned eu_debug_register_count(const struct gen_device *device)
{
	return ROWS + gen_family_registers(device->family);
}

unsigned eu_debug_register_size(const struct gen_device *device, unsigned number)
{
	if (number < ROWS)
		return rows[number].bits / 8;
	return number < eu_debug_register_count(device) ? GEN_GRF_BYTES : 0;
}

bool eu_debug_register_get(const struct eu_debug_thread *t, unsigned number, void *value)
{
	if (!t) { /* GDB cannot do without these */
		memset(value, 0, EU_DEBUG_REGISTER_BYTES);
		return number < ROWS && (rows[number].number == eu_debug_address ||
						rows[number].number == get_registers);
	}
	if (number >= ROWS) {
		memcpy(value, t->thread->grf + (number - ROWS) * GEN_GRF_BYTES, GEN_GRF_BYTES);
		return true;
	}
	const struct row *row = &rows[number];
	if (row->is_state)
		memcpy(value, (const uint8_t *)t->thread + row->offset, row->bits / 8);
	if (row->number)
		memcpy(value, &(uint64_t){ row->number(t) }, row->bits / 8);
	return row->is_state || row->number || (row->get && row->get(t, value));
}

bool eu_debug_register_set(struct eu_debug_thread *t, unsigned number, const void *value)
{
	if (!t)
		return false;
	if (number >= ROWS) {
		memcpy(t->thread->grf + (number - ROWS) * GEN_GRF_BYTES, value, GEN_GRF_BYTES);
		return true;
	}
	const struct row *row = &rows[number];
	if (!row->can_write)
		return false;
	if (row->set)
		row->set(t, value);
	else
		memcpy((uint8_t *)t->thread + row->offset, value, row->bits / 8);
	return true;
}

static void describe_row(struct eu_debug_text *out, const struct row *row)
{
	eu_debug_format(out, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\"/>", row->name, row->bits,
		row->type);
}

void eu_debug_describe(struct eu_debug_text *out, const struct gen_device *device)
{
	static const char *const features[] = { "org.gnu.gdb.i386.core", "org.gnu.gdb.i386.sse",
		"zerocl.eu" };
	static const char types[] =
		"<vector id=\"vec4d\" type=\"uint32\" count=\"4\"/>"
		"<vector id=\"vec3d\" type=\"uint32\" count=\"3\"/>"
		"<vector id=\"vec16w\" type=\"uint16\" count=\"16\"/>"
		"<vector id=\"vec8d\" type=\"uint32\" count=\"8\"/>"
		"<vector id=\"vec8i\" type=\"int32\" count=\"8\"/>"
		"<vector id=\"vec8f\" type=\"ieee_single\" count=\"8\"/>"
		"<vector id=\"vec4q\" type=\"uint64\" count=\"4\"/>"
		"<vector id=\"vec32b\" type=\"uint8\" count=\"32\"/>"
		"<union id=\"eu\"><field name=\"ud\" type=\"vec8d\"/><field name=\"d\" "
		"type=\"vec8i\"/>"
		"<field name=\"f\" type=\"vec8f\"/><field name=\"uw\" type=\"vec16w\"/>"
		"<field name=\"uq\" type=\"vec4q\"/><field name=\"ub\" type=\"vec32b\"/></union>";
	unsigned at = 0;

	eu_debug_format(out, "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
			     "<target><architecture>i386:x86-64</architecture><osabi>none</osabi>");
	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(features); i++) {
		eu_debug_format(out, "<feature name=\"%s\">%s", features[i],
			i == FEATURE_CORE ? "" : types);
		for (; at < ROWS && rows[at].feature == i; at++)
			describe_row(out, &rows[at]);
		if (i == FEATURE_OWN)
			for (unsigned g = 0; g < gen_family_registers(device->family); g++)
				eu_debug_format(
					out, "<reg name=\"g%u\" bitsize=\"256\" type=\"eu\"/>", g);
		eu_debug_format(out, "</feature>");
	}
	eu_debug_format(out, "</target>");
}
