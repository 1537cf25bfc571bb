// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_lower.h"

#include "compile/spirv/spirv_builder.h"
#include "util/util_file.h"

#include <spirv/unified1/OpenCL.std.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char builtin_sub_group_rotate_cl[];
extern const char builtin_bit_ops_cl[];
extern const char builtin_dot_product_cl[];
extern const char builtin_kernel_clock_cl[];
extern const char builtin_bfloat16_cl[];
extern const char builtin_lower_cl[];

extern const char builtin_double_math_cl[];
extern const char builtin_double_core_cl[];

enum { MAX_ARGUMENTS = 4, MAX_EXTRA = 3 };
enum { OP_ROTATE = 4431, OP_TO_BF16 = 6116, OP_FROM_BF16 = 6117 };

/* What else there is to an instruction. */
enum form {
	PLAIN,
	STORED,	 /* a second result: stored where the operand behind the arguments points */
	ROUNDED, /* a conversion, with a mode and perhaps limits */
	GROUP,	 /* of a group: a scope and an operation stand before the argument */
	REDUCE,	 /* the same, of a work-group, and no scan */
	OPERAND	 /* it stays, with the result in the place of its first argument */
};

/* Instructions; of those of an op, the first one that fits counts. */
static const struct op {
	uint16_t op;
	uint16_t function;   /* of SpvOpExtInst: of OpenCL.std */
	uint8_t when;	     /* enum spirv_lower_what */
	uint8_t form;	     /* enum form */
	uint8_t first;	     /* of the arguments, after the result */
	const char *types;   /* of the result and the arguments: see fits */
	const char *name;    /* LOWER_<name> of kernels/builtin/lower.cl; in small letters:
				double_<name> of `builtin`, for each component */
	const char *builtin; /* what that is made of; NULL: nothing of ours */
} ops[] = {
#define LOWER(op, form, first, types, name, builtin)                                               \
	{ SpvOp##op, 0, SPIRV_LOWER_LACKING, form, first, types, name, builtin },
#define LOWER_NUMBER(op, first, types, name, builtin)                                              \
	{ op, 0, SPIRV_LOWER_LACKING, PLAIN, first, types, name, builtin },
#define LOWER_FUNCTION(function, when, types, name)                                                \
	{ SpvOpExtInst, OpenCLstd_##function, when, PLAIN, 2, types, name, NULL },
#define LOWER_DOUBLE(function, form, types, name)                                                  \
	{ SpvOpExtInst, OpenCLstd_##function, SPIRV_LOWER_LACKING | SPIRV_LOWER_DOUBLE_MATH, form, \
		2, types, name, builtin_double_math_cl },
#define LOWER_MATH(function, form, types, name)                                                    \
	{ SpvOpExtInst, OpenCLstd_##function, SPIRV_LOWER_DOUBLE_MATH, form, 2, types, name,       \
		builtin_double_math_cl },
#define LOWER_GROUP(op, name)                                                                      \
	{ SpvOp##op, 0, SPIRV_LOWER_DOUBLE_MATH, GROUP, 2, "dd", name, builtin_double_math_cl },
#define LOWER_REDUCTION(op, name)                                                                  \
	{ SpvOp##op, 0, SPIRV_LOWER_LACKING, REDUCE, 2, "gg", name, NULL },
#define LOWER_CORE(op, form, types, name)                                                          \
	{ SpvOp##op, 0, SPIRV_LOWER_DOUBLE_CORE, form, 0, types, name, builtin_double_core_cl },
#define LOWER_CORE_FUNCTION(function, form, types, name)                                           \
	{ SpvOpExtInst, OpenCLstd_##function, SPIRV_LOWER_DOUBLE_CORE, form, 2, types, name,       \
		builtin_double_core_cl },
#include "compile/spirv/spirv_lower.def"
};

enum { N_OPS = sizeof ops / sizeof *ops };

/* A type that OpenCL C has: of `bits`, 1 for bool; n is 1 for a scalar. */
struct type {
	uint32_t id, bits, n;
	bool is_float;
};

/* A function: the instruction of these types. */
struct function {
	const struct op *op;
	uint32_t n, n_extra;
	struct type result, arguments[MAX_ARGUMENTS];
	uint32_t extra[MAX_EXTRA]; /* numbers that its instruction has, behind the arguments */
	uint32_t id, returns;	   /* the type that it is declared with */
};

struct lowering {
	struct spirv_module *module;
	struct spirv_builder builder;
	struct function *functions;
	size_t n_functions;
	unsigned what;	/* of enum spirv_lower_what */
	uint8_t *modes; /* of ids that are rounded: see MODE_GIVEN; NULL if none is */
};

/* Of an element of `modes`: a mode of rounding is given, in the lower bits; the result has limits.
 */
enum { MODE_GIVEN = 4, MODE_LIMITED = 8 };

static bool read_type(const struct spirv_module *module, uint32_t id, struct type *type)
{
	struct spirv_inst inst;

	if (!spirv_definition(module, id, &inst))
		return false;
	if (inst.op == SpvOpTypeVector && inst.n == 3) {
		if (!read_type(module, inst.operands[1], type) || type->n != 1)
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

/* Whether a type is of the kind that a letter of struct op stands for. */
static bool fits(char kind, const struct type *type)
{
	switch (kind) {
	case '1': /* an integer */
		return is_integer(type) && type->n == 1;
	case 'B': /* truth values */
		return type->bits == 1;
	case 'b': /* four bytes */
		return is_integer(type) && type->bits * type->n == 32 && type->n != 2;
	case 'c': /* what a clock gives */
		return is_integer(type) && type->bits * type->n == 64 && type->n < 3;
	case 'd': /* doubles */
		return type->is_float && type->bits == 64;
	case 'f': /* floats */
		return type->is_float && type->bits == 32;
	case 'i': /* integers */
		return is_integer(type);
	case 'g': /* what groups reduce */
		return type->n == 1 && type->bits >= (type->is_float ? 16 : 32);
	case 'h': /* halves */
		return type->is_float && type->bits == 16;
	case 'l': /* longs */
		return is_integer(type) && type->bits == 64;
	case 'p': /* floats or halves */
		return type->is_float && type->bits <= 32;
	case 's': /* shorts */
		return is_integer(type) && type->bits == 16;
	case 'v': /* nothing */
		return true;
	default: /* anything */
		return type->bits > 1 || type->n == 1;
	}
}

/* What the instruction has in front of its arguments, or behind them; false: it is another one. */
static bool read_extra(
	const struct lowering *lowering, const struct spirv_inst *inst, struct function *function)
{
	const struct spirv_module *module = lowering->module;
	const uint32_t after = 2u + function->op->first + function->n;
	uint64_t scope, cluster = 0;
	uint8_t mode;

	switch ((enum form)function->op->form) {
	case GROUP:
		if (!spirv_constant(module, inst->operands[2], &scope) ||
			(inst->n > after &&
				!spirv_constant(module, inst->operands[after], &cluster)))
			return false;
		function->extra[function->n_extra++] = scope == SpvScopeWorkgroup;
		function->extra[function->n_extra++] = inst->operands[3];
		function->extra[function->n_extra++] = (uint32_t)cluster;
		return true;
	case REDUCE:
		return spirv_constant(module, inst->operands[2], &scope) &&
		       scope == SpvScopeWorkgroup && inst->operands[3] == SpvGroupOperationReduce;
	case ROUNDED:
		mode = lowering->modes ? lowering->modes[inst->operands[1]] : 0;
		if (!(mode & MODE_GIVEN))
			mode |= inst->op == SpvOpConvertFToS || inst->op == SpvOpConvertFToU;
		function->extra[function->n_extra++] = mode & 3;
		if (is_integer(&function->result) && function->op->types[0] != 'l')
			function->extra[function->n_extra++] =
				mode & MODE_LIMITED ? function->result.bits : 0;
		return true;
	case OPERAND: /* the mode is the last operand of those that have one */
		function->extra[function->n_extra++] =
			inst->n > 7 ? inst->operands[inst->n - 1] : 0;
		return true;
	default:
		return true;
	}
}

/* The type of the result; of what is stored, that of the place. */
static uint32_t result_of(const struct spirv_module *module, const struct spirv_inst *inst,
	const struct function *function)
{
	const uint32_t after = 2u + function->op->first + function->n;

	if (function->op->form != STORED)
		return inst->operands[0];
	return inst->n > after ? spirv_pointee(module, spirv_type_of(module, inst->operands[after]))
			       : 0;
}

/* Whether the instruction is that of function->op. Reads its types. */
static bool is_that(
	const struct lowering *lowering, const struct spirv_inst *inst, struct function *function)
{
	const struct spirv_module *module = lowering->module;
	const struct op *op = function->op;
	uint64_t scope;

	function->n = (uint32_t)strlen(op->types) - 1;
	if (op->op != inst->op || !(op->when & lowering->what) ||
		inst->n < 2u + op->first + function->n)
		return false;
	if (op->op == SpvOpExtInst && (!module->set || inst->operands[2] != module->set ||
					      inst->operands[3] != op->function))
		return false;
	/* of a sub-group is the clock that is reported */
	if (op->op == SpvOpReadClockKHR &&
		(!spirv_constant(module, inst->operands[2], &scope) || scope != SpvScopeSubgroup))
		return false;
	if (op->form != OPERAND &&
		(!read_type(module, result_of(module, inst, function), &function->result) ||
			!fits(op->types[0], &function->result)))
		return false;
	for (uint32_t i = 0; i < function->n; i++)
		if (!read_value(
			    module, inst->operands[2 + op->first + i], &function->arguments[i]) ||
			!fits(op->types[1 + i], &function->arguments[i]))
			return false;
	if (op->form == OPERAND)
		function->result = (struct type){
			.bits = 32, .n = function->arguments[0].n, .is_float = true
		};
	return read_extra(lowering, inst, function);
}

/* What the instruction is a call of, or what it stores (`stored`); false: nothing. */
static bool describe(const struct lowering *lowering, const struct spirv_inst *inst, bool stored,
	struct function *function)
{
	for (size_t i = 0; i < N_OPS; i++) {
		*function = (struct function){ .op = &ops[i] };
		if ((ops[i].form == STORED) == stored && is_that(lowering, inst, function))
			return true;
	}
	return false;
}

static bool is_same(const struct function *a, const struct function *b)
{
	bool same = a->op == b->op && a->n == b->n && a->result.id == b->result.id &&
		    !memcmp(a->extra, b->extra, sizeof a->extra);

	for (uint32_t i = 0; i < a->n && same; i++)
		same = a->arguments[i].id == b->arguments[i].id;
	return same;
}

/* A type of n components. */
static uint32_t vector_of(struct spirv_builder *builder, uint32_t type, uint32_t n)
{
	return n > 1 ? SPIRV_BUILDER_TYPE(builder, SpvOpTypeVector, type, n) : type;
}

/* The type that the function returns, for there are none of truth values in vectors. */
static uint32_t choose_type(struct spirv_builder *builder, const struct function *function)
{
	const struct type *result = &function->result;

	if (function->op->form == OPERAND)
		return vector_of(
			builder, SPIRV_BUILDER_TYPE(builder, SpvOpTypeFloat, 32), result->n);
	if (result->bits == 1 && result->n > 1)
		return vector_of(
			builder, SPIRV_BUILDER_TYPE(builder, SpvOpTypeInt, 32, 0), result->n);
	return result->id;
}

/* The linker puts them where they belong. */
static void put_declaration(
	struct spirv_builder *builder, const struct function *function, size_t number)
{
	struct spirv_words *globals = &builder->globals;
	uint32_t words[16] = { function->id, SpvDecorationLinkageAttributes };
	const uint32_t type = spirv_builder_id(builder);
	char *name = (char *)(words + 2);

	snprintf(name, 40, SPIRV_LOWER_PREFIX "%zu", number);
	uint32_t n = 2 + (uint32_t)strlen(name) / 4 + 1;
	words[n++] = SpvLinkageTypeImport;
	spirv_put(globals, SpvOpDecorate, words, n);
	words[0] = type;
	words[1] = function->returns;
	for (uint32_t i = 0; i < function->n; i++)
		words[2 + i] = function->arguments[i].id;
	spirv_put(globals, SpvOpTypeFunction, words, 2 + function->n);
	SPIRV_PUT(globals, SpvOpFunction, function->returns, function->id,
		SpvFunctionControlMaskNone, type);
	for (uint32_t i = 0; i < function->n; i++)
		SPIRV_PUT(globals, SpvOpFunctionParameter, function->arguments[i].id,
			spirv_builder_id(builder));
	spirv_put(globals, SpvOpFunctionEnd, NULL, 0);
}

/* The same function among those that are called; NULL without memory. */
static const struct function *find_function(
	struct lowering *lowering, const struct function *function)
{
	const size_t n = lowering->n_functions;

	for (size_t i = 0; i < n; i++)
		if (is_same(&lowering->functions[i], function))
			return &lowering->functions[i];
	struct function *grown = realloc(lowering->functions, (n + 1) * sizeof *grown);
	if (!grown) {
		lowering->builder.out.is_broken = true;
		return NULL;
	}
	lowering->functions = grown;
	grown[n] = *function;
	grown[n].id = spirv_builder_id(&lowering->builder);
	grown[n].returns = choose_type(&lowering->builder, function);
	put_declaration(&lowering->builder, &grown[n], n);
	return &grown[lowering->n_functions++];
}

/* What declares the conversions of bfloat16, which no older tool knows. */
static bool is_bf16(const struct spirv_inst *inst)
{
	return (inst->op == SpvOpCapability && inst->n == 1 && inst->operands[0] == 6115) ||
	       (inst->op == SpvOpExtension &&
		       !strncmp((const char *)inst->operands, "SPV_INTEL_bfloat16_conversion",
			       inst->n * sizeof(uint32_t)));
}

/* Whether the decoration says how an instruction rounds that becomes a call. */
static bool is_mode(const struct lowering *lowering, const struct spirv_inst *inst)
{
	struct spirv_inst rounded;
	struct function function;

	return inst->op == SpvOpDecorate && inst->n > 1 &&
	       (inst->operands[1] == SpvDecorationFPRoundingMode ||
		       inst->operands[1] == SpvDecorationSaturatedConversion) &&
	       spirv_definition(lowering->module, inst->operands[0], &rounded) &&
	       describe(lowering, &rounded, false, &function);
}

static void read_modes(struct lowering *lowering)
{
	const struct spirv_module *module = lowering->module;
	struct spirv_inst inst;

	if (!(lowering->what & SPIRV_LOWER_DOUBLE_CORE))
		return;
	lowering->modes = calloc(module->bound, 1);
	lowering->builder.out.is_broken |= !lowering->modes;
	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst) {
		if (!lowering->modes || inst.op != SpvOpDecorate || inst.n < 2)
			continue;
		if (inst.operands[1] == SpvDecorationFPRoundingMode && inst.n > 2)
			lowering->modes[inst.operands[0]] |=
				(uint8_t)(MODE_GIVEN | (inst.operands[2] & 3));
		if (inst.operands[1] == SpvDecorationSaturatedConversion)
			lowering->modes[inst.operands[0]] |= MODE_LIMITED;
	}
}

/* The call of the function for the instruction; the result is `id`. */
static void put_call(struct lowering *lowering, const struct spirv_inst *inst,
	const struct function *function, uint32_t id)
{
	uint32_t words[3 + MAX_ARGUMENTS] = { function->returns, id, function->id };

	memcpy(words + 3, inst->operands + 2 + function->op->first, function->n * sizeof(*words));
	spirv_put(&lowering->builder.out, SpvOpFunctionCall, words, 3 + function->n);
}

/* The second result of an instruction, if it has one. */
static void put_stored(struct lowering *lowering, const struct spirv_inst *inst)
{
	const uint32_t id = spirv_builder_id(&lowering->builder);
	const struct function *known;
	struct function function;

	if (!describe(lowering, inst, true, &function) ||
		!(known = find_function(lowering, &function)))
		return;
	put_call(lowering, inst, known, id);
	SPIRV_PUT(&lowering->builder.out, SpvOpStore,
		inst->operands[2u + known->op->first + known->n], id);
}

/* Puts what an instruction becomes. */
static bool put_lowered(struct spirv_builder *builder, const struct spirv_inst *inst, void *data)
{
	struct lowering *lowering = data;
	const struct function *known;
	struct function function;

	if (!describe(lowering, inst, false, &function))
		return is_bf16(inst) || is_mode(lowering, inst);
	if (!(known = find_function(lowering, &function)))
		return true;
	if (known->op->form == OPERAND) {
		const uint32_t id = spirv_builder_id(builder);

		put_call(lowering, inst, known, id);
		spirv_builder_copy_with(builder, inst, 2u + known->op->first, id);
	} else if (known->returns == known->result.id) {
		put_call(lowering, inst, known, inst->operands[1]);
	} else {
		const uint32_t zero = spirv_builder_id(builder),
			       integer = spirv_builder_id(builder);

		SPIRV_PUT(&builder->globals, SpvOpConstantNull, known->returns, zero);
		put_call(lowering, inst, known, integer);
		SPIRV_PUT(&builder->out, SpvOpINotEqual, inst->operands[0], inst->operands[1],
			integer, zero);
	}
	put_stored(lowering, inst);
	return true;
}

/* The type as OpenCL C has it; "int" for a bool that is to be signed. */
static const char *name_of(const struct type *type, bool is_signed, char text[16])
{
	static const char *const integers[] = { "char", "short", "int", "long" };
	static const char *const floats[] = { "", "half", "float", "double" };
	unsigned size = type->bits == 1 ? 0 : (unsigned)__builtin_ctz(type->bits) - 3;
	char n[12] = "";

	if (type->n > 1)
		snprintf(n, sizeof n, "%u", type->n);
	if (type->bits == 1)
		snprintf(text, 16, "%s%s", is_signed || type->n > 1 ? "int" : "bool", n);
	else if (type->is_float)
		snprintf(text, 16, "%s%s", floats[size], n);
	else
		snprintf(text, 16, "%s%s%s", is_signed ? "" : "u", integers[size], n);
	return text;
}

/* What the function does to a component x, `at` being ".s0" or the like. */
static void write_component(FILE *out, const struct function *function)
{
	const struct op *op = function->op;
	struct type element = function->arguments[0];
	char text[16];

	element.n = 1;
	fprintf(out, "#undef LOWER_PART\n#define LOWER_PART(x, at) double_%s(as_%s(x)", op->name,
		name_of(&element, op->op == SpvOpConvertSToF, text));
	for (uint32_t i = 1; i < function->n; i++)
		fprintf(out, function->arguments[i].n > 1 ? ", %c at" : ", %c", 'a' + (int)i);
	for (uint32_t i = 0; i < function->n_extra; i++)
		fprintf(out, ", %uu", function->extra[i]);
	fputs(")\n", out);
}

static void write_function(FILE *out, const struct function *function, size_t number)
{
	const struct type *result = &function->result;
	const char *name = function->op->name;
	const bool by_component = *name >= 'a';
	char text[16], n[12] = "";

	if (result->n > 1)
		snprintf(n, sizeof n, "%u", result->n);
	if (by_component)
		write_component(out, function);
	fprintf(out, "%s " SPIRV_LOWER_PREFIX "%zu(", name_of(result, false, text), number);
	for (uint32_t i = 0; i < function->n; i++)
		fprintf(out, "%s%s %c", i ? ", " : "",
			name_of(&function->arguments[i], false, text), 'a' + (int)i);
	fputs(")\n{ return ", out);
	if (by_component && result->n == 1) {
		fprintf(out, "(%s)LOWER_PART(a, ); }\n", name_of(result, false, text));
		return;
	}
	fprintf(out, "%s%s(%s, ", by_component ? "LOWER_EACH" : "LOWER_", by_component ? n : name,
		name_of(result, false, text));
	fprintf(out, "%s, %s); }\n", name_of(result, true, text), by_component ? "LOWER_PART" : n);
}

/* The texts of ours that the functions are made of, each once. */
static void write_builtins(FILE *out, const struct lowering *lowering)
{
	for (size_t i = 0; i < lowering->n_functions; i++) {
		const char *builtin = lowering->functions[i].op->builtin;
		bool is_there = !builtin;

		for (size_t k = 0; k < i; k++)
			is_there |= lowering->functions[k].op->builtin == builtin;
		if (!is_there)
			fputs(builtin, out);
	}
}

static char *write_source(const struct lowering *lowering)
{
	char *source = NULL;
	size_t size;
	FILE *out = open_memstream(&source, &size);

	if (!out)
		return NULL;
	fputs("#pragma OPENCL EXTENSION all : enable\n", out);
	write_builtins(out, lowering);
	fputs(builtin_lower_cl, out);
	for (size_t i = 0; i < lowering->n_functions; i++)
		write_function(out, &lowering->functions[i], i);
	return util_file_text(out, &source);
}

enum compile_status spirv_lower(struct spirv_module *module, unsigned what, char **source)
{
	struct lowering lowering = { .module = module, .what = what };
	enum compile_status status;

	*source = NULL;
	spirv_builder_init(&lowering.builder, module);
	SPIRV_PUT(&lowering.builder.out, SpvOpCapability, SpvCapabilityLinkage);
	read_modes(&lowering);
	status = spirv_builder_run(&lowering.builder, put_lowered, &lowering);
	if (status == COMPILE_OK && lowering.n_functions && !(*source = write_source(&lowering)))
		status = COMPILE_NO_MEMORY;
	free(lowering.functions);
	free(lowering.modes);
	return status;
}
