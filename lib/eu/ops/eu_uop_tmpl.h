// SPDX-License-Identifier: MIT
#ifndef EU_UOP_TMPL_H
#define EU_UOP_TMPL_H

#include <stddef.h>
#include <string.h>

#include "eu/ops/eu_uop.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

/*
 * How the bodies of micro-operations name their operands and what follows them. They are written
 * once against these macros, so that the same source can be built as a threaded interpreter, as an
 * interpreter with a loop, and as stencils that are copied and patched (eu_stencil.h).
 */
#ifdef EU_STENCIL

/*
 * Operands are the addresses of symbols that do not exist; what jumps to functions that do not
 * exist goes on elsewhere. EU_FLAG hides from the compiler that an address is never 0.
 */
#define FIELD(NAME, field) extern char eu_hole_##field[] __attribute__((visibility("hidden")));
#include "eu/ops/uop.def"
extern char eu_hole_self[] __attribute__((visibility("hidden")));
#define U_D	   ((size_t)eu_hole_d)
#define U_A	   ((size_t)eu_hole_a)
#define U_B	   ((size_t)eu_hole_b)
#define U_C	   ((size_t)eu_hole_c)
#define U_M	   ((size_t)eu_hole_m)
#define U_SHIFT	   ((unsigned)(size_t)eu_hole_shift)
#define U_IMM	   ((uint32_t)(size_t)eu_hole_imm)
#define U_TARGET   ((uint32_t)(size_t)eu_hole_target)
#define U_COUNT	   ((unsigned)(size_t)eu_hole_count)
#define U_SELF	   ((const struct eu_uop *)((const char *)t->uops + (size_t)eu_hole_self))
#define EU_FLAG(x) stencil_flag(x)

/*
 * The compiler takes it that symbols are different objects, so that it would move what is written
 * to one operand before what is read from another.
 */
#define EU_FENCE __asm__ volatile("" ::: "memory")

static inline size_t stencil_flag(size_t x)
{
	__asm__("" : "+r"(x));
	return x;
}

typedef const struct eu_uop *eu_stencil_next(struct eu_thread *t);
extern eu_stencil_next eu_go_next, eu_go_full, eu_go_partial, eu_go_past;

#define HANDLER(name)                                                                              \
	static const struct eu_uop *name(                                                          \
		struct eu_thread *t, __attribute__((unused)) const struct eu_uop *u)

#define EU_CONTINUE(next)                                                                          \
	do {                                                                                       \
		const struct eu_uop *next_uop = (next);                                            \
		return next_uop->run(t, next_uop);                                                 \
	} while (0)
#define EU_NEXT	     return eu_go_next(t)
#define EU_PAST	     return eu_go_past(t)
#define EU_GO_TARGET return t->act.bits == t->full ? eu_go_full(t) : eu_go_partial(t)

#else

#define U_D	   ((size_t)u->d)
#define U_A	   ((size_t)u->a)
#define U_B	   ((size_t)u->b)
#define U_C	   ((size_t)u->c)
#define U_M	   ((size_t)u->m)
#define U_SHIFT	   ((unsigned)u->shift)
#define U_IMM	   (u->imm)
#define U_TARGET   (u->target)
#define U_COUNT	   (u->count)
#define U_SELF	   (u)
#define EU_FENCE   (void)0
#define EU_FLAG(x) (x)

#define HANDLER(name) static const struct eu_uop *name(struct eu_thread *t, const struct eu_uop *u)

/*
 * A handler that jumps to its successor keeps the branch predictor's history for each micro-
 * operation. Where the compiler may not turn such a call into a jump, a loop in eu_run.c does it.
 */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&    \
	!defined(EU_NO_TAIL_CALLS)
#define EU_CONTINUE(next)                                                                          \
	do {                                                                                       \
		const struct eu_uop *next_uop = (next);                                            \
		return next_uop->run(t, next_uop);                                                 \
	} while (0)
#else
#define EU_CONTINUE(next) return (next)
#endif

#define EU_NEXT	     EU_CONTINUE(u + 1)

/* Goes on past as many micro-operations as `past` says. */
#define EU_PAST	     EU_CONTINUE(u + 1 + U_D)

/* Goes on at `target`. */
#define EU_GO_TARGET EU_GO(U_TARGET)

#endif

#define U_LABEL U_M
#define U_GROUP U_M

/* Goes on at index `index` of the stream that suits the channels that are on. */
#define EU_GO(index)                                                                               \
	EU_CONTINUE(t->uops + (index) + (t->act.bits == t->full ? 0 : (size_t)t->uop_count))

/* Ends the run; the next one goes on at `where`. */
#define EU_STOP(why, where)                                                                        \
	do {                                                                                       \
		t->status = (uint8_t)(why);                                                        \
		t->resume = (where);                                                               \
		EU_CALL_OUT;                                                                       \
		return NULL;                                                                       \
	} while (0)

/* Before code that was built without AVX, whose instructions may wait for wide registers. */
#ifdef __AVX2__
#define EU_CALL_OUT _mm256_zeroupper()
#else
#define EU_CALL_OUT (void)0
#endif

static inline void mask_set(struct eu_mask *mask, uint32_t bits)
{
	mask->bits = bits;
	for (unsigned i = 0; i < GEN_MAX_LANES; i++)
		mask->lanes[i] = -(int32_t)(bits >> i & 1);
}

/* Changes the channels that are on, all of which are among those of the kernel. */
static inline void act_set(struct eu_thread *t, uint32_t bits)
{
	if (t->full > 0xffff) {
		mask_set(&t->act, bits);
		return;
	}
	t->act.bits = bits;
	for (unsigned i = 0; i < GEN_MAX_LANES / 2; i++)
		t->act.lanes[i] = -(int32_t)(bits >> i & 1);
}

/* The channels that a micro-operation's predicate lets through. */
static inline uint32_t predicate_channels(const struct eu_thread *t, const struct eu_uop *u)
{
	uint32_t bits;
	memcpy(&bits, (const char *)t + U_B, sizeof bits);
	bits >>= U_SHIFT;
	if (EU_FLAG(U_GROUP) == EU_GROUP_ANY)
		bits = (bits & U_TARGET) != 0 ? UINT32_MAX : 0;
	else if (EU_FLAG(U_GROUP) == EU_GROUP_ALL)
		bits = (bits & U_TARGET) == U_TARGET ? UINT32_MAX : 0;
	else if ((EU_FLAG(U_C) & 0xff) != GEN_PRED_SEQUENTIAL)
		return eu_predicate_bits(t->flag,
			       (unsigned)((U_B - offsetof(struct eu_thread, flag)) / 2 +
					  U_SHIFT / 16),
			       EU_FLAG(U_C) & 0xff, EU_FLAG(U_C) >> 8) &
		       (EU_FLAG(U_A) ? t->act.bits : UINT32_MAX);
	if (EU_FLAG(U_C) >> 8)
		bits = ~bits;
	return EU_FLAG(U_A) ? bits & t->act.bits : bits;
}

#endif
