// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_dwarf.h"

#include "eu/debug/eu_debug_memory.h"

#define CIE UINT32_MAX
enum { VERSION = 4, CALL_RETURN = 0, CALL_KERNEL = 8, CALL_SCRATCH = 12, CALL_PRIVATE = 16 };

static bool is_return(uint64_t number)
{
	return number == EU_DEBUG_IGC_IP || number == EU_DEBUG_IGC_RETURN;
}

static void put_header(struct eu_debug_text *out, uint32_t id)
{
	eu_debug_put_uint(out, 0, 4); /* the length, when it is known */
	eu_debug_put_uint(out, id, 4);
}

static void end_entry(struct eu_debug_text *out, size_t start)
{
	while ((out->size - start) % 8)
		eu_debug_put_uint(out, 0, 1);
	uint32_t length = (uint32_t)(out->size - start - 4);
	if (!out->failed)
		memcpy(out->bytes + start, &length, sizeof length);
}

/* Version 4, no augmentation, addresses of 8 bytes, both factors 1, returns to rip. */
static void begin_cie(struct eu_debug_text *out)
{
	put_header(out, CIE);
	eu_debug_put(out, (const uint8_t[]){ VERSION, 0, 8, 0, 1, 1, EU_DEBUG_DWARF_RIP }, 7);
}

static void put_rule(
	struct eu_debug_text *out, unsigned op, int number, const struct eu_debug_text *expression)
{
	eu_debug_put_uint(out, op, 1);
	if (number >= 0)
		eu_debug_put_leb(out, (uint64_t)number);
	eu_debug_put_leb(out, expression->size);
	eu_debug_put(out, expression->bytes, expression->size);
}

/* Adds what an offset in the code is from. */
static void put_code_base(struct eu_debug_text *text)
{
	eu_debug_put_uint(text, DW_OP_const8u, 1);
	eu_debug_put_uint(text,
		EU_DEBUG_REGISTERS + EU_DEBUG_CELLS + EU_DEBUG_CELL_CODE * sizeof(uint64_t), 8);
	eu_debug_put_uint(text, DW_OP_deref, 1);
	eu_debug_put_uint(text, DW_OP_plus, 1);
}

/* The caller's register is where the expression says, plus `offset`, in 4 or (in place) 8 bytes. */
static void put_saved(struct eu_debug_text *out, const struct eu_debug_text *place, unsigned offset,
	unsigned number)
{
	bool in_place = number == EU_DEBUG_DWARF_RBP;
	struct eu_debug_text text = { 0 };

	eu_debug_put(&text, place->bytes, place->size);
	eu_debug_put(&text, (const uint8_t[]){ DW_OP_plus_uconst, (uint8_t)offset }, 2);
	if (!in_place)
		eu_debug_put(&text, (const uint8_t[]){ DW_OP_deref_size, 4 }, 2);
	if (number == EU_DEBUG_DWARF_RIP)
		put_code_base(&text);
	put_rule(out, in_place ? DW_CFA_expression : DW_CFA_val_expression, (int)number, &text);
	out->failed = out->failed || text.failed;
	eu_debug_text_finish(&text);
}

/* The register that calls use is saved as a whole; the return offset is its first dword. */
static bool put_expression_rule(struct eu_debug_bytes *from, struct eu_debug_text *out)
{
	uint64_t number = eu_debug_take_leb(from, false);
	size_t size = (size_t)eu_debug_take_leb(from, false);
	const uint8_t *bytes = eu_debug_take(from, size);
	struct eu_debug_text place = { 0 };
	bool said = bytes && eu_debug_expression(eu_debug_bytes_of(bytes, size), &place);

	if (said && number == EU_DEBUG_IGC_CALL) {
		put_saved(out, &place, CALL_PRIVATE, EU_DEBUG_DWARF_RBP);
		put_saved(out, &place, CALL_SCRATCH, EU_DEBUG_DWARF_R12);
		put_saved(out, &place, CALL_RETURN, EU_DEBUG_DWARF_R13);
		put_saved(out, &place, CALL_KERNEL, EU_DEBUG_DWARF_R14);
	} else if (said && is_return(number)) {
		put_saved(out, &place, CALL_RETURN, EU_DEBUG_DWARF_RIP);
	}
	eu_debug_text_finish(&place);
	return said;
}

static bool put_cfa(struct eu_debug_bytes *from, struct eu_debug_text *out)
{
	size_t size = (size_t)eu_debug_take_leb(from, false);
	const uint8_t *bytes = eu_debug_take(from, size);
	struct eu_debug_text cfa = { 0 };
	bool said = bytes && eu_debug_expression(eu_debug_bytes_of(bytes, size), &cfa);

	if (said)
		put_rule(out, DW_CFA_def_cfa_expression, -1, &cfa);
	eu_debug_text_finish(&cfa);
	return said;
}

/* A register that keeps another's value: only the return address is told so. */
static void put_return_rule(struct eu_debug_bytes *from, struct eu_debug_text *out)
{
	uint64_t number = eu_debug_take_leb(from, false);
	struct eu_debug_text text = { 0 };

	eu_debug_take_leb(from, false);
	if (is_return(number)) {
		eu_debug_put(&text, (const uint8_t[]){ DW_OP_breg0 + EU_DEBUG_DWARF_R13, 0 }, 2);
		put_code_base(&text);
		put_rule(out, DW_CFA_val_expression, EU_DEBUG_DWARF_RIP, &text);
	}
	eu_debug_text_finish(&text);
}

static bool put_instruction(struct eu_debug_bytes *from, struct eu_debug_text *out)
{
	const uint8_t *at = from->at;
	unsigned op = (unsigned)eu_debug_take_uint(from, 1);

	if (op == DW_CFA_def_cfa_expression)
		return put_cfa(from, out);
	if (op == DW_CFA_expression)
		return put_expression_rule(from, out);
	if (op == DW_CFA_register) {
		put_return_rule(from, out);
		return true;
	}
	if (op == DW_CFA_undefined || op == DW_CFA_same_value) {
		uint64_t number = eu_debug_take_leb(from, false);
		if (op == DW_CFA_undefined && is_return(number))
			eu_debug_put(out, (const uint8_t[]){ op, EU_DEBUG_DWARF_RIP }, 2);
		return true;
	}
	if (op >= DW_CFA_advance_loc1 && op <= DW_CFA_advance_loc4)
		eu_debug_take(from, UINT64_C(1) << (op - DW_CFA_advance_loc1));
	else if (op && op >> 6 != DW_CFA_advance_loc >> 6 && op != DW_CFA_remember_state &&
		 op != DW_CFA_restore_state)
		return false;
	eu_debug_put(out, at, (size_t)(from->at - at));
	return true;
}

static bool put_instructions(struct eu_debug_bytes from, struct eu_debug_text *out)
{
	while (eu_debug_left(&from))
		if (!put_instruction(&from, out))
			return false;
	return !from.is_bad;
}

/* Takes an entry of 64-bit DWARF, as IGC writes them. */
static bool take_entry(struct eu_debug_bytes *from, struct eu_debug_bytes *entry)
{
	bool is_64 = eu_debug_take_uint(from, 4) == UINT32_MAX;
	uint64_t length = eu_debug_take_uint(from, 8);
	const uint8_t *bytes = eu_debug_take(from, length);

	*entry = eu_debug_bytes_of(bytes, bytes ? (size_t)length : 0);
	return is_64 && bytes;
}

/* The CIE at an offset. */
static bool put_cie(struct eu_debug_bytes frame, uint64_t offset, struct eu_debug_text *out)
{
	struct eu_debug_bytes from;
	size_t start = out->size;

	if (!eu_debug_take(&frame, offset) || !take_entry(&frame, &from) ||
		eu_debug_take_uint(&from, 8) != UINT64_MAX)
		return false;
	begin_cie(out);
	bool is_known = eu_debug_take_uint(&from, 1) == VERSION && !eu_debug_take_uint(&from, 1);
	eu_debug_take(&from, 2);
	eu_debug_take_leb(&from, false);
	eu_debug_take_leb(&from, true);
	bool done = is_known && is_return(eu_debug_take_leb(&from, false)) &&
		    put_instructions(from, out);
	end_entry(out, start);
	return done;
}

bool eu_debug_frame(struct eu_debug_bytes frame, struct eu_debug_text *out)
{
	struct eu_debug_bytes all = frame, from;
	bool found = false;

	while (eu_debug_left(&frame)) {
		size_t cie = out->size;
		if (!take_entry(&frame, &from))
			return false;
		/* Where its CIE is, relocated by something that is no code. */
		uint64_t id = eu_debug_take_uint(&from, 8), address = eu_debug_take_uint(&from, 8);
		if (id == UINT64_MAX || address & EU_DEBUG_ELSEWHERE)
			continue;
		if (!put_cie(all, id & ~EU_DEBUG_ELSEWHERE, out))
			return false;
		size_t start = out->size;
		put_header(out, (uint32_t)cie);
		eu_debug_put_uint(out, address, 8);
		eu_debug_put_uint(out, eu_debug_take_uint(&from, 8), 8);
		/* What the caller has in general registers is not kept in one place. */
		eu_debug_put(out, (const uint8_t[]){ DW_CFA_undefined, EU_DEBUG_DWARF_RBX }, 2);
		if (!put_instructions(from, out))
			return false;
		end_entry(out, start);
		found = true;
	}
	return found;
}

void eu_debug_frame_of_kernel(struct eu_debug_text *out, uint64_t address, uint64_t bytes)
{
	/* The frame is at rsp, which does not change, and there is no caller. */
	static const uint8_t rules[] = { 0x0c, 7, 0, DW_CFA_undefined, EU_DEBUG_DWARF_RIP };
	size_t cie = out->size;

	begin_cie(out);
	eu_debug_put(out, rules, sizeof rules);
	end_entry(out, cie);
	size_t start = out->size;
	put_header(out, (uint32_t)cie);
	eu_debug_put_uint(out, address, 8);
	eu_debug_put_uint(out, bytes, 8);
	end_entry(out, start);
}
