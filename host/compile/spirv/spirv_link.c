// SPDX-License-Identifier: MIT
#include "compile/cc/spirv_tools.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parts of a module in the order of section 2.4 of the SPIR-V specification. */
enum part {
	CAPABILITIES,
	EXTENSIONS,
	IMPORTS,
	MODEL,
	ENTRIES,
	MODES,
	STRINGS,
	NAMES,
	DECORATIONS,
	TYPES, /* constants and variables too */
	DECLARATIONS,
	FUNCTIONS,
	N_PARTS
};

static const struct {
	uint16_t op, part;
} parts[] = {
	{ SpvOpCapability, CAPABILITIES },
	{ SpvOpExtension, EXTENSIONS },
	{ SpvOpExtInstImport, IMPORTS },
	{ SpvOpMemoryModel, MODEL },
	{ SpvOpEntryPoint, ENTRIES },
	{ SpvOpExecutionMode, MODES },
	{ SpvOpExecutionModeId, MODES },
	{ SpvOpString, STRINGS },
	{ SpvOpSource, STRINGS },
	{ SpvOpSourceContinued, STRINGS },
	{ SpvOpSourceExtension, STRINGS },
	{ SpvOpName, NAMES },
	{ SpvOpMemberName, NAMES },
	{ SpvOpModuleProcessed, NAMES },
	{ SpvOpDecorate, DECORATIONS },
	{ SpvOpDecorateId, DECORATIONS },
	{ SpvOpDecorateString, DECORATIONS },
	{ SpvOpMemberDecorate, DECORATIONS },
	{ SpvOpMemberDecorateString, DECORATIONS },
	{ SpvOpDecorationGroup, DECORATIONS },
	{ SpvOpGroupDecorate, DECORATIONS },
	{ SpvOpGroupMemberDecorate, DECORATIONS },
};

struct words {
	uint32_t *data;
	size_t n, room;
};

/* An id that modules know by a name. */
struct symbol {
	char *name;
	size_t module;
	uint32_t id; /* in its module */
	SpvLinkageType linkage;
};

/* What is known of an id of a module. */
struct id {
	uint32_t to;	   /* its number in the result */
	uint32_t name;	   /* word of the text of its OpName, 0 if it has none */
	uint8_t is_packed; /* a structure without padding */
	uint8_t is_dropped;
	uint8_t is_import; /* that an export takes the place of */
};

struct module {
	const uint32_t *words;
	size_t n_words;
	uint32_t bound;
	struct id *ids;
};

/* A type, constant or import that later modules may share: its words, without its result. */
struct shared {
	uint32_t id;
	size_t at, n; /* in `keys` */
};

struct linker {
	struct module *modules;
	size_t n_modules;
	struct symbol *symbols;
	size_t n_symbols, symbol_room;
	struct words out[N_PARTS];
	struct words keys;
	struct shared *shared;
	size_t n_shared, shared_room;
	uint32_t bound, version;

	/* While a module is read. */
	struct module *module;
	size_t number, at; /* of the module; word of the instruction */
	bool in_function, drops_function;
	enum part function_part;

	bool no_memory;
	char *log;
};

static spv_result_t wrong(struct linker *linker, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static spv_result_t wrong(struct linker *linker, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!linker->log && vasprintf(&linker->log, format, args) < 0)
		linker->log = NULL;
	va_end(args);
	return SPV_ERROR_INVALID_BINARY;
}

static spv_result_t no_memory(struct linker *linker)
{
	linker->no_memory = true;
	return SPV_ERROR_OUT_OF_MEMORY;
}

/* Makes room for `more` elements of `size` bytes after `n`. */
static bool grow(void **data, size_t n, size_t more, size_t *room, size_t size)
{
	if (n + more <= *room)
		return true;
	size_t wanted = (n + more) * 3 / 2 + 16;
	void *grown = realloc(*data, wanted * size);
	if (!grown)
		return false;
	*data = grown;
	*room = wanted;
	return true;
}

static bool put(struct words *words, const uint32_t *data, size_t n)
{
	if (!grow((void **)&words->data, words->n, n, &words->room, sizeof *words->data))
		return false;
	if (n)
		memcpy(words->data + words->n, data, n * sizeof *data);
	words->n += n;
	return true;
}

static bool is_id(spv_operand_type_t type)
{
	return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_TYPE_ID ||
	       type == SPV_OPERAND_TYPE_RESULT_ID || type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID ||
	       type == SPV_OPERAND_TYPE_SCOPE_ID;
}

/* First pass: names, and what is imported and exported. */

static spv_result_t add_symbol(
	struct linker *linker, uint32_t id, const char *name, SpvLinkageType linkage)
{
	if (!grow((void **)&linker->symbols, linker->n_symbols, 1, &linker->symbol_room,
		    sizeof *linker->symbols))
		return no_memory(linker);
	char *copy = strdup(name);
	if (!copy)
		return no_memory(linker);
	linker->symbols[linker->n_symbols++] = (struct symbol){ copy, linker->number, id, linkage };
	return SPV_SUCCESS;
}

static spv_result_t collect(void *data, const spv_parsed_instruction_t *inst)
{
	struct linker *linker = data;
	struct module *module = linker->module;
	const uint32_t *words = inst->words;
	size_t at = linker->at;

	linker->at += inst->num_words;
	for (uint16_t i = 0; i < inst->num_operands; i++)
		if (is_id(inst->operands[i].type) &&
			words[inst->operands[i].offset] >= module->bound)
			return wrong(linker, "module %zu uses an id that is out of bounds",
				linker->number + 1);
	if (inst->opcode == SpvOpName)
		module->ids[words[1]].name = (uint32_t)at + 2;
	if (inst->opcode != SpvOpDecorate)
		return SPV_SUCCESS;
	if (words[2] == SpvDecorationCPacked)
		module->ids[words[1]].is_packed = 1;
	if (words[2] == SpvDecorationLinkageAttributes)
		return add_symbol(linker, words[1], (const char *)(words + 3),
			(SpvLinkageType)words[inst->num_words - 1]);
	return SPV_SUCCESS;
}

static const struct symbol *find_export(const struct linker *linker, const char *name)
{
	for (size_t i = 0; i < linker->n_symbols; i++)
		if (linker->symbols[i].linkage != SpvLinkageTypeImport &&
			!strcmp(linker->symbols[i].name, name))
			return &linker->symbols[i];
	return NULL;
}

static const struct symbol *find_first(const struct linker *linker, const char *name)
{
	size_t i = 0;

	while (strcmp(linker->symbols[i].name, name) != 0)
		i++;
	return &linker->symbols[i];
}

/* Gives imports the numbers of exports, and exports that may be there twice that of the first. */
static bool resolve(struct linker *linker)
{
	for (size_t i = 0; i < linker->n_symbols; i++) {
		const struct symbol *symbol = &linker->symbols[i];
		const struct symbol *found = find_export(linker, symbol->name);
		/* Nobody has it: then all that want it share one import. */
		if (!found)
			found = find_first(linker, symbol->name);
		if (found == symbol)
			continue;
		if (symbol->linkage == SpvLinkageTypeExport) {
			wrong(linker, "'%s' is defined in module %zu and in module %zu",
				symbol->name, found->module + 1, symbol->module + 1);
			return false;
		}
		struct id *id = &linker->modules[symbol->module].ids[symbol->id];
		id->to = linker->modules[found->module].ids[found->id].to;
		id->is_import = id->is_dropped = 1;
	}
	return true;
}

/* Second pass: the instructions with their new numbers, to the parts that they belong to. */

/* The number of what has these words already, or 0 and `id` has it from now on. */
static uint32_t share(struct linker *linker, const uint32_t *key, size_t n, uint32_t id)
{
	for (size_t i = 0; i < linker->n_shared; i++) {
		const struct shared *known = &linker->shared[i];
		if (known->n == n && !memcmp(linker->keys.data + known->at, key, n * sizeof *key))
			return known->id;
	}
	if (!grow((void **)&linker->shared, linker->n_shared, 1, &linker->shared_room,
		    sizeof *linker->shared) ||
		!put(&linker->keys, key, n)) {
		linker->no_memory = true;
		return 0;
	}
	linker->shared[linker->n_shared++] = (struct shared){ id, linker->keys.n - n, n };
	return 0;
}

static bool can_be_shared(uint16_t op)
{
	switch (op) {
	case SpvOpTypeOpaque:
	case SpvOpTypeForwardPointer:
		return false;
	case SpvOpExtInstImport:
	case SpvOpConstantTrue:
	case SpvOpConstantFalse:
	case SpvOpConstant:
	case SpvOpConstantComposite:
	case SpvOpConstantSampler:
	case SpvOpConstantNull:
		return true;
	default:
		return op >= SpvOpTypeVoid && op <= SpvOpTypePipe;
	}
}

/* Whether an equal one is there already; the id has its number then. */
static bool is_shared(struct linker *linker, const spv_parsed_instruction_t *inst,
	const uint32_t *words, uint32_t *result)
{
	struct id *id = &linker->module->ids[inst->result_id];
	struct words key = { 0 };
	bool ok = put(&key, words, inst->num_words);

	for (uint16_t i = 0; ok && i < inst->num_operands; i++)
		if (inst->operands[i].type == SPV_OPERAND_TYPE_RESULT_ID)
			key.data[inst->operands[i].offset] = 0;
	/* Structures of equal members are one only if they are of the same name and form. */
	if (ok && inst->opcode == SpvOpTypeStruct) {
		const char *name = id->name ? (const char *)(linker->module->words + id->name) : "";
		uint32_t tail[65] = { id->is_packed };
		strncpy((char *)(tail + 1), name, sizeof tail - 5);
		ok = put(&key, tail, 65);
	}
	if (!ok) {
		free(key.data);
		linker->no_memory = true;
		return false;
	}
	*result = share(linker, key.data, key.n, id->to);
	free(key.data);
	if (!*result)
		return false;
	id->to = *result;
	id->is_dropped = 1;
	return true;
}

static enum part part_of(uint16_t op)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].op == op)
			return (enum part)parts[i].part;
	return TYPES;
}

/* Whether the part has this instruction already. */
static bool has_words(const struct words *part, const uint32_t *words, uint16_t n)
{
	for (size_t at = 0; at < part->n; at += part->data[at] >> 16)
		if (part->data[at] >> 16 == n && !memcmp(part->data + at, words, n * sizeof *words))
			return true;
	return false;
}

/* Dropped: what names or decorates an id that another one has taken the place of. */
static bool is_about_dropped(const struct module *module, const spv_parsed_instruction_t *inst)
{
	enum part part = part_of(inst->opcode);

	return (part == NAMES || part == DECORATIONS) && inst->opcode != SpvOpModuleProcessed &&
	       !inst->result_id && module->ids[inst->words[1]].is_dropped;
}

static spv_result_t check_model(struct linker *linker, const uint32_t *words, uint16_t n)
{
	const struct words *model = &linker->out[MODEL];

	if (!model->n || has_words(model, words, n))
		return SPV_SUCCESS;
	return wrong(
		linker, "module %zu has another memory model than the others", linker->number + 1);
}

/* Whether the function has no body: the parameters are followed by its end. */
static bool is_declaration(const struct linker *linker)
{
	const uint32_t *words = linker->module->words;

	for (size_t at = linker->at; at < linker->module->n_words; at += words[at] >> 16) {
		uint16_t op = (uint16_t)words[at];
		if (op == SpvOpFunctionEnd)
			return true;
		if (op == SpvOpLabel || !(words[at] >> 16))
			return false;
	}
	return false;
}

static spv_result_t renumber(
	struct linker *linker, const spv_parsed_instruction_t *inst, struct words *copy)
{
	if (!put(copy, inst->words, inst->num_words))
		return no_memory(linker);
	for (uint16_t i = 0; i < inst->num_operands; i++)
		if (is_id(inst->operands[i].type)) {
			uint32_t *word = &copy->data[inst->operands[i].offset];
			*word = linker->module->ids[*word].to;
		}
	return SPV_SUCCESS;
}

/* Types first: what follows refers to their numbers. */
static spv_result_t take_types(void *data, const spv_parsed_instruction_t *inst)
{
	struct linker *linker = data;
	struct words copy = { 0 };
	enum part part = part_of(inst->opcode);
	uint32_t result;
	spv_result_t rc = SPV_SUCCESS;

	linker->in_function |= inst->opcode == SpvOpFunction;
	if (linker->in_function || (part != TYPES && part != IMPORTS))
		return SPV_SUCCESS;
	rc = renumber(linker, inst, &copy);
	bool is_dropped = inst->result_id && linker->module->ids[inst->result_id].is_import;
	if (!rc && !is_dropped &&
		!(can_be_shared(inst->opcode) && is_shared(linker, inst, copy.data, &result)) &&
		!put(&linker->out[part], copy.data, copy.n))
		rc = no_memory(linker);
	free(copy.data);
	return rc || !linker->no_memory ? rc : SPV_ERROR_OUT_OF_MEMORY;
}

static void enter_function(struct linker *linker, const spv_parsed_instruction_t *inst)
{
	linker->in_function = true;
	linker->drops_function = linker->module->ids[inst->result_id].is_import;
	linker->function_part = is_declaration(linker) ? DECLARATIONS : FUNCTIONS;
}

/* Parameters of a function that goes are gone too; found before anything speaks of them. */
static spv_result_t drop_parameters(void *data, const spv_parsed_instruction_t *inst)
{
	struct linker *linker = data;

	if (inst->opcode == SpvOpFunction)
		linker->drops_function = linker->module->ids[inst->result_id].is_import;
	if (linker->drops_function && inst->result_id)
		linker->module->ids[inst->result_id].is_dropped = 1;
	if (inst->opcode == SpvOpFunctionEnd)
		linker->drops_function = false;
	return SPV_SUCCESS;
}

static spv_result_t take_rest(void *data, const spv_parsed_instruction_t *inst)
{
	struct linker *linker = data;
	struct words copy = { 0 };
	enum part part = part_of(inst->opcode);
	spv_result_t rc = SPV_SUCCESS;

	linker->at += inst->num_words;
	if (inst->opcode == SpvOpFunction)
		enter_function(linker, inst);
	bool is_ours = linker->in_function ? !linker->drops_function
					   : part != TYPES && part != IMPORTS &&
						     !is_about_dropped(linker->module, inst);
	if (is_ours) {
		if (linker->in_function)
			part = linker->function_part;
		rc = renumber(linker, inst, &copy);
		if (!rc && part == MODEL)
			rc = check_model(linker, copy.data, inst->num_words);
		bool is_known =
			part <= MODEL && has_words(&linker->out[part], copy.data, inst->num_words);
		if (!rc && !is_known && !put(&linker->out[part], copy.data, copy.n))
			rc = no_memory(linker);
		free(copy.data);
	}
	if (inst->opcode == SpvOpFunctionEnd)
		linker->in_function = false;
	return rc;
}

/* Runs the pass over all modules. */
static bool pass(struct linker *linker, spv_context context, spv_parsed_instruction_fn_t take)
{
	for (size_t i = 0; i < linker->n_modules; i++) {
		struct module *module = &linker->modules[i];
		spv_diagnostic diagnostic = NULL;
		linker->module = module;
		linker->number = i;
		linker->at = 5;
		linker->in_function = linker->drops_function = false;
		spv_result_t rc = spvBinaryParse(
			context, linker, module->words, module->n_words, NULL, take, &diagnostic);
		if (rc && diagnostic)
			wrong(linker, "module %zu: %s", i + 1, diagnostic->error);
		spvDiagnosticDestroy(diagnostic);
		if (rc)
			return false;
	}
	return true;
}

static bool open_modules(struct linker *linker, const struct compile_module *modules, size_t n)
{
	linker->modules = calloc(n + 1, sizeof *linker->modules);
	linker->bound = 1;
	if (!linker->modules)
		return !(linker->no_memory = true);
	for (size_t i = 0; i < n; i++) {
		struct module *module = &linker->modules[linker->n_modules++];
		module->words = modules[i].spirv;
		module->n_words = modules[i].size / 4;
		if (module->n_words < 5 || module->words[0] != SpvMagicNumber ||
			module->words[3] > 0x3fffff) {
			wrong(linker, "module %zu is no SPIR-V of this machine", i + 1);
			return false;
		}
		module->bound = module->words[3];
		module->ids = calloc((size_t)module->bound + 1, sizeof *module->ids);
		if (!module->ids)
			return !(linker->no_memory = true);
		for (uint32_t id = 1; id < module->bound; id++)
			module->ids[id].to = linker->bound++;
		if (linker->version < module->words[1])
			linker->version = module->words[1];
	}
	return true;
}

/* Two kernels of one name would be one too many. */
static bool check_entries(struct linker *linker)
{
	const struct words *part = &linker->out[ENTRIES];

	for (size_t a = 0; a < part->n; a += part->data[a] >> 16)
		for (size_t b = 0; b < a; b += part->data[b] >> 16)
			if (!strcmp((const char *)(part->data + a + 3),
				    (const char *)(part->data + b + 3))) {
				wrong(linker, "kernel '%s' is defined twice",
					(const char *)(part->data + a + 3));
				return false;
			}
	return true;
}

static bool write_module(struct linker *linker, struct compile_result *result)
{
	const uint32_t head[5] = { SpvMagicNumber, linker->version, 0, linker->bound, 0 };
	struct words all = { 0 };
	bool ok = put(&all, head, 5);

	for (size_t i = 0; ok && i < N_PARTS; i++)
		ok = put(&all, linker->out[i].data, linker->out[i].n);
	if (!ok) {
		free(all.data);
		return !(linker->no_memory = true);
	}
	result->spirv = all.data;
	result->spirv_size = all.n * sizeof *all.data;
	return true;
}

static void finish(struct linker *linker)
{
	for (size_t i = 0; i < linker->n_modules; i++)
		free(linker->modules[i].ids);
	for (size_t i = 0; i < linker->n_symbols; i++)
		free(linker->symbols[i].name);
	for (size_t i = 0; i < N_PARTS; i++)
		free(linker->out[i].data);
	free(linker->modules);
	free(linker->symbols);
	free(linker->keys.data);
	free(linker->shared);
	free(linker->log);
}

void compile_tools_link(
	const struct compile_module *modules, size_t n, struct compile_result *result)
{
	struct linker linker = { 0 };
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);

	*result = (struct compile_result){ .status = COMPILE_OK };
	bool ok = open_modules(&linker, modules, n) && pass(&linker, context, collect) &&
		  resolve(&linker) && pass(&linker, context, drop_parameters) &&
		  pass(&linker, context, take_types) && pass(&linker, context, take_rest) &&
		  check_entries(&linker) && write_module(&linker, result);
	if (!ok) {
		result->status = linker.no_memory ? COMPILE_NO_MEMORY : COMPILE_ERROR;
		if (asprintf(&result->log, "error: cannot link: %s\n",
			    linker.log ? linker.log : "the SPIR-V is damaged") < 0)
			result->log = NULL;
	}
	spvContextDestroy(context);
	finish(&linker);
}
