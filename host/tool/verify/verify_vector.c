// SPDX-License-Identifier: MIT
#include "tool/verify/verify_image.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/gen_inst.h"

/* Types of the operands of a form: of the destination, then of the sources. */
enum verify_shape {
	MOVE,	  /* from each type to each other */
	SAME,	  /* all of one type, whichever; what is computed of bytes is a word */
	UNSIGNED, /* all of one type */
	SIGNED,
	FLOATS,
	DWORDS,
	WORDS,
	WIDE,
	F,
	UD,
	DWORDS_8,     /* 8 channels at most */
	PRODUCT,      /* with a word as the last source */
	SIGNED_WORDS, /* words, and a dword with the product of words */
	CARRY,	      /* the carry goes to the accumulator */
	HIGH,	      /* the high half of a product, whose low half the accumulator has */
	SUM,	      /* added to the accumulator */
};

#define BIT(type) (UINT32_C(1) << GEN_TYPE_##type)
enum { INTS = 0x1fe, WHOLE_WORDS = 0x78 }; /* UB … Q, UW … D */

static const uint32_t shape_types[] = {
	[MOVE] = INTS | BIT(HF) | BIT(F) | BIT(DF),
	[SAME] = INTS | BIT(HF) | BIT(F) | BIT(DF),
	[UNSIGNED] = BIT(UW) | BIT(UD) | BIT(UQ),
	[SIGNED] = BIT(W) | BIT(D) | BIT(Q),
	[FLOATS] = BIT(HF) | BIT(F) | BIT(DF),
	[DWORDS] = BIT(UD) | BIT(D),
	[WORDS] = WHOLE_WORDS,
	[WIDE] = WHOLE_WORDS | BIT(HF),
	[F] = BIT(F),
	[UD] = BIT(UD),
	[DWORDS_8] = BIT(UD) | BIT(D),
	[PRODUCT] = WHOLE_WORDS,
	[SIGNED_WORDS] = BIT(W) | BIT(D),
	[CARRY] = BIT(UD),
	[HIGH] = BIT(UD) | BIT(D),
	[SUM] = BIT(F),
};

static const struct form {
	enum gen_op op;
	const char *function;
	unsigned sources;
	enum verify_shape shape;
	int first, last;
	const char *variants;
	uint16_t ulp;
} forms[] = {
#define FORM(op, function, sources, shape, first, last, variants, ulp)                             \
	{ GEN_OP_##op, function, sources, shape, GEN_##first, GEN_##last, variants, ulp },
#define NOT(op, why)
#include "tool/verify/verify_form.def"
#undef FORM
#undef NOT
};

#define FORM_COUNT (sizeof(forms) / sizeof(forms[0]))

/* One form as it is being written. */
struct writer {
	struct verify_vectors *vectors;
	const char *only;
	const struct form *form;
	struct verify_vector vector;
	bool is_right; /* memory lasts */
};

void verify_put(struct verify_vector *vector, const char *format, ...)
{
	size_t length = strlen(vector->text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(vector->text + length, sizeof(vector->text) - length, format, arguments);
	va_end(arguments);
}

bool verify_vectors_add(
	struct verify_vectors *vectors, const struct verify_vector *vector, const char *only)
{
	if (only && !strstr(vector->name, only) && !strstr(vector->text, only))
		return true;
	if (vectors->n % 256 == 0) {
		struct verify_vector *rows =
			reallocarray(vectors->rows, vectors->n + 256, sizeof *rows);
		if (!rows || vectors->n == VERIFY_MOST)
			return false;
		vectors->rows = rows;
	}
	vectors->rows[vectors->n++] = *vector;
	return true;
}

/* Whether operands of arithmetic may have a type, by the operation and by the family. */
static bool takes(const struct writer *w, uint8_t type)
{
	const struct gen_op_info *op = &gen_ops[w->form->op];
	uint8_t kind = gen_type_is_float(type)	  ? GEN_TAKES_F
		       : gen_type_size(type) == 8 ? GEN_TAKES_Q
						  : GEN_TAKES_I;

	for (unsigned i = 0; gen_device_row(i); i++)
		if (gen_device_row(i)->family->generation == w->vectors->generation)
			return op->types & kind && gen_device_row(i)->family->types >> type & 1;
	return false;
}

/* The region of a source: packed, or one element for all channels. */
static const char *region(const struct writer *w, unsigned source, bool is_scalar)
{
	if (w->form->sources < 3 || w->form->shape == SUM)
		return is_scalar ? "<0;1,0>" : "<1;1,0>";
	if (source == 2)
		return "<1>";
	return w->vectors->generation == GEN_9 ? "<2;1>" : "<8;1>";
}

/* A number of a type, as an immediate. */
static const char *immediate(uint8_t type)
{
	return type == GEN_TYPE_F ? "0x3FC00000" : type == GEN_TYPE_HF ? "0x3E00" : "0x5";
}

static const char *negation(const struct writer *w)
{
	return gen_ops[w->form->op].modifier == GEN_MODIFIER_INVERTS ? "~" : "-";
}

/* Writes the instruction itself in a variant, with a condition or "". */
static void put_instruction(struct writer *w, char variant, const char *condition)
{
	struct verify_vector *v = &w->vector;
	unsigned n = w->form->shape == SUM ? 2 : w->form->sources;
	unsigned flags = gen_ops[w->form->op].flags;
	bool is_predicated = variant == 'p' || variant == 'g' ||
			     (flags & GEN_DOES_SELECTS && !condition[0] && n == 2);

	v->first = variant == 'g' ? 8 : 0;
	v->lanes = variant == 'z' ? 1 : variant == 'g' ? 8 : v->lanes;
	verify_put(&w->vector, "%s%s (%u|M%u) ", is_predicated ? "(f0.0) " : "", v->name, v->lanes,
		v->first);
	if (condition[0])
		verify_put(&w->vector, "(%s)f0.0 ", condition);
	/* What a comparison leaves is a mask, in a destination of the sources' type. */
	verify_put(&w->vector, "%sr40.0<%u>:%s", variant == 's' ? "(sat)" : "", v->stride,
		gen_type_name(flags & GEN_DOES_COMPARES && gen_type_is_float(v->types[0])
				      ? v->types[0]
				      : v->type));
	for (unsigned s = 0; s < n; s++) {
		bool is_scalar = variant == 'z' || (variant == 'b' && s == 0);
		if (variant == 'i' && s == 1)
			verify_put(&w->vector, " %s:%s", immediate(v->types[s]),
				gen_type_name(v->types[s]));
		else
			verify_put(&w->vector, " %s%sr%u.0%s:%s",
				variant == 'n' && s == 0 ? negation(w) : "",
				variant == 'a' && s + 1 == n ? "(abs)" : "", 20 + 2 * s,
				region(w, s, is_scalar), gen_type_name(v->types[s]));
	}
}

/* What stands around the instruction. */
static void write_form(struct writer *w, char variant, const char *condition)
{
	struct verify_vector before = w->vector, *v = &w->vector;
	const char *type = gen_type_name(v->type);

	v->text[0] = 0;
	if (w->form->shape == HIGH)
		verify_put(&w->vector, "mul (8|M0) acc0.0<1>:%s r20.0<1;1,0>:%s r22.0<2;1,0>:uw\n",
			type, type);
	if (w->form->shape == SUM)
		verify_put(&w->vector, "mov (8|M0) acc0.0<1>:f r24.0<1;1,0>:f\n");
	put_instruction(w, variant, condition);
	if (w->form->shape == HIGH || w->form->shape == CARRY)
		verify_put(&w->vector, " {AccWrEn}");
	if (w->form->shape == CARRY)
		verify_put(&w->vector, "\nmov (8|M0) r41.0<1>:ud acc0.0<1;1,0>:ud");
	w->is_right = w->is_right && verify_vectors_add(w->vectors, v, w->only);
	*v = before;
}

/* Whether a variant means something for these types. */
static bool has_variant(const struct writer *w, char variant)
{
	uint8_t type = w->vector.types[0], last = w->vector.types[w->form->sources > 1];
	bool inverts = gen_ops[w->form->op].modifier == GEN_MODIFIER_INVERTS;

	switch (variant) {
	case 'n':
		return inverts || gen_type_is_signed(type) || gen_type_is_float(type);
	case 'a':
		return gen_type_is_signed(last) || gen_type_is_float(last);
	case 'i':
		return gen_type_size(last) == 2 || gen_type_size(last) == 4;
	case 'g':
		return w->vector.lanes == 16;
	}
	return true;
}

static void write_variants(struct writer *w)
{
	static const char *const conditions[] = { "eq", "lt", "ne", "gt", "ge", "le" };
	unsigned flags = gen_ops[w->form->op].flags;
	bool compares = flags & GEN_DOES_COMPARES, needs = compares || (flags & GEN_DOES_SELECTS);

	if (!needs || w->form->op == GEN_OP_sel)
		write_form(w, ' ', "");
	for (const char *v = w->form->variants; *v; v++) {
		unsigned n = *v == 'c' ? 2 : *v == 'q' ? 6 : 0;
		for (unsigned i = 0; i < n; i++)
			write_form(w, ' ', conditions[i]);
		if (*v == 'm')
			write_form(w, ' ', "ge"), write_form(w, ' ', "lt");
		else if (!n && has_variant(w, *v))
			write_form(w, *v, needs && w->form->op != GEN_OP_sel ? "lt" : "");
	}
}

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* Writes the variants of a form with these types of destination and sources. */
static void write_types(struct writer *w, uint8_t dst, uint8_t s0, uint8_t s1, uint8_t s2)
{
	const uint8_t types[] = { s0, s1, s2 };
	unsigned wide = 2, eight = 0;

	memset(&w->vector, 0, sizeof w->vector);
	snprintf(w->vector.name, sizeof w->vector.name, "%s%s%s", gen_ops[w->form->op].name,
		w->form->function[0] ? "." : "", w->form->function);
	for (unsigned s = 0; s < w->form->sources + (w->form->shape == SUM); s++) {
		w->vector.types[s] = types[s];
		wide = larger(wide, gen_type_size(types[s]));
	}
	eight = w->form->shape == DWORDS_8 || w->form->shape >= CARRY;
	w->vector.type = dst;
	w->vector.stride = (uint8_t)larger(1, wide / gen_type_size(dst));
	w->vector.lanes = larger(wide, gen_type_size(dst)) == 8 || eight ? 8 : 16;
	w->vector.ulp = w->form->ulp;
	w->vector.out_of_order = w->form->op == GEN_OP_math;
	write_variants(w);
}

/* PRM, "Register region restrictions": neither bytes nor halfs become 64 bits at once, or back. */
static bool converts(uint8_t a, uint8_t b)
{
	unsigned size = gen_type_size(a) < gen_type_size(b) ? a : b;
	bool is_far = gen_type_size(a) == 8 || gen_type_size(b) == 8;

	return a != b &&
	       !(is_far && (gen_type_size((enum gen_type)size) == 1 || size == GEN_TYPE_HF));
}

/* The integer that a comparison of such sources leaves in each channel. */
static uint8_t truth(uint8_t type)
{
	unsigned size = gen_type_size(type);

	return size == 8 ? GEN_TYPE_UQ : size == 4 ? GEN_TYPE_UD : GEN_TYPE_UW;
}

static void write_type(struct writer *w, uint8_t t)
{
	uint8_t word = gen_type_is_signed(t) ? GEN_TYPE_W : GEN_TYPE_UW;
	uint8_t dword = gen_type_is_signed(t) ? GEN_TYPE_D : GEN_TYPE_UD;

	switch (w->form->shape) {
	case MOVE:
		for (uint8_t to = GEN_TYPE_UB; to <= GEN_TYPE_DF; to++)
			if (converts(t, to) && takes(w, to))
				write_types(w, to, t, 0, 0);
		return;
	case PRODUCT:
		write_types(w, dword, t, word, 0);
		return;
	case SIGNED_WORDS:
		write_types(w, t, t, GEN_TYPE_W, GEN_TYPE_W);
		return;
	default:
		if (w->form->op == GEN_OP_fbh)
			write_types(w, GEN_TYPE_UD, t, t, t);
		else if (gen_ops[w->form->op].flags & GEN_DOES_COMPARES)
			write_types(w, truth(t), t, t, t);
		else
			write_types(w,
				gen_type_size(t) == 1 && w->form->op != GEN_OP_mov ? word : t, t, t,
				t);
	}
}

bool verify_vectors_make(
	struct verify_vectors *vectors, enum gen_generation generation, const char *only)
{
	struct writer w = { .vectors = vectors, .only = only, .is_right = true };

	*vectors = (struct verify_vectors){ .generation = generation };
	for (w.form = forms; w.form < forms + FORM_COUNT; w.form++)
		for (uint8_t t = GEN_TYPE_UB; t <= GEN_TYPE_DF; t++)
			if ((int)generation >= w.form->first && (int)generation <= w.form->last &&
				shape_types[w.form->shape] >> t & 1 && takes(&w, t))
				write_type(&w, t);
	return w.is_right && verify_messages_add(vectors, only) &&
	       verify_sequences_add(vectors, only) && verify_images_add(vectors, only);
}

void verify_vectors_finish(struct verify_vectors *vectors)
{
	free(vectors->rows);
	*vectors = (struct verify_vectors){ 0 };
}
