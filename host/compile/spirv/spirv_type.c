// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_type.h"

#define MAX_SIZE ((uint64_t)1 << 48)
#define WIDEST                                                                                     \
	2048 /* bits: clang's optimizer makes one number of a structure, and the compiler takes it \
	      */

/* The type that an operand names; NULL if it is none that was defined before. */
static const struct spirv_id *part(
	const struct spirv_module *spirv, const struct spirv_inst *inst, uint32_t operand)
{
	if (operand >= inst->n || inst->operands[operand] >= spirv->bound)
		return NULL;
	const struct spirv_id *id = &spirv->ids[inst->operands[operand]];
	return id->at && id->at < inst->at ? id : NULL;
}

static bool layout_number(const struct spirv_inst *inst, struct spirv_id *id)
{
	if (inst->n < 2 || inst->operands[1] > WIDEST || inst->operands[1] % 8)
		return false;
	id->size = id->align = inst->operands[1] / 8;
	return true;
}

static bool layout_vector(
	const struct spirv_module *spirv, const struct spirv_inst *inst, struct spirv_id *id)
{
	const struct spirv_id *element = part(spirv, inst, 1);

	/* One component is not allowed; clang makes such constants, and the compiler takes them. */
	if (!element || inst->n < 3 || inst->operands[2] < 1 || inst->operands[2] > 16 ||
		element->size > 8)
		return false;
	uint32_t n = inst->operands[2] == 3 ? 4 : inst->operands[2];
	id->size = element->size * n;
	id->align = (uint32_t)id->size;
	return true;
}

static bool layout_array(
	const struct spirv_module *spirv, const struct spirv_inst *inst, struct spirv_id *id)
{
	const struct spirv_id *element = part(spirv, inst, 1);
	uint64_t n;

	if (!element || inst->n < 3)
		return false;
	/* A length that a specialization constant works out is not known here: no size. */
	if (!spirv_constant(spirv, inst->operands[2], &n))
		return true;
	if (element->size && n > MAX_SIZE / element->size)
		return false;
	id->size = element->size * n;
	id->align = element->align;
	return true;
}

static bool layout_struct(
	const struct spirv_module *spirv, const struct spirv_inst *inst, struct spirv_id *id)
{
	uint64_t size = 0;
	uint32_t align = 1;

	for (uint32_t i = 1; i < inst->n; i++) {
		const struct spirv_id *member = part(spirv, inst, i);
		struct spirv_inst forward;
		/* Only a pointer may be named before it is defined. */
		uint64_t member_size = member ? member->size : spirv->pointer_size;
		uint32_t member_align = member ? member->align : spirv->pointer_size;
		if (!member && (inst->operands[i] >= spirv->bound ||
				       spirv_definition(spirv, inst->operands[i], &forward)))
			return false;
		if (id->flags & SPIRV_PACKED || !member_align)
			member_align = 1;
		if (member_align > align)
			align = member_align;
		size = (size + member_align - 1) / member_align * member_align + member_size;
		if (size > MAX_SIZE)
			return false;
	}
	id->size = (size + align - 1) / align * align;
	id->align = align;
	return true;
}

bool spirv_type_layout(
	const struct spirv_module *spirv, const struct spirv_inst *inst, struct spirv_id *id)
{
	switch (inst->op) {
	case SpvOpTypeBool:
		id->size = id->align = 1;
		return true;
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
		return layout_number(inst, id);
	case SpvOpTypeVector:
		return layout_vector(spirv, inst, id);
	case SpvOpTypeArray:
		return layout_array(spirv, inst, id);
	case SpvOpTypeStruct:
		return layout_struct(spirv, inst, id);
	case SpvOpTypePointer:
		if (inst->n < 3 || inst->operands[2] >= spirv->bound)
			return false;
		id->size = id->align = spirv->pointer_size;
		return true;
	case SpvOpTypeImage:
	case SpvOpTypeSampler:
	case SpvOpTypeEvent:
	case SpvOpTypeDeviceEvent:
	case SpvOpTypeReserveId:
	case SpvOpTypeQueue:
	case SpvOpTypePipe:
		id->size = id->align = spirv->pointer_size;
		return true;
	default:
		return true;
	}
}
