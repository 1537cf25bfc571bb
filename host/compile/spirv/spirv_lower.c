// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_lower.h"

#include "compile/spirv/spirv_builder.h"

#include <spirv/unified1/OpenCL.std.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char builtin_sub_group_rotate_cl[];
extern const char builtin_bit_ops_cl[];
extern const char builtin_dot_product_cl[];
extern const char builtin_kernel_clock_cl[];
extern const char builtin_bfloat16_cl[];

#define PREFIX "zerocl_lower_"

enum { MAX_ARGUMENTS = 4, OP_ROTATE = 4431, OP_TO_BF16 = 6116, OP_FROM_BF16 = 6117 };

enum kind {
	ROTATE,
	REVERSE,
	INSERT,
	EXTRACT,
	SIGNED_EXTRACT,
	DOT,
	POW,
	POWN,
	POWR,
	CLOCK,
	TO_BF16,
	FROM_BF16
};

static const struct op {
	uint16_t op;
	uint16_t function; /* of SpvOpExtInst: of OpenCL.std */
	uint8_t kind, n;   /* arguments at least */
	uint8_t first;	   /* of the arguments, after the result */
	char a, b;	   /* DOT: 's'igned or 'u'nsigned */
	bool is_sum;	   /* DOT: with an accumulator */
} ops[] = {
	{ OP_ROTATE, 0, ROTATE, 2, 1, 0, 0, false },
	{ SpvOpBitReverse, 0, REVERSE, 1, 0, 0, 0, false },
	{ SpvOpBitFieldInsert, 0, INSERT, 4, 0, 0, 0, false },
	{ SpvOpBitFieldUExtract, 0, EXTRACT, 3, 0, 0, 0, false },
	{ SpvOpBitFieldSExtract, 0, SIGNED_EXTRACT, 3, 0, 0, 0, false },
	{ SpvOpSDotKHR, 0, DOT, 2, 0, 's', 's', false },
	{ SpvOpUDotKHR, 0, DOT, 2, 0, 'u', 'u', false },
	{ SpvOpSUDotKHR, 0, DOT, 2, 0, 's', 'u', false },
	{ SpvOpSDotAccSatKHR, 0, DOT, 3, 0, 's', 's', true },
	{ SpvOpUDotAccSatKHR, 0, DOT, 3, 0, 'u', 'u', true },
	{ SpvOpSUDotAccSatKHR, 0, DOT, 3, 0, 's', 'u', true },
	{ SpvOpExtInst, OpenCLstd_Pow, POW, 2, 2, 0, 0, false },
	{ SpvOpExtInst, OpenCLstd_Pown, POWN, 2, 2, 0, 0, false },
	{ SpvOpExtInst, OpenCLstd_Powr, POWR, 2, 2, 0, 0, false },
	{ SpvOpExtInst, OpenCLstd_Half_powr, POWR, 2, 2, 0, 0, false },
	{ SpvOpExtInst, OpenCLstd_Native_powr, POWR, 2, 2, 0, 0, false },
	{ SpvOpReadClockKHR, 0, CLOCK, 0, 1, 0, 0, false },
	{ OP_TO_BF16, 0, TO_BF16, 1, 0, 0, 0, false },
	{ OP_FROM_BF16, 0, FROM_BF16, 1, 0, 0, 0, false },
};

/* Of any a and b, as precise as the compiler's own when it may be fast. */
static const char power[] =
	"#define POWER(a, b) native_exp2((b) * native_log2(fabs(a)))\n"
	"#define SIGNED_POWER(a, b, odd) select(POWER(a, b), copysign(POWER(a, b), a), odd)\n"
	"#define IS_ODD(b) ((trunc(b) == (b)) & (trunc((b) * 0.5f) != (b) * 0.5f))\n";

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
	struct spirv_module *module;
	struct function *functions;
	size_t n_functions;
	uint32_t set;	/* id of OpenCL.std, if its pow is to be replaced */
	bool no_memory; /* for `functions` */
};

static const struct op *find_op(const struct lowering *lowering, const struct spirv_inst *inst)
{
	const bool is_function = inst->op == SpvOpExtInst;

	if (is_function && (!lowering->set || inst->n < 4 || inst->operands[2] != lowering->set))
		return NULL;
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (ops[i].op == inst->op && (!is_function || ops[i].function == inst->operands[3]))
			return &ops[i];
	return NULL;
}

static bool read_type(const struct spirv_module *module, uint32_t id, struct type *type)
{
	struct spirv_inst inst;

	if (!spirv_definition(module, id, &inst))
		return false;
	if (inst.op == SpvOpTypeVector && inst.n == 3) {
		if (!read_type(module, inst.operands[1], type) || type->n != 1 || type->bits == 1)
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

static bool read_value(const struct spirv_module *module, uint32_t id, struct type *type)
{
	struct spirv_inst inst;

	return spirv_definition(module, id, &inst) && inst.n >= 2 && inst.operands[1] == id &&
	       read_type(module, inst.operands[0], type);
}

static bool is_integer(const struct type *type)
{
	return !type->is_float && type->bits >= 8;
}

/* The same of what computes with values of the types of its result. */
static bool is_known_arithmetic(const struct function *function)
{
	const struct type *arguments = function->arguments;
	bool four = (arguments[0].bits == 8 && arguments[0].n == 4) ||
		    (arguments[0].bits == 32 && arguments[0].n == 1);

	if (function->op->kind >= POW)
		return arguments[0].is_float && arguments[0].bits <= 32 &&
		       function->result.id == arguments[0].id && arguments[1].n == arguments[0].n &&
		       arguments[1].is_float == (function->op->kind != POWN);
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

static bool is_float(const struct type *type)
{
	return type->is_float && type->bits == 32;
}

static bool is_short(const struct type *type)
{
	return is_integer(type) && type->bits == 16;
}

/* Whether there is an OpenCL C for it. */
static bool is_known(const struct function *function)
{
	const struct type *result = &function->result, *argument = function->arguments;

	switch ((enum kind)function->op->kind) {
	case CLOCK:
		return is_integer(result) && result->bits * result->n == 64 && result->n < 3;
	case TO_BF16:
		return is_short(result) && is_float(argument) && result->n == argument->n;
	case FROM_BF16:
		return is_float(result) && is_short(argument) && result->n == argument->n;
	default:
		return is_known_arithmetic(function);
	}
}

/* What the instruction is a call of; false: it stays. */
static bool describe(
	const struct lowering *lowering, const struct spirv_inst *inst, struct function *function)
{
	const struct op *op = find_op(lowering, inst);
	uint64_t scope;

	if (!op || inst->n < 2u + op->first + op->n)
		return false;
	/* of a sub-group is the clock that is reported */
	if (op->kind == CLOCK && (!spirv_constant(lowering->module, inst->operands[2], &scope) ||
					 scope != SpvScopeSubgroup))
		return false;
	*function = (struct function){ .op = op, .n = op->n };
	/* the size of clusters */
	if (op->kind == ROTATE && inst->n > 2u + op->first + op->n)
		function->n++;
	if (!read_type(lowering->module, inst->operands[0], &function->result))
		return false;
	for (uint32_t i = 0; i < function->n; i++)
		if (!read_value(lowering->module, inst->operands[2 + op->first + i],
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
	return lowering->module->bound + (uint32_t)number * (2 + MAX_ARGUMENTS);
}

/* The linker puts them where they belong. */
static void put_declaration(
	const struct lowering *lowering, size_t number, struct spirv_words *globals)
{
	const struct function *function = &lowering->functions[number];
	uint32_t id = function_id(lowering, number),
		 words[16] = { id, SpvDecorationLinkageAttributes };
	char *name = (char *)(words + 2);

	snprintf(name, 40, PREFIX "%zu", number);
	uint32_t n = 2 + (uint32_t)strlen(name) / 4 + 1;
	words[n++] = SpvLinkageTypeImport;
	spirv_put(globals, SpvOpDecorate, words, n);
	words[0] = id + 1;
	words[1] = function->result.id;
	for (uint32_t i = 0; i < function->n; i++)
		words[2 + i] = function->arguments[i].id;
	spirv_put(globals, SpvOpTypeFunction, words, 2 + function->n);
	SPIRV_PUT(globals, SpvOpFunction, function->result.id, id, SpvFunctionControlMaskNone,
		id + 1);
	for (uint32_t i = 0; i < function->n; i++)
		SPIRV_PUT(globals, SpvOpFunctionParameter, function->arguments[i].id, id + 2 + i);
	spirv_put(globals, SpvOpFunctionEnd, NULL, 0);
}

/* What declares the conversions of bfloat16, which no older tool knows. */
static bool is_bf16(const struct spirv_inst *inst)
{
	return (inst->op == SpvOpCapability && inst->n == 1 && inst->operands[0] == 6115) ||
	       (inst->op == SpvOpExtension &&
		       !strncmp((const char *)inst->operands, "SPV_INTEL_bfloat16_conversion",
			       inst->n * sizeof(uint32_t)));
}

static enum compile_status put_calls(struct lowering *lowering)
{
	struct spirv_module *module = lowering->module;
	struct spirv_builder builder;
	struct spirv_inst inst;
	struct function function;
	size_t globals_at = 0;

	spirv_builder_init(&builder, module);
	SPIRV_PUT(&builder.out, SpvOpCapability, SpvCapabilityLinkage);
	for (size_t i = 0; i < lowering->n_functions; i++)
		put_declaration(lowering, i, &builder.globals);
	SPIRV_EACH(module, SPIRV_START, module->n_words, inst) {
		if (inst.op == SpvOpFunction && !globals_at)
			globals_at = builder.out.n;
		if (is_bf16(&inst))
			continue;
		if (!describe(lowering, &inst, &function)) {
			spirv_builder_copy(&builder, &inst);
			continue;
		}
		uint32_t words[3 + MAX_ARGUMENTS] = { inst.operands[0], inst.operands[1],
			function_id(lowering, number_of(lowering, &function)) };
		memcpy(words + 3, inst.operands + 2 + function.op->first,
			function.n * sizeof(*words));
		spirv_put(&builder.out, SpvOpFunctionCall, words, 3 + function.n);
	}
	builder.bound = function_id(lowering, lowering->n_functions);
	return spirv_builder_finish(&builder, globals_at ? globals_at : builder.out.n);
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

/* Halves are computed as floats; integers come unsigned. */
static void write_power(FILE *out, const struct function *function, const char *type)
{
	const enum kind kind = function->op->kind;
	struct type wide = function->result;
	char name[16], b[32];

	wide.bits = 32;
	name_of(&wide, true, name);
	snprintf(b, sizeof b, kind == POWN ? "as_int%s(b)" : "b", name + strlen("float"));
	fprintf(out, "convert_%s(%s(convert_%s(a), convert_%s(%s)", type,
		kind == POWR ? "POWER" : "SIGNED_POWER", name, name, b);
	if (kind == POW)
		fprintf(out, ", IS_ODD(convert_%s(b))", name);
	if (kind == POWN)
		fprintf(out, ", -(%s & 1)", b);
	fputs("))", out);
}

static void write_bf16(FILE *out, const struct function *function)
{
	char n[12] = "";

	if (function->result.n > 1)
		snprintf(n, sizeof n, "%u", function->result.n);
	if (function->op->kind == TO_BF16)
		fprintf(out, "intel_convert_bfloat16%s_as_ushort%s(a)", n, n);
	else
		fprintf(out, "intel_convert_as_bfloat16%s_float%s(a)", n, n);
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
	case POW:
	case POWN:
	case POWR:
		write_power(out, function, result);
		break;
	case CLOCK:
		fprintf(out, "as_%s(clock_read_sub_group())", result);
		break;
	case TO_BF16:
	case FROM_BF16:
		write_bf16(out, function);
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

static char *write_source(const struct lowering *lowering)
{
	char *source = NULL;
	size_t size;
	FILE *out = open_memstream(&source, &size);

	if (!out)
		return NULL;
	fputs("#pragma OPENCL EXTENSION all : enable\n", out);
	if (has_kind(lowering, ROTATE, ROTATE))
		fputs(builtin_sub_group_rotate_cl, out);
	if (has_kind(lowering, REVERSE, SIGNED_EXTRACT))
		fputs(builtin_bit_ops_cl, out);
	if (has_kind(lowering, DOT, DOT))
		fputs(builtin_dot_product_cl, out);
	if (has_kind(lowering, POW, POWR))
		fputs(power, out);
	if (has_kind(lowering, CLOCK, CLOCK))
		fputs(builtin_kernel_clock_cl, out);
	if (has_kind(lowering, TO_BF16, FROM_BF16))
		fputs(builtin_bfloat16_cl, out);
	for (size_t i = 0; i < lowering->n_functions; i++)
		write_function(out, &lowering->functions[i], i);
	bool failed = ferror(out);
	if (!fclose(out) && !failed)
		return source;
	free(source);
	return NULL;
}

/* The id of the instruction set OpenCL.std; 0 if the module does not have it. */
static uint32_t find_set(const struct spirv_module *module)
{
	struct spirv_inst inst;

	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		if (inst.op == SpvOpExtInstImport &&
			!strncmp(spirv_text(module, inst.at + 2), "OpenCL.std",
				(inst.n - 1) * sizeof(uint32_t)))
			return inst.operands[0];
	return 0;
}

enum compile_status spirv_lower(struct spirv_module *module, bool is_fast, char **source)
{
	struct lowering lowering = { .module = module, .set = is_fast ? find_set(module) : 0 };
	enum compile_status status = COMPILE_OK;
	struct spirv_inst inst;
	struct function function;

	*source = NULL;
	SPIRV_EACH(module, spirv_functions_at(module), module->n_words, inst)
		if (describe(&lowering, &inst, &function))
			(void)number_of(&lowering, &function);
	if (lowering.n_functions && !lowering.no_memory) {
		*source = write_source(&lowering);
		status = *source ? put_calls(&lowering) : COMPILE_NO_MEMORY;
	}
	if (lowering.no_memory)
		status = COMPILE_NO_MEMORY;
	if (status != COMPILE_OK) {
		free(*source);
		*source = NULL;
	}
	free(lowering.functions);
	return status;
}

/* A variable that is built in, and the one that is to be used instead; 0: itself. */
struct builtin_variable {
	uint32_t id, builtin, instead;
};

enum { MAX_BUILTINS = 64 };

/* Finds the variables that are built in. Both modules may have had one for the same. */
static size_t find_builtins(
	const struct spirv_module *module, struct builtin_variable found[MAX_BUILTINS])
{
	struct spirv_inst inst;
	size_t n = 0;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst) {
		if (inst.op == SpvOpFunction || n == MAX_BUILTINS)
			break;
		if (inst.op != SpvOpDecorate || inst.n != 3 ||
			inst.operands[1] != SpvDecorationBuiltIn)
			continue;
		found[n] = (struct builtin_variable){ inst.operands[0], inst.operands[2], 0 };
		for (size_t i = 0; i < n && !found[n].instead; i++)
			if (found[i].builtin == found[n].builtin && !found[i].instead &&
				spirv_type_of(module, found[i].id) ==
					spirv_type_of(module, found[n].id))
				found[n].instead = found[i].id;
		n++;
	}
	return n;
}

/* What is used instead of the id; 0: itself. */
static uint32_t instead_of(const struct builtin_variable *builtins, size_t n, uint32_t id)
{
	for (size_t i = 0; i < n; i++)
		if (builtins[i].id == id)
			return builtins[i].instead;
	return 0;
}

/* Uses the one variable in place of the others. False: the instruction is of another, and goes. */
static bool merge_builtins(struct spirv_module *module, const struct builtin_variable *builtins,
	size_t n, const struct spirv_inst *inst)
{
	uint32_t *operands = module->words + inst->at + 1, id;

	switch (inst->op) {
	case SpvOpName:
	case SpvOpDecorate:
		return !inst->n || !instead_of(builtins, n, operands[0]);
	case SpvOpVariable:
		return inst->n < 2 || !instead_of(builtins, n, operands[1]);
	case SpvOpLoad:
	case SpvOpAccessChain:
	case SpvOpInBoundsAccessChain:
		if (inst->n > 2 && (id = instead_of(builtins, n, operands[2])))
			operands[2] = id;
		return true;
	default:
		return true;
	}
}

void spirv_lower_hide(struct spirv_module *module)
{
	struct builtin_variable builtins[MAX_BUILTINS];
	const size_t n = find_builtins(module, builtins);
	struct spirv_inst inst;
	uint32_t to = SPIRV_START;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst) {
		const uint32_t length = inst.next - inst.at;

		if (!merge_builtins(module, builtins, n, &inst))
			continue;
		if (inst.op == SpvOpDecorate && inst.n > 5 &&
			inst.operands[1] == SpvDecorationLinkageAttributes &&
			!strncmp((const char *)(inst.operands + 2), PREFIX, strlen(PREFIX)))
			continue;
		memmove(module->words + to, module->words + inst.at, length * sizeof(uint32_t));
		to += length;
	}
	module->n_words = to;
}
