// SPDX-License-Identifier: MIT
/*
 * Odd regions and types: gathers into temporaries and scatters out of them. Plain loops; c is the
 * number of channels.
 */
#include "eu/state/eu_float_mode.h"
#include "eu/ops/eu_generic.h"
#include "eu/ops/eu_uop_tmpl.h"

/* imm of a gather: bytes from row to row, from column to column, and log2 of the row's width. */
#define GATHER_ROW    (U_IMM & 0xffff)
#define GATHER_COLUMN (U_IMM >> 16 & 0xff)
#define GATHER_SHIFT  (U_IMM >> 24)

#define GATHER(name, type)                                                                         \
	HANDLER(uop_gather_##name)                                                                 \
	{                                                                                          \
		const uint8_t *from = (const uint8_t *)t + U_A;                                    \
		uint32_t *to = (uint32_t *)(void *)((uint8_t *)t + U_D);                           \
		uint32_t width = 1u << GATHER_SHIFT;                                               \
		for (uint32_t i = 0; i < U_C; i++) {                                               \
			type x;                                                                    \
			memcpy(&x,                                                                 \
				from + (i >> GATHER_SHIFT) * GATHER_ROW +                          \
					(i & (width - 1)) * GATHER_COLUMN,                         \
				sizeof x);                                                         \
			to[i] = (uint32_t)x;                                                       \
		}                                                                                  \
		EU_NEXT;                                                                           \
	}
GATHER(ub, uint8_t)
GATHER(b, int8_t)
GATHER(uw, uint16_t)
GATHER(w, int16_t)
GATHER(d, uint32_t)

/* Where the address in a word of a0, and what is added to it, lead; `size` bytes are there. */
static inline uint8_t *indirect(struct eu_thread *t, uint32_t word, uint32_t more, uint32_t size)
{
	const uint32_t bytes = GEN_GRF_COUNT * GEN_GRF_BYTES;
	uint16_t address;
	memcpy(&address, (const uint8_t *)t->a0_words + 2 * word, 2);
	more = (address + more) & (bytes - 1);
	return t->grf + (more > bytes - size ? bytes - size : more);
}

/* One address for each channel, from word b of a0 on; imm is added. */
HANDLER(uop_gather_indirect)
{
	uint32_t *to = (uint32_t *)(void *)((uint8_t *)t + U_D);
	for (uint32_t i = 0; i < U_C; i++)
		memcpy(&to[i], indirect(t, U_B + i, U_IMM, 4), 4);
	EU_NEXT;
}

/* One address for all channels. */
#define SCATTER_INDIRECT(name, type, M, is_on)                                                     \
	HANDLER(scatter_indirect_##name##_##M)                                                     \
	{                                                                                          \
		const uint8_t *from = (const uint8_t *)t + U_A;                                    \
		for (uint32_t i = 0; i < U_C; i++) {                                               \
			type x;                                                                    \
			if (!(is_on))                                                              \
				continue;                                                          \
			memcpy(&x, from + 4 * i, sizeof(x));                                       \
			memcpy(indirect(t, U_B, U_IMM + i * U_TARGET, sizeof(x)), &x, sizeof(x));  \
		}                                                                                  \
		EU_NEXT;                                                                           \
	}
#define SCATTERS_INDIRECT(name, type)                                                              \
	SCATTER_INDIRECT(name, type, F, true)                                                      \
	SCATTER_INDIRECT(name, type, M, lane_on(t, u, i))
static inline bool lane_on(const struct eu_thread *t, const struct eu_uop *u, uint32_t i)
{
	int32_t lane;
	memcpy(&lane, (const char *)t + U_M + 4 * i, 4);
	return lane != 0;
}
SCATTERS_INDIRECT(8, uint8_t)
SCATTERS_INDIRECT(16, uint16_t)
SCATTERS_INDIRECT(32, uint32_t)

/* imm: bytes from element to element. */
#define SCATTER(name, size)                                                                        \
	HANDLER(scatter_##name##_F)                                                                \
	{                                                                                          \
		uint8_t *to = (uint8_t *)t + U_D;                                                  \
		const uint8_t *from = (const uint8_t *)t + U_A;                                    \
		for (uint32_t i = 0; i < U_C; i++)                                                 \
			memcpy(to + i * U_IMM, from + 4 * i, size);                                \
		EU_NEXT;                                                                           \
	}                                                                                          \
	HANDLER(scatter_##name##_M)                                                                \
	{                                                                                          \
		uint8_t *to = (uint8_t *)t + U_D;                                                  \
		const uint8_t *from = (const uint8_t *)t + U_A;                                    \
		const int32_t *lanes = (const int32_t *)(const void *)((const char *)t + U_M);     \
		for (uint32_t i = 0; i < U_C; i++)                                                 \
			if (lanes[i])                                                              \
				memcpy(to + i * U_IMM, from + 4 * i, size);                        \
		EU_NEXT;                                                                           \
	}
SCATTER(8, 1)
SCATTER(16, 2)
SCATTER(32, 4)

#define COPY(name, size)                                                                           \
	HANDLER(copy_##name##_F)                                                                   \
	{                                                                                          \
		memmove((char *)t + U_D, (const char *)t + U_A, size);                             \
		EU_NEXT;                                                                           \
	}                                                                                          \
	HANDLER(copy_##name##_M)                                                                   \
	{                                                                                          \
		if (lane_on(t, u, 0))                                                              \
			memmove((char *)t + U_D, (const char *)t + U_A, size);                     \
		EU_NEXT;                                                                           \
	}
COPY(8, 1)
COPY(16, 2)
COPY(32, 4)

/* Flag bits that are known: all true or all false for the channels that are on. */
#define KNOWN_FLAGS(M, LANES)                                                                      \
	HANDLER(known_flags_##M)                                                                   \
	{                                                                                          \
		uint64_t all = (UINT64_C(1) << U_A) - 1, lanes = (LANES), flags;                   \
		memcpy(&flags, t->flag, sizeof flags);                                             \
		flags &= ~(lanes << U_SHIFT);                                                      \
		flags |= EU_FLAG(U_B) ? lanes << U_SHIFT : 0;                                      \
		memcpy(t->flag, &flags, sizeof flags);                                             \
		EU_NEXT;                                                                           \
	}
static inline uint32_t known_lanes(const struct eu_thread *t, const struct eu_uop *u)
{
	uint32_t bits;
	memcpy(&bits, (const char *)t + U_C, sizeof bits);
	return bits >> U_IMM;
}
KNOWN_FLAGS(F, all)
KNOWN_FLAGS(M, known_lanes(t, u) & all)

HANDLER(uop_cr0)
{
	t->cr[0] = (t->cr[0] | U_IMM) ^ U_TARGET;
	uint32_t mode = eu_float_mode_of(t->cr[0]);
	if (mode != t->float_mode) {
		t->float_mode = mode;
		eu_float_mode_set(mode);
	}
	EU_NEXT;
}
