// SPDX-License-Identifier: MIT
extern "C" {
#include "compile/cc/spirv_tools.h"
#include "compile/spirv/spirv_lower.h"
}

#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

/*
 * spvtools::Link is not used: the version of Debian 12 loses debug information (the compiler
 * crashes then), does not merge equal imports that stay, knows no SPV_KHR_linkonce_odr, refuses
 * modules of different versions, and leaves declarations of functions behind definitions.
 */
namespace
{

typedef std::vector<uint32_t> words;

/* Parts of a module in the order of section 2.4 of the SPIR-V specification. */
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
	TYPES,
	DECLARATIONS,
	FUNCTIONS,
	N_PARTS
};

struct instruction {
	uint16_t op;
	uint32_t result; /* 0: it has none */
	size_t module;	 /* its number */
	part place;
	words code;
	std::vector<uint16_t> ids; /* words that are ids, unique in all modules */

	std::string text(size_t word) const
	{
		const char *start = reinterpret_cast<const char *>(&code[word]);
		return std::string(start, strnlen(start, (code.size() - word) * sizeof code[0]));
	}
};

struct symbol {
	uint32_t id;
	size_t module;
	uint32_t linkage;
};

class linker
{
      public:
	void add(spvtools::Context &context, const compile_module &module);
	words link();

      private:
	static spv_result_t read(void *data, const spv_parsed_instruction_t *inst);
	void resolve();
	void drop_functions();
	void merge_types();
	bool is_dropped(const instruction &inst) const;
	void put(const instruction &inst, words out[N_PARTS]);

	std::vector<instruction> all;
	std::vector<uint32_t> to;  /* of ids: what takes its place */
	std::vector<bool> dropped; /* of ids: something else takes its place */
	std::vector<bool> packed;  /* of ids: structures without padding */
	std::map<uint32_t, std::string> names;
	std::map<uint32_t, uint32_t> builtins; /* variables that are built in, and as what */
	std::set<words> known; /* instructions of the parts up to MODEL */
	uint32_t version = 0;

	/* of the module that is read */
	size_t number = 0;
	uint32_t base = 0;
	size_t function = 0; /* 1 + index of the function's first instruction */
};

[[noreturn]] void wrong(const std::string &what)
{
	throw std::runtime_error(what);
}

std::string in_module(size_t number)
{
	return "module " + std::to_string(number + 1);
}

bool is_id(spv_operand_type_t type)
{
	return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_TYPE_ID ||
	       type == SPV_OPERAND_TYPE_RESULT_ID || type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID ||
	       type == SPV_OPERAND_TYPE_SCOPE_ID;
}

part part_of(uint16_t op)
{
	static const std::map<uint16_t, part> parts = { { SpvOpCapability, CAPABILITIES },
		{ SpvOpExtension, EXTENSIONS }, { SpvOpExtInstImport, IMPORTS },
		{ SpvOpMemoryModel, MODEL }, { SpvOpEntryPoint, ENTRIES },
		{ SpvOpExecutionMode, MODES }, { SpvOpExecutionModeId, MODES },
		{ SpvOpString, STRINGS }, { SpvOpSource, STRINGS },
		{ SpvOpSourceContinued, STRINGS }, { SpvOpSourceExtension, STRINGS },
		{ SpvOpName, NAMES }, { SpvOpMemberName, NAMES }, { SpvOpModuleProcessed, NAMES },
		{ SpvOpDecorate, DECORATIONS }, { SpvOpDecorateId, DECORATIONS },
		{ SpvOpDecorateString, DECORATIONS }, { SpvOpMemberDecorate, DECORATIONS },
		{ SpvOpMemberDecorateString, DECORATIONS }, { SpvOpDecorationGroup, DECORATIONS },
		{ SpvOpGroupDecorate, DECORATIONS }, { SpvOpGroupMemberDecorate, DECORATIONS } };
	const auto found = parts.find(op);

	return found == parts.end() ? TYPES : found->second;
}

bool can_be_merged(uint16_t op)
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

/*
 * The translator of LLVM gives pointers that are of no storage class to a debugger the class -1,
 * which SPIRV-Tools refuses: a class that no pointer has stands for it meanwhile.
 */
enum { DEBUG_TYPE_POINTER = 3, CLASS_AT = 6, NO_CLASS = SpvStorageClassImage };

/* The module with the stand-in; `code` is at least a header. */
words with_stand_in(const uint32_t *code, size_t n)
{
	words copy(code, code + n);
	std::vector<uint32_t> sets;

	for (size_t at = 5, length;
		at < n && (length = copy[at] >> SpvWordCountShift) > 0 && length <= n - at;
		at += length) {
		uint32_t *inst = &copy[at];
		const uint32_t op = *inst & SpvOpCodeMask;
		const char *name = reinterpret_cast<const char *>(inst + 2);

		if (op == SpvOpExtInstImport && length > 4 &&
			(!std::strncmp(name, "OpenCL.Debug", 12) ||
				!std::strncmp(name, "SPIRV.debug", 11)))
			sets.push_back(inst[1]);
		if (op == SpvOpExtInst && length > CLASS_AT && inst[4] == DEBUG_TYPE_POINTER &&
			inst[CLASS_AT] == UINT32_MAX &&
			std::find(sets.begin(), sets.end(), inst[3]) != sets.end())
			inst[CLASS_AT] = NO_CLASS;
	}
	return copy;
}

bool is_stand_in(const spv_parsed_instruction_t *inst)
{
	return inst->opcode == SpvOpExtInst && inst->num_words > CLASS_AT &&
	       (inst->ext_inst_type == SPV_EXT_INST_TYPE_OPENCL_DEBUGINFO_100 ||
		       inst->ext_inst_type == SPV_EXT_INST_TYPE_DEBUGINFO) &&
	       inst->words[4] == DEBUG_TYPE_POINTER && inst->words[CLASS_AT] == NO_CLASS;
}

/* Takes an instruction of spvBinaryParse, with ids behind those of the modules before. */
spv_result_t linker::read(void *data, const spv_parsed_instruction_t *inst)
{
	linker &self = *static_cast<linker *>(data);
	instruction copy = { inst->opcode, inst->result_id ? inst->result_id + self.base : 0,
		self.number, part_of(inst->opcode),
		words(inst->words, inst->words + inst->num_words), {} };

	if (is_stand_in(inst))
		copy.code[CLASS_AT] = UINT32_MAX;
	/* It has no type, whatever the parser says: its text follows. */
	const bool is_target = inst->opcode == SpvOpAsmTargetINTEL;
	if (is_target)
		copy.result = inst->words[1] + self.base;
	for (uint16_t i = 0; i < inst->num_operands; i++) {
		const uint16_t at = inst->operands[i].offset;
		if (!is_id(inst->operands[i].type) || (is_target && at > 1))
			continue;
		copy.ids.push_back(at);
		copy.code[at] += self.base;
		if (copy.code[at] >= self.to.size())
			return SPV_ERROR_INVALID_ID;
	}
	if (copy.op == SpvOpFunction)
		self.function = self.all.size() + 1;
	if (self.function)
		copy.place = DECLARATIONS;
	self.all.push_back(copy);
	if (copy.op == SpvOpLabel && self.function)
		for (size_t i = self.function - 1; i < self.all.size(); i++)
			self.all[i].place = FUNCTIONS;
	else if (self.function && self.all[self.function - 1].place == FUNCTIONS)
		self.all.back().place = FUNCTIONS;
	if (copy.op == SpvOpFunctionEnd)
		self.function = 0;
	if (copy.op == SpvOpName)
		self.names[copy.code[1]] = copy.text(2);
	if (copy.op == SpvOpDecorate && copy.code[2] == SpvDecorationCPacked)
		self.packed[copy.code[1]] = true;
	if (copy.op == SpvOpDecorate && copy.code[2] == SpvDecorationBuiltIn)
		self.builtins[copy.code[1]] = copy.code[3];
	return SPV_SUCCESS;
}

void linker::add(spvtools::Context &context, const compile_module &module)
{
	const uint32_t *code = static_cast<const uint32_t *>(module.spirv);
	const size_t n = module.size / sizeof *code;
	spv_diagnostic diagnostic = nullptr;

	if (n < 5 || code[0] != SpvMagicNumber || code[3] > 0x3fffff)
		wrong(in_module(number) + " is no SPIR-V of this machine");
	base = static_cast<uint32_t>(to.empty() ? 0 : to.size() - 1);
	for (size_t id = to.size(); id < base + std::max<size_t>(code[3], 1); id++)
		to.push_back(static_cast<uint32_t>(id));
	dropped.resize(to.size());
	packed.resize(to.size());
	version = std::max(version, code[1]);
	function = 0;
	const words whole = with_stand_in(code, n);
	const spv_result_t rc = spvBinaryParse(
		context.CContext(), this, whole.data(), n, nullptr, read, &diagnostic);
	const std::string text = diagnostic ? diagnostic->error : "an id is out of bounds";
	spvDiagnosticDestroy(diagnostic);
	if (rc != SPV_SUCCESS)
		wrong(in_module(number) + ": " + text);
	number++;
}

/*
 * Puts definitions in the place of imports, and the first of equal imports and definitions. Of
 * functions with one name, only the first keeps it.
 */
void linker::resolve()
{
	std::vector<std::pair<std::string, symbol>> symbols;
	std::map<std::string, symbol> first;

	for (const instruction &inst : all)
		if (inst.op == SpvOpDecorate && inst.code.size() > 4 &&
			inst.code[2] == SpvDecorationLinkageAttributes)
			symbols.push_back(
				{ inst.text(3), { inst.code[1], inst.module, inst.code.back() } });
	for (const bool is_import : { false, true })
		for (const auto &entry : symbols)
			if ((entry.second.linkage == SpvLinkageTypeImport) == is_import)
				first.insert(entry);
	for (const auto &entry : symbols) {
		const symbol &found = first.at(entry.first), &here = entry.second;
		if (found.id == here.id)
			continue;
		if (here.linkage == SpvLinkageTypeExport)
			wrong("'" + entry.first + "' is defined in " + in_module(found.module) +
				" and in " + in_module(here.module));
		to[here.id] = found.id;
		dropped[here.id] = true;
	}
	/* Functions of one module alone: IGC 2.40 takes two of a name for one, whatever their
	 * types. */
	for (const instruction &inst : all) {
		const auto name = names.find(inst.result);
		if (inst.op != SpvOpFunction || name == names.end())
			continue;
		const symbol here = { to[inst.result], inst.module, SpvLinkageTypeExport };
		if (first.insert({ name->second, here }).first->second.id != here.id)
			names.erase(name);
	}
}

/* Drops what the bodies of dropped functions define. */
void linker::drop_functions()
{
	bool drops = false;

	for (const instruction &inst : all) {
		if (inst.op == SpvOpFunction)
			drops = dropped[inst.result];
		if (drops && inst.result)
			dropped[inst.result] = true;
		if (inst.op == SpvOpFunctionEnd)
			drops = false;
	}
}

/*
 * Equal types and constants become one. Structures are equal if their names are, too; variables if
 * they are built in as the same: newer compilers (IGC 2.40) take a second one for a variable in
 * memory, at address 0.
 */
void linker::merge_types()
{
	std::map<std::pair<words, std::string>, uint32_t> merged;

	for (const instruction &inst : all) {
		const auto builtin = builtins.find(inst.result);
		const bool is_builtin = inst.op == SpvOpVariable && !dropped[inst.result] &&
					builtin != builtins.end();

		if ((inst.place != TYPES && inst.place != IMPORTS) ||
			!(is_builtin || can_be_merged(inst.op)))
			continue;
		words key = inst.code;
		std::string name;
		for (const uint16_t at : inst.ids)
			key[at] = key[at] == inst.result ? 0 : to[key[at]];
		if (inst.op == SpvOpTypeStruct) {
			const auto found = names.find(inst.result);
			name = found == names.end() ? "" : found->second;
			key.push_back(packed[inst.result]);
		}
		if (is_builtin)
			key.push_back(builtin->second);
		const auto entry = merged.insert({ { key, name }, inst.result });
		if (!entry.second) {
			to[inst.result] = entry.first->second;
			dropped[inst.result] = true;
		}
	}
}

/* Whether the instruction defines, names or decorates what something else takes the place of, or
 * exports a function of spirv_lower. */
bool linker::is_dropped(const instruction &inst) const
{
	if (inst.result)
		return dropped[inst.result];
	if (inst.op == SpvOpDecorate && inst.code[2] == SpvDecorationLinkageAttributes &&
		!inst.text(3).compare(0, sizeof SPIRV_LOWER_PREFIX - 1, SPIRV_LOWER_PREFIX))
		return true;
	if (inst.op == SpvOpName && !names.count(inst.code[1]))
		return true;
	return (inst.place == NAMES || inst.place == DECORATIONS) && !inst.ids.empty() &&
	       dropped[inst.code[inst.ids[0]]];
}

void linker::put(const instruction &inst, words out[N_PARTS])
{
	words code = inst.code, &part = out[inst.place];

	for (const uint16_t at : inst.ids)
		code[at] = to[code[at]];
	if (inst.place == MODEL && !part.empty() && code != part)
		wrong(in_module(inst.module) + " has another memory model than the others");
	if (inst.place > MODEL || known.insert(code).second)
		part.insert(part.end(), code.begin(), code.end());
}

words linker::link()
{
	words out[N_PARTS];
	words linked = { SpvMagicNumber, version, 0, static_cast<uint32_t>(to.size()), 0 };
	std::set<std::string> kernels;
	bool drops = false;

	resolve();
	drop_functions();
	merge_types();
	for (const instruction &inst : all) {
		if (inst.op == SpvOpFunction)
			drops = dropped[inst.result];
		if (inst.op == SpvOpEntryPoint && !kernels.insert(inst.text(3)).second)
			wrong("kernel '" + inst.text(3) + "' is defined twice");
		if (inst.place >= DECLARATIONS ? !drops : !is_dropped(inst))
			put(inst, out);
	}
	for (const words &part : out)
		linked.insert(linked.end(), part.begin(), part.end());
	return linked;
}

} // namespace

void spirv_link(const compile_module *modules, size_t n, compile_result *result)
{
	*result = compile_result();
	result->status = COMPILE_NO_MEMORY;
	try {
		spvtools::Context context(SPV_ENV_UNIVERSAL_1_6);
		linker linker;

		for (size_t i = 0; i < n; i++)
			linker.add(context, modules[i]);
		const words linked = linker.link();
		result->spirv_size = linked.size() * sizeof linked[0];
		result->spirv = malloc(result->spirv_size);
		if (!result->spirv)
			return;
		memcpy(result->spirv, linked.data(), result->spirv_size);
		result->status = COMPILE_OK;
	} catch (const std::runtime_error &error) {
		compile_fail(result, COMPILE_ERROR, "error: cannot link: %s\n", error.what());
	} catch (const std::exception &) {
	}
}
