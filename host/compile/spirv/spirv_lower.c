// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_lower.h"

#include "compile/spirv/spirv_module.h"
#include "compile/spirv/spirv_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char builtin_sub_group_rotate_cl[];
extern const char builtin_bit_ops_cl[];
extern const char builtin_dot_product_cl[];

#define PREFIX "zerocl_lower_"

enum { MAX_ARGUMENTS = 4, OP_ROTATE = 4431 };

enum kind { ROTATE, REVERSE, INSERT, EXTRACT, SIGNED_EXTRACT, DOT };

static const struct op {
	uint16_t op;
	uint8_t kind, n; /* arguments at least */
	uint8_t first;	 /* of the arguments, after the result */
	char a, b;	 /* DOT: 's'igned or 'u'nsigned */
	bool is_sum;	 /* DOT: with an accumulator */
} ops[] = {
	{ OP_ROTATE, ROTATE, 2, 1, 0, 0, false },
	{ SpvOpBitReverse, REVERSE, 1, 0, 0, 0, false },
	{ SpvOpBitFieldInsert, INSERT, 4, 0, 0, 0, false },
	{ SpvOpBitFieldUExtract, EXTRACT, 3, 0, 0, 0, false },
	{ SpvOpBitFieldSExtract, SIGNED_EXTRACT, 3, 0, 0, 0, false },
	{ SpvOpSDotKHR, DOT, 2, 0, 's', 's', false },
	{ SpvOpUDotKHR, DOT, 2, 0, 'u', 'u', false },
	{ SpvOpSUDotKHR, DOT, 2, 0, 's', 'u', false },
	{ SpvOpSDotAccSatKHR, DOT, 3, 0, 's', 's', true },
	{ SpvOpUDotAccSatKHR, DOT, 3, 0, 'u', 'u', true },
	{ SpvOpSUDotAccSatKHR, DOT, 3, 0, 's', 'u', true },
};

/* A type that OpenCL C has: of `bits`, 1 for bool; n is 1 for a scalar. */
struct type {
	uint32_t id, bits, n;
	bool is_float;
};

/* A function: the instruction of these types. */
struct function {
	const struct op *op;
	uint32_t n;
	struct type result, arguments[MAX_ARGUMENTS];
};

struct lowering {
	struct spirv_module spirv;
	struct function *functions;
	size_t n_functions;
	struct spirv_words out;
	bool no_memory; /* for `functions` */
};

static const struct op *find_op(SpvOp op)
{
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (ops[i].op == op)
			return &ops[i];
	return NULL;
}

static bool read_type(const struct spirv_module *spirv, uint32_t id, struct type *type)
{
	struct spirv_inst inst;

	if (!spirv_definition(spirv, id, &inst))
		return false;
	if (inst.op == SpvOpTypeVector && inst.n == 3) {
		if (!read_type(spirv, inst.operands[1], type) || type->n != 1 || type->bits == 1)
			return false;
		type->id = id;
		type->n = inst.operands[2];
		return type->n == 2 || type->n == 3 || type->n == 4 || type->n == 8 ||
		       type->n == 16;
	}
	*type = (struct type){ .id = id, .bits = 1, .n = 1 };
	if (inst.op == SpvOpTypeBool)
		return true;
	type->bits = inst.n > 1 ? inst.operands[1] : 0;
	type->is_float = inst.op == SpvOpTypeFloat;
	return (inst.op == SpvOpTypeInt && type->bits == 8) ||
	       ((inst.op == SpvOpTypeInt || type->is_float) &&
		       (type->bits == 16 || type->bits == 32 || type->bits == 64));
}

static bool read_value(const struct spirv_module *spirv, uint32_t id, struct type *type)
{
	struct spirv_inst inst;

	return spirv_definition(spirv, id, &inst) && inst.n >= 2 && inst.operands[1] == id &&
	       read_type(spirv, inst.operands[0], type);
}

static bool is_integer(const struct type *type)
{
	return !type->is_float && type->bits >= 8;
}

/* Whether there is an OpenCL C for it. */
static bool is_known(const struct function *function)
{
	const struct type *arguments = function->arguments;
	bool four = (arguments[0].bits == 8 && arguments[0].n == 4) ||
		    (arguments[0].bits == 32 && arguments[0].n == 1);

	for (uint32_t i = function->op->kind == ROTATE; i < function->n; i++)
		if (!is_integer(&arguments[i]))
			return false;
	if (function->op->kind == ROTATE)
		return true;
	if (!is_integer(&function->result))
		return false;
	if (function->op->kind != DOT)
		return true;
	return four && arguments[1].id == arguments[0].id && function->result.n == 1;
}

/* What the instruction is a call of; false: it stays. */
static bool describe(
	const struct lowering *lowering, const struct spirv_inst *inst, struct function *function)
{
	const struct op *op = find_op(inst->op);

	if (!op || inst->n < 2u + op->first + op->n)
		return false;
	*function = (struct function){ .op = op, .n = op->n };
	/* the size of clusters */
	if (op->kind == ROTATE && inst->n > 2u + op->first + op->n)
		function->n++;
	if (!read_type(&lowering->spirv, inst->operands[0], &function->result))
		return false;
	for (uint32_t i = 0; i < function->n; i++)
		if (!read_value(&lowering->spirv, inst->operands[2 + op->first + i],
			    &function->arguments[i]))
			return false;
	return is_known(function);
}

static bool is_same(const struct function *a, const struct function *b)
{
	bool same = a->op == b->op && a->n == b->n && a->result.id == b->result.id;

	for (uint32_t i = 0; i < a->n && same; i++)
		same = a->arguments[i].id == b->arguments[i].id;
	return same;
}

/* The number of the function; a new one if it is not there. */
static size_t number_of(struct lowering *lowering, const struct function *function)
{
	size_t n = lowering->n_functions;

	for (size_t i = 0; i < n; i++)
		if (is_same(&lowering->functions[i], function))
			return i;
	struct function *grown = realloc(lowering->functions, (n + 1) * sizeof *grown);
	if (!grown) {
		lowering->no_memory = true;
		return 0;
	}
	lowering->functions = grown;
	grown[n] = *function;
	return lowering->n_functions++;
}

/* The id of a function; its type is the next one, its parameters follow. */
static uint32_t function_id(const struct lowering *lowering, size_t number)
{
	return lowering->spirv.bound + (uint32_t)number * (2 + MAX_ARGUMENTS);
}

/* The linker puts them where they belong. */
static void put_declaration(struct lowering *lowering, size_t number)
{
	const struct function *function = &lowering->functions[number];
	struct spirv_words *out = &lowering->out;
	uint32_t id = function_id(lowering, number),
		 words[16] = { id, SpvDecorationLinkageAttributes };
	char *name = (char *)(words + 2);

	snprintf(name, 40, PREFIX "%zu", number);
	uint32_t n = 2 + (uint32_t)strlen(name) / 4 + 1;
	words[n++] = SpvLinkageTypeImport;
	spirv_words_put_inst(out, SpvOpDecorate, words, n);
	words[0] = id + 1;
	words[1] = function->result.id;
	for (uint32_t i = 0; i < function->n; i++)
		words[2 + i] = function->arguments[i].id;
	spirv_words_put_inst(out, SpvOpTypeFunction, words, 2 + function->n);
	SPIRV_PUT(out, SpvOpFunction, function->result.id, id, SpvFunctionControlMaskNone, id + 1);
	for (uint32_t i = 0; i < function->n; i++)
		SPIRV_PUT(out, SpvOpFunctionParameter, function->arguments[i].id, id + 2 + i);
	spirv_words_put_inst(out, SpvOpFunctionEnd, NULL, 0);
}

static void put_module(struct lowering *lowering)
{
	const struct spirv_module *spirv = &lowering->spirv;
	struct spirv_inst inst;
	struct spirv_words *out = &lowering->out;
	struct function function;
	bool is_declared = false;

	spirv_words_put(out, spirv->words, SPIRV_START);
	SPIRV_PUT(out, SpvOpCapability, SpvCapabilityLinkage);
	for (uint32_t at = SPIRV_START; spirv_at(spirv, at, &inst); at = inst.next) {
		if (inst.op == SpvOpFunction && !is_declared) {
			is_declared = true;
			for (size_t i = 0; i < lowering->n_functions; i++)
				put_declaration(lowering, i);
		}
		if (!describe(lowering, &inst, &function)) {
			spirv_words_put(out, spirv->words + at, inst.next - at);
			continue;
		}
		uint32_t words[3 + MAX_ARGUMENTS] = { inst.operands[0], inst.operands[1],
			function_id(lowering, number_of(lowering, &function)) };
		memcpy(words + 3, inst.operands + 2 + function.op->first,
			function.n * sizeof *words);
		spirv_words_put_inst(out, SpvOpFunctionCall, words, 3 + function.n);
	}
	if (!out->is_broken)
		out->at[3] = function_id(lowering, lowering->n_functions);
}

static const char *name_of(const struct type *type, bool is_signed, char text[16])
{
	static const char *const integers[] = { "char", "short", "int", "long" };
	static const char *const floats[] = { "", "half", "float", "double" };
	unsigned size = type->bits == 1 ? 0 : (unsigned)__builtin_ctz(type->bits) - 3;
	char n[12] = "";

	if (type->n > 1)
		snprintf(n, sizeof n, "%u", type->n);
	if (type->bits == 1)
		snprintf(text, 16, "bool");
	else if (type->is_float)
		snprintf(text, 16, "%s%s", floats[size], n);
	else
		snprintf(text, 16, "%s%s%s", is_signed ? "" : "u", integers[size], n);
	return text;
}

static void write_rotate(FILE *out, const struct function *function, const char *type)
{
	static const char digits[] = "0123456789abcdef";
	const char *name = function->n > 2 ? "sub_group_clustered_rotate" : "sub_group_rotate";
	const char *size = function->n > 2 ? ", (uint)c" : "";
	uint32_t n = function->result.n;

	if (n == 1) {
		fprintf(out, "(%s)%s((%s)a, (uint)b%s)", type, name,
			function->result.bits == 1 ? "int" : type, size);
		return;
	}
	fprintf(out, "(%s)(", type);
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, "%s%s(a.s%c, (uint)b%s)", i ? ", " : "", name, digits[i], size);
	fputs(")", out);
}

static void write_dot(FILE *out, const struct function *function, const char *type)
{
	const struct op *op = function->op;
	bool is_signed = op->a == 's';
	const char *wide = is_signed ? "long" : "ulong";
	char name[16];

	name_of(&function->result, is_signed, name);
	fprintf(out, "as_%s(", type);
	if (!op->is_sum)
		fprintf(out, "(%s)", name);
	else if (function->result.bits == 64)
		fprintf(out, "add_sat(as_%s(c), (%s)", wide, wide);
	else
		fprintf(out, "convert_%s_sat((%s)as_%s(c) + (%s)", name, wide, name, wide);
	fprintf(out, "dot(as_%schar4(a), as_%schar4(b))%s)", op->a == 'u' ? "u" : "",
		op->b == 'u' ? "u" : "", op->is_sum ? ")" : "");
}

static void write_function(FILE *out, const struct function *function, size_t number)
{
	char result[16], text[16];

	name_of(&function->result, false, result);
	fprintf(out, "%s " PREFIX "%zu(", result, number);
	for (uint32_t i = 0; i < function->n; i++)
		fprintf(out, "%s%s %c", i ? ", " : "",
			name_of(&function->arguments[i], false, text), 'a' + (int)i);
	fputs(")\n{ return ", out);
	switch ((enum kind)function->op->kind) {
	case ROTATE:
		write_rotate(out, function, result);
		break;
	case REVERSE:
		fputs("bit_reverse(a)", out);
		break;
	case INSERT:
		fputs("bitfield_insert(a, b, (uint)c, (uint)d)", out);
		break;
	case EXTRACT:
		fputs("bitfield_extract_unsigned(a, (uint)b, (uint)c)", out);
		break;
	case SIGNED_EXTRACT:
		fprintf(out, "as_%s(bitfield_extract_signed(a, (uint)b, (uint)c))", result);
		break;
	case DOT:
		write_dot(out, function, result);
		break;
	}
	fputs("; }\n", out);
}

static bool has_kind(const struct lowering *lowering, enum kind from, enum kind to)
{
	for (size_t i = 0; i < lowering->n_functions; i++)
		if (lowering->functions[i].op->kind >= from &&
			lowering->functions[i].op->kind <= to)
			return true;
	return false;
}

static bool write_source(const struct lowering *lowering, struct spirv_lower *lower)
{
	FILE *out = open_memstream(&lower->source, &lower->source_size);

	if (!out)
		return false;
	fputs("#pragma OPENCL EXTENSION all : enable\n", out);
	if (has_kind(lowering, ROTATE, ROTATE))
		fputs(builtin_sub_group_rotate_cl, out);
	if (has_kind(lowering, REVERSE, SIGNED_EXTRACT))
		fputs(builtin_bit_ops_cl, out);
	if (has_kind(lowering, DOT, DOT))
		fputs(builtin_dot_product_cl, out);
	for (size_t i = 0; i < lowering->n_functions; i++)
		write_function(out, &lowering->functions[i], i);
	bool failed = ferror(out);
	return !fclose(out) && !failed;
}

enum compile_status spirv_lower(const void *spirv, size_t size, struct spirv_lower *lower)
{
	struct lowering lowering = { 0 };
	struct spirv_inst inst;
	struct function function;
	char why[200] = "";
	bool ok = true;

	*lower = (struct spirv_lower){ 0 };
	if (!spirv_module_open(spirv, size, &lowering.spirv, why, sizeof why))
		return *why ? COMPILE_ERROR : COMPILE_NO_MEMORY;
	for (uint32_t at = SPIRV_START; spirv_at(&lowering.spirv, at, &inst); at = inst.next)
		if (describe(&lowering, &inst, &function))
			(void)number_of(&lowering, &function);
	if (lowering.n_functions && !lowering.no_memory) {
		put_module(&lowering);
		ok = !lowering.out.is_broken && write_source(&lowering, lower);
		lower->spirv = lowering.out.at;
		lower->spirv_size = lowering.out.n * 4;
	}
	ok = ok && !lowering.no_memory;
	free(lowering.functions);
	spirv_module_finish(&lowering.spirv);
	return ok ? COMPILE_OK : COMPILE_NO_MEMORY;
}

void spirv_lower_finish(struct spirv_lower *lower)
{
	free(lower->spirv);
	free(lower->source);
	*lower = (struct spirv_lower){ 0 };
}

size_t spirv_lower_hide(void *spirv, size_t size)
{
	uint32_t *words = spirv;
	size_t n = size / 4, to = SPIRV_START;

	for (size_t at = SPIRV_START, length; at < n; at += length) {
		length = words[at] >> 16;
		if (!length || length > n - at)
			return size;
		if ((words[at] & 0xffff) == SpvOpDecorate && length > 6 &&
			words[at + 2] == SpvDecorationLinkageAttributes &&
			!strncmp((const char *)(words + at + 3), PREFIX, strlen(PREFIX)))
			continue;
		memmove(words + to, words + at, length * 4);
		to += length;
	}
	return to * 4;
}
