// SPDX-License-Identifier: MIT
#include "tool/verify/verify.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "gen/gen_inst.h"

/*
 * The vectors of messages: the rows of eu_message.def, in each size that their form of descriptor
 * has. Eight channels, each with an address of its own, in r28 and r29, within the memory of the
 * thread (r10.3, from the buffer's start, which is at r18 as an address), or one block there; data
 * from r20, what comes back to r40. Local memory is written before and read behind. Of messages for
 * images, the thread's memory is texels: four rows of VERIFY_ROW bytes.
 */

enum { A32, A64, LSC };
enum { N = 0, R = 1, W = 2, U = R | W };
enum { TABLE_MEMORY = 2, TABLE_IMAGE, TABLE_IMAGE_OF_WORDS };
enum { TABLE_LOCAL = 0xfe, TABLE_STATELESS = 0xff };
enum { SHIFT_OF_ROW = 6 };
static_assert(1 << SHIFT_OF_ROW == VERIFY_ROW, "a row");

/* A row, and the message that is being written. */
struct message {
	struct verify_vectors *vectors;
	const char *only, *name;
	unsigned sfid, type, size, addresses, memory;
	unsigned texel; /* bytes of one, of the image that it reaches; 0: no image */
	bool is_local;	/* it reaches local memory, not the buffer */
	bool is_right;	/* memory lasts */
};

/* What differs between the messages of a row. */
struct variant {
	uint32_t control; /* bits of the descriptor */
	unsigned step;	  /* bytes from one channel's address to the next */
	unsigned unit;	  /* of addresses, bytes */
	unsigned in, out; /* registers of data that are sent, and that come back */
	uint8_t type;	  /* of the data sent; 0: dwords */
	bool is_shared;	  /* all channels have the same address */
};

static struct verify_vector begin(const struct message *m, const struct variant *x)
{
	uint8_t type = x->type ? x->type : GEN_TYPE_UD;
	struct verify_vector v = { .types = { type, type, 0 },
		.out_of_order = true,
		.reaches_memory = true,
		.texel = (uint8_t)m->texel };

	snprintf(v.name, sizeof v.name, "%s%s", m->name,
		m->is_local && m->sfid != GEN_SFID_SLM ? ", local" : "");
	return v;
}

static void put_send(struct verify_vector *v, const struct message *m, unsigned sfid,
	const char *mask, unsigned lanes, const char *dst, unsigned src0, unsigned xlen,
	uint32_t desc)
{
	char text[128];

	verify_send(text, sizeof text, m->vectors->generation, mask, lanes, sfid, dst, src0, 20,
		xlen, desc);
	verify_put(v, "%s", text);
}

static void add(struct message *m, struct verify_vector *v)
{
	m->is_right = m->is_right && verify_vectors_add(m->vectors, v, m->only);
}

static unsigned image_of(const struct message *m)
{
	return m->texel == 2 ? TABLE_IMAGE_OF_WORDS : TABLE_IMAGE;
}

/* ---- a message of eight channels ---- */

/* To r26, the number of each channel, by which its address is told from the others'. */
static void put_numbers(struct verify_vector *v, const struct variant *x, bool is_permuted)
{
	verify_put(v, "(W) mov (8|M0) r26.0<1>:uw 0x%08X:uv\n",
		x->is_shared  ? 0
		: is_permuted ? 0x35127406
			      : 0x76543210);
}

/* A column of its own for each channel, and some of the four rows. */
static void put_texels(struct verify_vector *v, const struct variant *x, bool is_permuted)
{
	put_numbers(v, x, is_permuted);
	verify_put(v,
		"(W) shl (8|M0) r28.0<1>:ud r26.0<1;1,0>:uw 0x1:uw\n"
		"(W) and (8|M0) r29.0<1>:ud r26.0<1;1,0>:uw 0x3:uw\n"
		"(W) shr (8|M0) r26.0<1>:ud r10.3<0;1,0>:ud 0x%x:uw\n"
		"(W) add (8|M0) r29.0<1>:ud r29.0<1;1,0>:ud r26.0<1;1,0>:ud\n",
		SHIFT_OF_ROW);
}

static void put_addresses(
	struct verify_vector *v, const struct message *m, const struct variant *x, bool is_permuted)
{
	put_numbers(v, x, is_permuted);
	verify_put(v, "(W) mul (8|M0) r28.0<1>:ud r26.0<1;1,0>:uw 0x%x:uw\n", x->step);
	if (!m->is_local)
		verify_put(v, "(W) add (8|M0) r28.0<1>:ud r28.0<1;1,0>:ud r10.3<0;1,0>:ud\n");
	if (x->unit > 1)
		verify_put(v, "(W) shr (8|M0) r28.0<1>:ud r28.0<1;1,0>:ud 0x%x:uw\n", x->unit / 2);
	if (m->addresses == A64 || (m->addresses == LSC && !m->is_local))
		verify_put(v, "(W) add (8|M0) r26.0<1>:ud r28.0<1;1,0>:ud r18.0<0;1,0>:ud\n"
			      "(W) mov (8|M0) r28.0<2>:ud r26.0<1;1,0>:ud\n"
			      "(W) mov (8|M0) r28.1<2>:ud r18.1<0;1,0>:ud\n");
}

/* Four dwords of a channel, to or from local memory. PRM: untyped surface messages; load, store. */
static void put_local(struct verify_vector *v, const struct message *m, bool is_store)
{
	enum { LOAD = 0x024060fe, STORE = 0x020260fe };
	enum { CACHE_LOAD = 0x02403500, CACHE_STORE = 0x02003504 };
	bool is_lsc = m->sfid == GEN_SFID_SLM;
	uint32_t desc = is_lsc ? (is_store ? CACHE_STORE : CACHE_LOAD) : (is_store ? STORE : LOAD);

	put_send(v, m, is_lsc ? GEN_SFID_SLM : GEN_SFID_DC1, "(W)", 8, is_store ? "null" : "r40",
		28, is_store ? 4 : 0, desc);
	verify_put(v, "\n");
}

static void add_lanes(
	struct message *m, const struct variant *x, const char *mask, bool is_permuted)
{
	bool is_wide = m->texel || m->addresses == A64 || (m->addresses == LSC && !m->is_local);
	struct verify_vector v = begin(m, x);
	uint32_t table = m->texel	       ? image_of(m)
			 : m->addresses == LSC ? 0
			 : m->addresses == A64 ? TABLE_STATELESS
			 : m->is_local	       ? TABLE_LOCAL
					       : TABLE_MEMORY;
	uint32_t type = m->addresses == LSC ? m->type : m->type << 14;

	if (m->texel)
		put_texels(&v, x, is_permuted);
	else
		put_addresses(&v, m, x, is_permuted);
	if (m->is_local)
		put_local(&v, m, true);
	if (m->is_local && x->is_shared) /* every channel has written to an address of its own */
		verify_put(&v, "(W) mov (8|M0) r28.0<1>:ud 0x0:ud\n");
	put_send(&v, m, m->sfid, mask, 8, x->out ? "r40" : "null", 28, x->in,
		x->control | type | table | (is_wide ? 2u : 1u) << 25 | x->out << 20);
	if (m->is_local && m->memory & W && !x->out) {
		verify_put(&v, "\n");
		put_local(&v, m, false);
		v.text[strlen(v.text) - 1] = 0;
	}
	add(m, &v);
}

/* With all channels, in another order, and with some of them. */
static void add_scattered(struct message *m, struct variant x)
{
	x.in = m->memory & W ? x.in : 0;
	x.out = m->memory & R ? x.out : 0;
	if (m->is_local)
		x.step = 16;
	add_lanes(m, &x, "", false);
	add_lanes(m, &x, "", true);
	add_lanes(m, &x, "(f0.0)", false);
}

/*
 * Forms whose messages move data, in each size: bits of the descriptor, bytes from one channel's
 * address to the next, bytes of which addresses count, registers of data.
 */
struct size {
	uint32_t control;
	uint8_t step, unit, n;
};

static uint32_t widths(const struct message *m)
{
	return m->addresses == LSC ? (m->is_local ? 2 << 7 : 3 << 7) : 0;
}

static void add_sizes(struct message *m, const struct size *sizes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct size *x = &sizes[i];
		add_scattered(m, (struct variant){ .control = widths(m) | x->control,
					 .step = x->step,
					 .unit = x->unit,
					 .in = x->n,
					 .out = x->n });
	}
}

#define SIZES(form, ...)                                                                           \
	static void write_##form(struct message *m)                                                \
	{                                                                                          \
		static const struct size sizes[] = { __VA_ARGS__ };                                \
		add_sizes(m, sizes, sizeof sizes / sizeof *sizes);                                 \
	}

/* Of the load-store cache, elements: dwords, qwords, bytes and words in dwords. */
enum { D32 = 2 << 9, D64 = 3 << 9, D8U32 = 4 << 9, D16U32 = 5 << 9 };

SIZES(untyped, { 0x2e00, 4, 1, 1 }, { 0x2c00, 8, 1, 2 }, { 0x2800, 12, 1, 3 }, { 0x2000, 16, 1, 4 })
SIZES(bytes, { 0, 1, 1, 1 }, { 1 << 10, 2, 1, 1 }, { 2 << 10, 4, 1, 1 })
SIZES(dwords, { 1 << 9, 4, 4, 1 })
SIZES(qwords, { 0, 8, 1, 2 }, { 1 << 10, 16, 1, 4 })
SIZES(a64_scattered, { 0, 1, 1, 1 }, { 1 << 10, 2, 1, 1 }, { 2 << 10, 4, 1, 1 },
	{ 1 << 8, 4, 1, 1 }, { 1 << 8 | 1 << 10, 8, 1, 2 }, { 2 << 8, 8, 1, 2 })
SIZES(lsc, { D32, 4, 1, 1 }, { D32 | 1 << 12, 8, 1, 2 }, { D32 | 2 << 12, 12, 1, 3 },
	{ D32 | 3 << 12, 16, 1, 4 }, { D64, 8, 1, 2 }, { D64 | 1 << 12, 16, 1, 4 },
	{ D8U32, 1, 1, 1 }, { D16U32, 2, 1, 1 })

static void write_lsc_masked(struct message *m)
{
	for (unsigned mask = 1; mask < 16; mask++)
		add_sizes(m,
			&(struct size){
				D32 | mask << 12, 16, 1, (uint8_t)__builtin_popcount(mask) },
			1);
}

/* ---- atomics ---- */

/* How many operands they take. What is 9 is not executed: there is none, or it needs pairs. */
static const uint8_t int_operands[16] = { 9, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 0 };
static const uint8_t float_operands[4] = { 9, 1, 1, 2 };

/* Returning and not, and, for what gives one result in any order, all channels on one address. */
static void add_atomic(struct message *m, struct variant x, bool is_commutative)
{
	unsigned out = x.out;

	x.control |= m->addresses == LSC ? 0 : 1u << 13;
	add_scattered(m, x);
	x.control &= m->addresses == LSC ? ~0u : ~(1u << 13);
	x.out = 0;
	add_scattered(m, x);
	x.is_shared = is_commutative;
	x.step = m->is_local ? 16 : x.step;
	x.in = m->memory & W ? x.in : 0;
	if (is_commutative)
		add_lanes(m, &x, "", false);
	x.out = out;
}

static void write_atomic(struct message *m)
{
	for (unsigned op = 1; op < 16; op++) {
		bool is_commutative = op != 4 && op != 9 && op < 14;
		if (int_operands[op] > 2)
			continue;
		bool is_narrow = m->addresses == A32 && !m->texel; /* eight channels, by a bit */
		struct variant x = { .control = op << 8 | (is_narrow ? 1u << 12 : 0),
			.step = 4,
			.unit = 1,
			.in = int_operands[op],
			.out = 1 };
		add_atomic(m, x, is_commutative);
		if (m->addresses != A64 || m->size != 4)
			continue;
		x = (struct variant){ .control = op << 8 | 1 << 12,
			.step = 8,
			.unit = 1,
			.in = 2u * int_operands[op],
			.out = 2 };
		add_atomic(m, x, is_commutative);
	}
}

/* `last`: the last operation. Addition rounds, so its order matters. */
static void float_atomics(struct message *m, unsigned last)
{
	for (unsigned op = 1; op <= last; op++)
		add_atomic(m,
			(struct variant){ .control = op << 8 | (m->addresses == A32 ? 1u << 12 : 0),
				.step = 4,
				.unit = 1,
				.in = op == 4 ? 1 : float_operands[op],
				.out = 1,
				.type = m->size == 2 ? GEN_TYPE_HF : GEN_TYPE_F },
			false);
}

static void write_float_atomic(struct message *m)
{
	float_atomics(m, 3);
}

static void write_float_atomic_add(struct message *m)
{
	float_atomics(m, 4);
}

/* ---- images ---- */

/* One channel of the texels, and all four, of which the image has one. */
static void write_typed(struct message *m)
{
	static const struct size sizes[] = { { 0x1e00, 0, 1, 1 }, { 0x1000, 0, 1, 4 } };

	m->texel = 4;
	add_sizes(m, sizes, sizeof sizes / sizeof *sizes);
}

static void write_typed_atomic(struct message *m)
{
	m->texel = m->size;
	write_atomic(m);
}

/* Blocks that fill registers, at the lower right corner of the thread's memory. */
static void write_media(struct message *m)
{
	static const struct {
		uint8_t width, height;
	} sizes[] = { { 8, 4 }, { 16, 2 }, { 16, 4 }, { 32, 1 }, { 32, 4 }, { 64, 2 } };

	m->texel = 4;
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		unsigned w = sizes[i].width, h = sizes[i].height, n = w * h / GEN_GRF_BYTES;
		struct verify_vector v = begin(m, &(struct variant){ 0 });
		verify_put(&v,
			"(W) mov (8|M0) r28.0<1>:ud 0x0:ud\n"
			"(W) mov (1|M0) r28.0<1>:ud 0x%x:ud\n",
			VERIFY_ROW - w);
		verify_put(&v,
			"(W) shr (1|M0) r28.1<1>:ud r10.3<0;1,0>:ud 0x%x:uw\n"
			"(W) add (1|M0) r28.1<1>:ud r28.1<0;1,0>:ud 0x%x:ud\n"
			"(W) mov (1|M0) r28.2<1>:ud 0x%x:ud\n",
			SHIFT_OF_ROW, VERIFY_MEMORY / VERIFY_ROW - h, (h - 1) << 16 | (w - 1));
		put_send(&v, m, m->sfid, "(W)", n > 1 ? 16 : 8, m->memory & W ? "null" : "r40", 28,
			m->memory & W ? n : 0,
			m->type << 14 | 1u << 19 | 1u << 25 | image_of(m) |
				(m->memory & W ? 0 : n << 20));
		add(m, &v);
	}
}

/* ---- blocks ---- */

/* A block of the thread's memory, `offset` bytes from its begin. */
static void add_block(struct message *m, uint32_t control, unsigned bytes, unsigned offset)
{
	struct verify_vector v = begin(m, &(struct variant){ 0 });
	unsigned registers = bytes > GEN_GRF_BYTES ? bytes / GEN_GRF_BYTES : 1;
	bool is_wide = m->addresses == A64;
	uint32_t desc = control | m->type << 14 | 1u << 19 | 1u << 25 |
			(is_wide ? TABLE_STATELESS : TABLE_MEMORY);

	verify_put(&v, "(W) mov (8|M0) r28.0<1>:ud 0x0:ud\n");
	verify_put(&v, "(W) add (1|M0) r28.%u<1>:ud r10.3<0;1,0>:ud 0x%x:ud\n", is_wide ? 0 : 2,
		offset);
	if (is_wide)
		verify_put(&v, "(W) add (1|M0) r28.0<1>:ud r28.0<0;1,0>:ud r18.0<0;1,0>:ud\n"
			       "(W) mov (1|M0) r28.1<1>:ud r18.1<0;1,0>:ud\n");
	else if (m->size == 16)
		verify_put(&v, "(W) shr (1|M0) r28.2<1>:ud r28.2<0;1,0>:ud 0x4:uw\n");
	if (m->memory & W)
		put_send(&v, m, m->sfid, "(W)", bytes > 32 ? 16 : 8, "null", 28, registers, desc);
	else
		put_send(&v, m, m->sfid, "(W)", bytes > 32 ? 16 : 8, "r40", 28, 0,
			desc | registers << 20);
	add(m, &v);
}

/* The sizes 0 to 4: half a register, its upper half, one, two and four. */
static void write_owords(struct message *m)
{
	static const uint8_t bytes[] = { 16, 16, 32, 64, 128 };

	for (unsigned size = 0; size < sizeof bytes; size++)
		add_block(m, size << 8, bytes[size], m->size == 16 ? 32 : 36);
}

static void write_a64_block(struct message *m)
{
	enum { UNALIGNED = 1 << 11 };
	static const uint8_t bytes[] = { 16, 16, 32, 64, 128 };

	for (unsigned size = 0; size < sizeof bytes; size++) {
		add_block(m, size << 8, bytes[size], 32);
		if (m->memory == R)
			add_block(m, UNALIGNED | size << 8, bytes[size], 36);
	}
}

/* A thread's own memory: one, two and four registers, written and read at two places. */
static void write_scratch(struct message *m)
{
	enum { SCRATCH = 1 << 25 | 1 << 19 | 1 << 18, WRITE = 1 << 17 | 1 << 16 };

	for (uint32_t size = 0; size < 3; size++)
		for (uint32_t offset = 0; offset <= 8; offset += 8) {
			const uint32_t n = 1u << size, desc = SCRATCH | size << 12 | offset;
			struct verify_vector v = begin(m, &(struct variant){ 0 });

			put_send(&v, m, GEN_SFID_DC0, "(W)", 16, "null", 127, n, desc | WRITE);
			verify_put(&v, "\n");
			put_send(&v, m, GEN_SFID_DC0, "(W)", 16, "r40", 127, 0, desc | n << 20);
			add(m, &v);
		}
}

#define write_scratch_surface write_scratch /* the header names the surface's state instead */

/* ---- fences ---- */

/* A block that the thread writes, and reads once the fence has returned. */
static void write_fence_of(struct message *m, uint32_t desc)
{
	enum { WRITE = 0x020a0300, READ = 0x02280300 }; /* of four OWords, by their number */
	struct verify_vector v = begin(m, &(struct variant){ 0 });

	verify_put(&v, "(W) mov (8|M0) r28.0<1>:ud 0x0:ud\n"
		       "(W) shr (1|M0) r28.2<1>:ud r10.3<0;1,0>:ud 0x4:uw\n");
	put_send(&v, m, GEN_SFID_DC0, "(W)", 16, "null", 28, 2, WRITE | TABLE_MEMORY);
	verify_put(&v, "\n");
	put_send(&v, m, m->sfid, "(W)", 8, "r30", 127, 0, desc);
	verify_put(&v, "\n");
	put_send(&v, m, GEN_SFID_DC0, "(W)", 16, "r40", 28, 0, READ | TABLE_MEMORY);
	add(m, &v);
}

/* As Intel's compiler has them: with a register that comes back when all before is done. */
static void write_fence(struct message *m)
{
	enum { GLOBAL = 0x0219e000, SAMPLERS = 0x021ff000, GROUP = 0x0210011f, TILE = 0x0210031f };

	if (m->addresses == LSC)
		write_fence_of(m, m->is_local ? GROUP : TILE);
	else
		write_fence_of(m, m->sfid == GEN_SFID_SAMPLER ? SAMPLERS : GLOBAL);
	if (m->sfid == GEN_SFID_DC0 && m->vectors->generation >= GEN_11)
		write_fence_of(m, GLOBAL | TABLE_LOCAL);
}

/* ---- the load-store cache ---- */

static void write_lsc_atomic(struct message *m)
{
	enum { FIRST = 0x08, COMPARE = 0x12, FLOATS = 0x13, COMPARE_FLOATS = 0x17, LOGIC = 0x18 };
	bool is_float = m->type >= FLOATS && m->type < LOGIC;
	bool has_none = m->type < FIRST + 3;
	unsigned in = has_none ? 0 : m->type == COMPARE || m->type == COMPARE_FLOATS ? 2 : 1;
	bool is_commutative =
		!is_float && m->type != COMPARE && m->type != FIRST + 2 && m->type != FIRST + 3;

	add_atomic(m,
		(struct variant){ .control = widths(m) | D32,
			.step = 4,
			.unit = 1,
			.in = in,
			.out = 1,
			.type = is_float ? GEN_TYPE_F : 0 },
		is_commutative);
	if (!is_float && m->sfid == GEN_SFID_UGM)
		add_atomic(m,
			(struct variant){ .control = widths(m) | D64,
				.step = 8,
				.unit = 1,
				.in = 2 * in,
				.out = 2 },
			is_commutative);
}

/* ---- the rest ---- */

#define write_nothing NULL /* it does nothing that could be compared */
#define write_barrier NULL
#define write_end     NULL /* every kernel ends by it */
#define write_missing NULL /* the virtual device refuses it */
#define write_target  NULL /* nothing is drawn */
#define write_sampler NULL /* the driver makes their state: verify_image.c */

static const struct row {
	uint8_t sfid, type, first, last;
	const char *name;
	void (*write)(struct message *m);
	uint8_t size, addresses, memory;
} rows[] = {
#define MESSAGE(sfid, type, first, last, name, form, size, addresses, memory)                      \
	{ GEN_SFID_##sfid, type, GEN_##first, GEN_##last, name, write_##form, size, addresses,     \
		memory },
#include "eu/message/eu_message.def"
#undef MESSAGE
};

bool verify_messages_add(struct verify_vectors *vectors, const char *only)
{
	struct message m = { .vectors = vectors, .only = only, .is_right = true };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if ((unsigned)vectors->generation < rows[i].first ||
			(unsigned)vectors->generation > rows[i].last || !rows[i].write)
			continue;
		m.name = rows[i].name;
		m.sfid = rows[i].sfid;
		m.type = rows[i].type;
		m.size = rows[i].size;
		m.addresses = rows[i].addresses;
		m.memory = rows[i].memory;
		m.is_local = m.sfid == GEN_SFID_SLM;
		m.texel = 0;
		rows[i].write(&m);
		/* The same in local memory, which Xe-HPG has messages of its own for. */
		m.is_local = true;
		if ((m.sfid == GEN_SFID_DC1 || rows[i].write == write_bytes) && !m.texel &&
			m.addresses == A32 && vectors->generation < GEN_HPG)
			rows[i].write(&m);
	}
	return m.is_right;
}
