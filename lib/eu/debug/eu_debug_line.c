// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_dwarf.h"

enum { LENGTH_BYTES = 4, VERSION_BYTES = 2 };

/* The path in place of the first file of the table, all else as it is. */
static bool put_files(struct eu_debug_bytes *from, const char *path, struct eu_debug_text *out)
{
	const uint8_t *at = from->at;

	while (eu_debug_take_uint(from, 1)) /* folders */
		while (eu_debug_take_uint(from, 1))
			;
	eu_debug_put(out, at, (size_t)(from->at - at));
	if (from->is_bad || !eu_debug_take_uint(from, 1))
		return false;
	while (eu_debug_take_uint(from, 1))
		;
	eu_debug_take_leb(from, false); /* its folder: the path is whole */
	eu_debug_put(out, path, strlen(path) + 1);
	eu_debug_put_uint(out, 0, 1);
	return !from->is_bad;
}

/* How the line program of a unit is to be read: fields of its header. */
struct program {
	int line_base;
	unsigned line_range, first_special;
	const uint8_t *operands; /* how many each standard opcode has, from opcode 1 on */
};

/* An instruction of a line program. */
struct step {
	const uint8_t *at;
	size_t size;
	unsigned opcode; /* DW_LNS_…; 0: an extended one; first_special and more */
	int64_t line;	 /* what is added to the line */
	bool is_row;
};

static bool take_step(struct eu_debug_bytes *from, const struct program *program, struct step *step)
{
	*step = (struct step){ .at = from->at };
	step->opcode = (unsigned)eu_debug_take_uint(from, 1);
	if (step->opcode >= program->first_special) {
		unsigned value = step->opcode - program->first_special;
		step->is_row = true;
		step->line = program->line_base + (int)(value % program->line_range);
	} else if (!step->opcode) {
		eu_debug_take(from, eu_debug_take_leb(from, false));
	} else if (step->opcode == DW_LNS_advance_line) {
		step->line = (int64_t)eu_debug_take_leb(from, true);
	} else if (step->opcode == DW_LNS_fixed_advance_pc) {
		eu_debug_take(from, 2);
	} else {
		step->is_row = step->opcode == DW_LNS_copy;
		for (unsigned i = 0; i < program->operands[step->opcode - 1]; i++)
			eu_debug_take_leb(from, false);
	}
	step->size = (size_t)(from->at - step->at);
	return !from->is_bad;
}

/* Whether the next row behind `from` is of an earlier line. */
static bool goes_back(struct eu_debug_bytes from, const struct program *program)
{
	struct step step;
	int64_t line = 0;

	while (take_step(&from, program, &step)) {
		line += step.line;
		if (step.is_row || !step.opcode)
			return step.is_row && line < 0;
	}
	return false;
}

/*
 * The line program, but for rows that are told to end the prologue and repeat the row before, or of
 * which the next goes back to an earlier line: the next one ends it. IGC 2.40 tells so of a
 * kernel's opening, before arguments are where variables have their place. On Xe-HPG, older IGC
 * gives the line of the return to what loads the payload, part of which no thread executes.
 */
static void put_program(
	struct eu_debug_bytes from, const struct program *program, struct eu_debug_text *out)
{
	bool ends_prologue = false, repeats = false;
	struct step step;

	while (eu_debug_left(&from) && take_step(&from, program, &step)) {
		repeats = repeats && !step.line && step.opcode &&
			  step.opcode != DW_LNS_set_column && step.opcode != DW_LNS_set_file;
		if (step.opcode == DW_LNS_set_prologue_end) {
			ends_prologue = true;
		} else if (!step.is_row || !ends_prologue ||
			   (!repeats && !goes_back(from, program))) {
			if (step.is_row && ends_prologue)
				eu_debug_put_uint(out, DW_LNS_set_prologue_end, 1);
			eu_debug_put(out, step.at, step.size);
			ends_prologue = ends_prologue && !step.is_row;
		} else if (step.opcode != DW_LNS_copy) {
			unsigned value = step.opcode - program->first_special;
			eu_debug_put_uint(out, DW_LNS_advance_pc, 1);
			eu_debug_put_leb(out, value / program->line_range);
			eu_debug_put_uint(out, DW_LNS_advance_line, 1);
			eu_debug_put_sleb(out, step.line);
		}
		repeats = repeats || step.is_row;
	}
}

bool eu_debug_line(struct eu_debug_bytes lines, const char *path, struct eu_debug_text *out)
{
	size_t start = out->size;
	uint64_t length = eu_debug_take_uint(&lines, LENGTH_BYTES);
	const uint8_t *unit = eu_debug_take(&lines, length);

	if (!unit)
		return false;
	struct eu_debug_bytes from = eu_debug_bytes_of(unit, (size_t)length);
	uint64_t version = eu_debug_take_uint(&from, VERSION_BYTES);
	size_t header_size = (size_t)eu_debug_take_uint(&from, LENGTH_BYTES);
	const uint8_t *header = eu_debug_take(&from, header_size);
	size_t fixed = version >= 4 ? 6 : 5;
	if (version > 4 || !header || header_size <= fixed)
		return false;
	const struct program program = { .line_base = (int8_t)header[fixed - 3],
		.line_range = header[fixed - 2],
		.first_special = header[fixed - 1],
		.operands = header + fixed };
	if (!program.line_range || header_size - fixed < program.first_special)
		return false;
	struct eu_debug_bytes table = eu_debug_bytes_of(header, header_size);
	eu_debug_take(&table, fixed + header[fixed - 1] - 1u);
	eu_debug_put_uint(out, 0, LENGTH_BYTES);
	eu_debug_put_uint(out, version, VERSION_BYTES);
	eu_debug_put_uint(out, 0, LENGTH_BYTES);
	size_t begin = out->size;
	eu_debug_put(out, header, (size_t)(table.at - header));
	if (path && !put_files(&table, path, out))
		return false;
	eu_debug_put(out, table.at, eu_debug_left(&table));
	uint32_t new_header = (uint32_t)(out->size - begin);
	put_program(from, &program, out);
	uint32_t whole = (uint32_t)(out->size - start - LENGTH_BYTES);
	if (out->failed)
		return false;
	memcpy(out->bytes + start, &whole, sizeof whole);
	memcpy(out->bytes + begin - LENGTH_BYTES, &new_header, sizeof new_header);
	return true;
}
