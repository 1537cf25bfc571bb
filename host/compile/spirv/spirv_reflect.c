// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_reflect.h"

#include "compile/spirv/implicit_args.h"
#include "compile/spirv/spirv_look.h"

#include "compile/base/pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct spirv_module *spirv;
	uint32_t *kernel_of; /* by number of a function: 1 + the number of the kernel */
	struct reflection *out;
	struct pool *pool;
	enum compile_status status; /* of the failure */
};

static bool wrong(struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool wrong(struct reader *reader, const char *format, ...)
{
	va_list args;

	reader->status = COMPILE_ERROR;
	va_start(args, format);
	vsnprintf(reader->spirv->why, sizeof reader->spirv->why, format, args);
	va_end(args);
	return false;
}

static bool no_memory(struct reader *reader)
{
	reader->status = COMPILE_NO_MEMORY;
	return false;
}

static const char *keep(struct reader *reader, const char *text, size_t size)
{
	return pool_text(&reader->pool, text, size);
}

/* A pointer's storage class, and what an argument of it is. */
static const struct {
	SpvStorageClass storage;
	enum compile_arg_kind kind;
	cl_kernel_arg_address_qualifier address;
} pointers[] = {
	{ SpvStorageClassCrossWorkgroup, COMPILE_ARG_BUFFER, CL_KERNEL_ARG_ADDRESS_GLOBAL },
	{ SpvStorageClassUniformConstant, COMPILE_ARG_BUFFER, CL_KERNEL_ARG_ADDRESS_CONSTANT },
	{ SpvStorageClassWorkgroup, COMPILE_ARG_LOCAL, CL_KERNEL_ARG_ADDRESS_LOCAL },
	{ SpvStorageClassFunction, COMPILE_ARG_VALUE, CL_KERNEL_ARG_ADDRESS_PRIVATE },
};

static bool pointer_arg(
	const struct spirv_module *spirv, const struct spirv_inst *type, struct compile_arg *arg)
{
	for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
		if ((uint32_t)pointers[i].storage != type->operands[1])
			continue;
		arg->kind = pointers[i].kind;
		arg->address = pointers[i].address;
		arg->size = arg->kind == COMPILE_ARG_BUFFER ? sizeof(cl_mem) : 0;
		/* A structure by value is a pointer to a copy. */
		if (arg->kind == COMPILE_ARG_VALUE)
			arg->size = spirv->ids[type->operands[2]].size;
		return arg->kind != COMPILE_ARG_VALUE || arg->size;
	}
	return false;
}

static cl_kernel_arg_access_qualifier access_of(const struct spirv_inst *type, uint32_t operand)
{
	static const cl_kernel_arg_access_qualifier qualifiers[] = {
		[SpvAccessQualifierReadOnly] = CL_KERNEL_ARG_ACCESS_READ_ONLY,
		[SpvAccessQualifierWriteOnly] = CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
		[SpvAccessQualifierReadWrite] = CL_KERNEL_ARG_ACCESS_READ_WRITE,
	};

	if (operand >= type->n || type->operands[operand] >= 3)
		return CL_KERNEL_ARG_ACCESS_READ_ONLY;
	return qualifiers[type->operands[operand]];
}

/* Kind, size, address space and access, from the type; false if it is no type of an argument. */
static bool type_arg(const struct spirv_module *spirv, uint32_t type_id, struct compile_arg *arg)
{
	struct spirv_inst type;

	if (!spirv_definition(spirv, type_id, &type))
		return false;
	arg->address = CL_KERNEL_ARG_ADDRESS_PRIVATE;
	arg->access = CL_KERNEL_ARG_ACCESS_NONE;
	switch (type.op) {
	case SpvOpTypePointer:
		return pointer_arg(spirv, &type, arg);
	case SpvOpTypeImage:
		arg->kind = COMPILE_ARG_IMAGE;
		arg->size = sizeof(cl_mem);
		arg->address = CL_KERNEL_ARG_ADDRESS_GLOBAL;
		arg->access = access_of(&type, 8);
		arg->is_buffer_image = type.n > 2 && type.operands[2] == SpvDimBuffer;
		return true;
	case SpvOpTypePipe:
		arg->kind = COMPILE_ARG_PIPE;
		arg->size = sizeof(cl_mem);
		arg->address = CL_KERNEL_ARG_ADDRESS_GLOBAL;
		arg->access = access_of(&type, 1);
		return true;
	case SpvOpTypeSampler:
		arg->kind = COMPILE_ARG_SAMPLER;
		arg->size = sizeof(cl_sampler);
		return true;
	case SpvOpTypeQueue:
		arg->kind = COMPILE_ARG_QUEUE;
		arg->size = sizeof(cl_command_queue);
		return true;
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
	case SpvOpTypeVector:
	case SpvOpTypeStruct:
	case SpvOpTypeArray:
		arg->kind = COMPILE_ARG_VALUE;
		arg->size = spirv->ids[type_id].size;
		return arg->size;
	default:
		return false;
	}
}

/* Qualifiers by the decorations; the text that Intel's front end adds is more exact. */
static cl_kernel_arg_type_qualifier decorated(
	const struct spirv_id *id, const struct compile_arg *arg)
{
	cl_kernel_arg_type_qualifier qualifiers = CL_KERNEL_ARG_TYPE_NONE;

	if (arg->kind == COMPILE_ARG_PIPE)
		return CL_KERNEL_ARG_TYPE_PIPE;
	if (arg->kind != COMPILE_ARG_BUFFER && arg->kind != COMPILE_ARG_LOCAL)
		return qualifiers;
	if (id->flags & SPIRV_NO_ALIAS)
		qualifiers |= CL_KERNEL_ARG_TYPE_RESTRICT;
	if (id->flags & SPIRV_VOLATILE)
		qualifiers |= CL_KERNEL_ARG_TYPE_VOLATILE;
	if (id->flags & SPIRV_NO_WRITE || arg->address == CL_KERNEL_ARG_ADDRESS_CONSTANT)
		qualifiers |= CL_KERNEL_ARG_TYPE_CONST;
	return qualifiers;
}

static bool is_parameter_or_line(SpvOp op)
{
	return op == SpvOpFunctionParameter || op == SpvOpLine || op == SpvOpNoLine;
}

static size_t count_parameters(const struct spirv_module *spirv, const struct spirv_inst *function)
{
	struct spirv_inst inst;
	size_t n = 0;

	for (uint32_t at = function->next;
		spirv_at(spirv, at, &inst) && is_parameter_or_line(inst.op); at = inst.next)
		n += inst.op == SpvOpFunctionParameter;
	return n;
}

static bool read_args(
	struct reader *reader, const struct spirv_inst *function, struct compile_kernel *kernel)
{
	const struct spirv_module *spirv = reader->spirv;
	struct spirv_inst inst;
	size_t n = count_parameters(spirv, function), i = 0;

	kernel->args = pool_get(&reader->pool, n * sizeof *kernel->args);
	if (!kernel->args)
		return no_memory(reader);
	kernel->n_args = n;
	for (uint32_t at = function->next; i < n && spirv_at(spirv, at, &inst); at = inst.next) {
		if (inst.op != SpvOpFunctionParameter)
			continue;
		struct compile_arg *arg = &kernel->args[i++];
		const struct spirv_id *id = &spirv->ids[inst.operands[1]];
		if (!type_arg(spirv, inst.operands[0], arg))
			return wrong(reader,
				"argument %zu of kernel %s has a type that is not known", i - 1,
				kernel->name);
		const char *name = spirv_text(spirv, id->name);
		arg->name = keep(reader, name, strlen(name));
		arg->type = "";
		arg->qualifiers = decorated(id, arg);
		if (!arg->name)
			return no_memory(reader);
	}
	return true;
}

static bool read_entry_point(
	struct reader *reader, const struct spirv_inst *entry, struct compile_kernel *kernel)
{
	const struct spirv_module *spirv = reader->spirv;
	struct spirv_inst function;
	const char *name = spirv_text(spirv, entry->at + 3);
	uint32_t id = entry->operands[1];

	kernel->name = keep(reader, name, strlen(name));
	kernel->attributes = "";
	if (!kernel->name)
		return no_memory(reader);
	const struct spirv_function *found = spirv_function_of(spirv, id);
	if (!found || !spirv_at(spirv, found->start, &function))
		return wrong(reader, "kernel %s is no function", name);
	uint32_t *number = &reader->kernel_of[found - spirv->functions];
	if (*number)
		return wrong(reader, "kernel %s is the same function as another one", name);
	*number = (uint32_t)(kernel - reader->out->kernels) + 1;
	return read_args(reader, &function, kernel);
}

static bool read_kernels(struct reader *reader)
{
	struct reflection *out = reader->out;
	const size_t n = reader->spirv->n_kernels;
	struct spirv_inst inst;

	out->kernels = pool_get(&reader->pool, n * sizeof(*out->kernels));
	reader->kernel_of = calloc(reader->spirv->n_functions + 1u, sizeof(*reader->kernel_of));
	if (!out->kernels || !reader->kernel_of)
		return no_memory(reader);
	for (; out->n_kernels < n; out->n_kernels++)
		if (!spirv_at(reader->spirv, reader->spirv->kernels[out->n_kernels], &inst) ||
			!read_entry_point(reader, &inst, &out->kernels[out->n_kernels]))
			return false;
	return true;
}

/*
 * "float4" of VecTypeHint's number: components above, kind of component below (section 3.6).
 * That does not tell "int" from "uint": the latter, as Intel's compiler has it.
 */
static void write_vector_hint(char *to, size_t size, uint32_t hint)
{
	static const char *const kinds[] = { "uchar", "ushort", "uint", "ulong", "half", "float",
		"double" };
	uint32_t kind = hint & 0xffff, n = hint >> 16;

	*to = '\0';
	if (kind < sizeof kinds / sizeof *kinds && n <= 16)
		snprintf(to, size, n > 1 ? "%s%u" : "%s", kinds[kind], n);
}

/* Three operands, numbers or (the …Id modes) constants. */
static void read_size(const struct spirv_module *spirv, const struct spirv_inst *mode, bool are_ids,
	size_t size[3])
{
	for (uint32_t i = 0; i < 3 && 2 + i < mode->n; i++) {
		uint64_t value = mode->operands[2 + i];
		if (are_ids && !spirv_constant(spirv, mode->operands[2 + i], &value))
			value = 0;
		size[i] = (size_t)value;
	}
}

static bool add_attribute(
	struct reader *reader, struct compile_kernel *kernel, const char *name, const char *value)
{
	size_t size = strlen(kernel->attributes) + strlen(name) + strlen(value) + 4;
	char *text = pool_get(&reader->pool, size);

	if (!text)
		return no_memory(reader);
	snprintf(text, size, "%s%s%s(%s)", kernel->attributes, *kernel->attributes ? " " : "", name,
		value);
	kernel->attributes = text;
	return true;
}

static bool read_mode(struct reader *reader, const struct spirv_inst *inst)
{
	const struct spirv_module *spirv = reader->spirv;
	const char *name = NULL;
	size_t *size = NULL;
	char value[80] = "";

	const struct spirv_function *function =
		inst->n < 2 ? NULL : spirv_function_of(spirv, inst->operands[0]);
	const uint32_t number = function ? reader->kernel_of[function - spirv->functions] : 0;
	if (!number)
		return true;
	struct compile_kernel *kernel = &reader->out->kernels[number - 1];
	uint32_t operand = inst->n > 2 ? inst->operands[2] : 0;
	switch (inst->operands[1]) {
	case SpvExecutionModeLocalSize:
	case SpvExecutionModeLocalSizeId:
		name = "reqd_work_group_size";
		size = kernel->work_group_size;
		break;
	case SpvExecutionModeLocalSizeHint:
	case SpvExecutionModeLocalSizeHintId:
		name = "work_group_size_hint";
		size = kernel->work_group_size_hint;
		break;
	case SpvExecutionModeVecTypeHint:
		name = "vec_type_hint";
		write_vector_hint(value, sizeof value, operand);
		break;
	case SpvExecutionModeSubgroupSize:
		name = "intel_reqd_sub_group_size";
		kernel->sub_group_size = operand;
		snprintf(value, sizeof value, "%u", operand);
		break;
	default:
		return true;
	}
	if (size) {
		read_size(spirv, inst, inst->op == SpvOpExecutionModeId, size);
		snprintf(value, sizeof value, "%zu,%zu,%zu", size[0], size[1], size[2]);
	}
	return *value ? add_attribute(reader, kernel, name, value) : true;
}

/* The kernel of that name; usually the one after the last. */
static struct compile_kernel *find_kernel(
	struct reader *reader, const char *name, size_t length, size_t *guess)
{
	struct reflection *out = reader->out;

	for (size_t i = 0; i < out->n_kernels; i++) {
		size_t n = (*guess + i) % out->n_kernels;
		if (strlen(out->kernels[n].name) == length &&
			!memcmp(out->kernels[n].name, name, length)) {
			*guess = n;
			return &out->kernels[n];
		}
	}
	return NULL;
}

/* Bytes up to the comma that ends the next item; commas within brackets do not. */
static size_t item_length(const char *list)
{
	size_t i = 0;
	int depth = 0;

	for (; list[i] && (depth > 0 || list[i] != ','); i++)
		depth += (list[i] == '(') - (list[i] == ')');
	return i;
}

/*
 * Gives each argument its item of the list, of types or of qualifiers; nothing if there are more or
 * fewer items.
 */
static bool share_out(
	struct reader *reader, struct compile_kernel *kernel, const char *list, bool are_types)
{
	size_t n = 0;

	for (const char *at = list; *at; n++) {
		at += item_length(at);
		at += *at == ',';
	}
	for (size_t i = 0; n == kernel->n_args && i < n; i++) {
		struct compile_arg *arg = &kernel->args[i];
		const size_t length = item_length(list);

		if (!are_types)
			arg->qualifiers = reflection_qualifiers(list, length);
		else if (!(arg->type = keep(reader, list, length)))
			return no_memory(reader);
		list += length + (list[length] == ',');
	}
	return true;
}

/* "kernel_arg_type.<kernel>.<item>,<item>,": what the SPIR-V translator keeps of the source. */
static bool read_string(struct reader *reader, const char *text, size_t *guess)
{
	static const char *const starts[] = { "kernel_arg_type.", "kernel_arg_type_qual." };

	for (size_t i = 0; i < 2; i++) {
		const char *name = text + strlen(starts[i]);

		if (strncmp(text, starts[i], strlen(starts[i])) != 0)
			continue;
		const size_t length = strcspn(name, ".");
		struct compile_kernel *kernel =
			name[length] ? find_kernel(reader, name, length, guess) : NULL;
		return !kernel || share_out(reader, kernel, name + length + 1, i == 0);
	}
	return true;
}

static bool read_annotations(struct reader *reader)
{
	struct spirv_inst inst;
	size_t guess = 0;

	SPIRV_EACH(reader->spirv, SPIRV_START, spirv_functions_at(reader->spirv), inst) {
		if ((inst.op == SpvOpExecutionMode || inst.op == SpvOpExecutionModeId) &&
			!read_mode(reader, &inst))
			return false;
		if (inst.op == SpvOpString &&
			!read_string(reader, spirv_text(reader->spirv, inst.at + 2), &guess))
			return false;
	}
	return true;
}

enum compile_status spirv_reflect(struct spirv_module *module, struct reflection *out)
{
	struct reader reader = { .spirv = module, .out = out };

	*out = (struct reflection){ .global_bytes = (size_t)module->global_bytes };
	bool ok = read_kernels(&reader) && read_annotations(&reader) &&
		  ((implicit_args_look(module, out) && spirv_look_at_functions(module, out)) ||
			  no_memory(&reader));
	out->prints = spirv_prints(module);
	free(reader.kernel_of);
	out->pool = reader.pool;
	if (ok)
		return COMPILE_OK;
	reflection_finish(out);
	return reader.status;
}
