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
extern const char builtin_lower_cl[];

#define PREFIX "zerocl_lower_"

enum { MAX_ARGUMENTS = 4, OP_ROTATE = 4431, OP_TO_BF16 = 6116, OP_FROM_BF16 = 6117 };

/* Instructions; of those of an op, the first one that fits counts. */
static const struct op {
	uint16_t op;
	uint16_t function;   /* of SpvOpExtInst: of OpenCL.std */
	bool is_fast;	     /* it is right unless mathematics may be fast */
	uint8_t first;	     /* of the arguments, after the result */
	const char *types;   /* of the result and the arguments: see fits */
	const char *name;    /* LOWER_<name> of kernels/builtin/lower.cl */
	const char *builtin; /* what that is made of; NULL: nothing of ours */
} ops[] = {
	{ OP_ROTATE, 0, false, 1, "xxii", "CLUSTER", builtin_sub_group_rotate_cl },
	{ OP_ROTATE, 0, false, 1, "xxi", "ROTATE", builtin_sub_group_rotate_cl },
	{ SpvOpBitReverse, 0, false, 0, "ii", "REVERSE", builtin_bit_ops_cl },
	{ SpvOpBitFieldInsert, 0, false, 0, "iiiii", "INSERT", builtin_bit_ops_cl },
	{ SpvOpBitFieldUExtract, 0, false, 0, "iiii", "EXTRACT", builtin_bit_ops_cl },
	{ SpvOpBitFieldSExtract, 0, false, 0, "iiii", "SIGNED_EXTRACT", builtin_bit_ops_cl },
	{ SpvOpSDotKHR, 0, false, 0, "1bb", "DOT_SS", builtin_dot_product_cl },
	{ SpvOpUDotKHR, 0, false, 0, "1bb", "DOT_UU", builtin_dot_product_cl },
	{ SpvOpSUDotKHR, 0, false, 0, "1bb", "DOT_SU", builtin_dot_product_cl },
	{ SpvOpSDotAccSatKHR, 0, false, 0, "1bb1", "SUM_SS", builtin_dot_product_cl },
	{ SpvOpUDotAccSatKHR, 0, false, 0, "1bb1", "SUM_UU", builtin_dot_product_cl },
	{ SpvOpSUDotAccSatKHR, 0, false, 0, "1bb1", "SUM_SU", builtin_dot_product_cl },
	{ SpvOpExtInst, OpenCLstd_Pow, true, 2, "ppp", "POW", NULL },
	{ SpvOpExtInst, OpenCLstd_Pown, true, 2, "ppi", "POWN", NULL },
	{ SpvOpExtInst, OpenCLstd_Powr, true, 2, "ppp", "POWR", NULL },
	{ SpvOpExtInst, OpenCLstd_Half_powr, true, 2, "ppp", "POWR", NULL },
	{ SpvOpExtInst, OpenCLstd_Native_powr, true, 2, "ppp", "POWR", NULL },
	{ SpvOpExtInst, OpenCLstd_SMad_sat, false, 2, "llll", "MAD_SAT", NULL },
	{ SpvOpReadClockKHR, 0, false, 1, "c", "CLOCK", builtin_kernel_clock_cl },
	{ OP_TO_BF16, 0, false, 0, "sf", "TO_BF16", builtin_bfloat16_cl },
	{ OP_FROM_BF16, 0, false, 0, "fs", "FROM_BF16", builtin_bfloat16_cl },
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
	uint32_t n;
	struct type result, arguments[MAX_ARGUMENTS];
};

struct lowering {
	struct spirv_module *module;
	struct function *functions;
	size_t n_functions;
	bool is_fast;	/* mathematics may be */
	bool no_memory; /* for `functions` */
};

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

/* Whether a type is of the kind that a letter of struct op stands for. */
static bool fits(char kind, const struct type *type)
{
	switch (kind) {
	case '1': /* an integer */
		return is_integer(type) && type->n == 1;
	case 'b': /* four bytes */
		return is_integer(type) && type->bits * type->n == 32 && type->n != 2;
	case 'c': /* what a clock gives */
		return is_integer(type) && type->bits * type->n == 64 && type->n < 3;
	case 'f': /* floats */
		return type->is_float && type->bits == 32;
	case 'i': /* integers */
		return is_integer(type);
	case 'l': /* longs */
		return is_integer(type) && type->bits == 64;
	case 'p': /* floats or halves */
		return type->is_float && type->bits <= 32;
	case 's': /* shorts */
		return is_integer(type) && type->bits == 16;
	default: /* anything */
		return true;
	}
}

/* Whether the instruction is that of function->op. Reads its types. */
static bool is_that(
	const struct lowering *lowering, const struct spirv_inst *inst, struct function *function)
{
	const struct spirv_module *module = lowering->module;
	const struct op *op = function->op;
	uint64_t scope;

	function->n = (uint32_t)strlen(op->types) - 1;
	if (op->op != inst->op || inst->n < 2u + op->first + function->n)
		return false;
	if (op->op == SpvOpExtInst &&
		(!module->set || inst->operands[2] != module->set ||
			inst->operands[3] != op->function || (op->is_fast && !lowering->is_fast)))
		return false;
	/* of a sub-group is the clock that is reported */
	if (op->op == SpvOpReadClockKHR &&
		(!spirv_constant(module, inst->operands[2], &scope) || scope != SpvScopeSubgroup))
		return false;
	if (!read_type(module, inst->operands[0], &function->result) ||
		!fits(op->types[0], &function->result))
		return false;
	for (uint32_t i = 0; i < function->n; i++)
		if (!read_value(
			    module, inst->operands[2 + op->first + i], &function->arguments[i]) ||
			!fits(op->types[1 + i], &function->arguments[i]))
			return false;
	return true;
}

/* What the instruction is a call of; false: it stays. */
static bool describe(
	const struct lowering *lowering, const struct spirv_inst *inst, struct function *function)
{
	for (size_t i = 0; i < N_OPS; i++) {
		*function = (struct function){ .op = &ops[i] };
		if (is_that(lowering, inst, function))
			return true;
	}
	return false;
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

	spirv_builder_init(&builder, module);
	SPIRV_PUT(&builder.out, SpvOpCapability, SpvCapabilityLinkage);
	for (size_t i = 0; i < lowering->n_functions; i++)
		put_declaration(lowering, i, &builder.globals);
	SPIRV_EACH(module, SPIRV_START, module->n_words, inst) {
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
	return spirv_builder_finish(&builder);
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
		snprintf(text, 16, is_signed ? "int" : "bool");
	else if (type->is_float)
		snprintf(text, 16, "%s%s", floats[size], n);
	else
		snprintf(text, 16, "%s%s%s", is_signed ? "" : "u", integers[size], n);
	return text;
}

static void write_function(FILE *out, const struct function *function, size_t number)
{
	const struct type *result = &function->result;
	char text[16];

	fprintf(out, "%s " PREFIX "%zu(", name_of(result, false, text), number);
	for (uint32_t i = 0; i < function->n; i++)
		fprintf(out, "%s%s %c", i ? ", " : "",
			name_of(&function->arguments[i], false, text), 'a' + (int)i);
	fprintf(out, ")\n{ return LOWER_%s(%s, ", function->op->name, name_of(result, false, text));
	fprintf(out, "%s, ", name_of(result, true, text));
	if (result->n > 1)
		fprintf(out, "%u", result->n);
	fputs("); }\n", out);
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
	bool failed = ferror(out);
	if (!fclose(out) && !failed)
		return source;
	free(source);
	return NULL;
}

enum compile_status spirv_lower(struct spirv_module *module, bool is_fast, char **source)
{
	struct lowering lowering = { .module = module, .is_fast = is_fast };
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
