// SPDX-License-Identifier: MIT
#include "test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen_text.h"

static bool take(const char **at, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*at, word, length) != 0)
		return false;
	*at += length;
	return true;
}

static unsigned number(const char **at)
{
	char *end;
	unsigned long value = strtoul(*at, &end, 10);

	assert_ptr_not_equal(end, *at);
	*at = end;
	return (unsigned)value;
}

static void name(const char **at, char *out, size_t size)
{
	size_t length = 0;

	while (isalpha((unsigned char)**at) && length + 1 < size)
		out[length++] = *(*at)++;
	out[length] = '\0';
}

static void word(const char **at, char *out, size_t size)
{
	size_t length = 0;

	while (isalnum((unsigned char)**at) && length + 1 < size)
		out[length++] = *(*at)++;
	out[length] = '\0';
}

static void blanks(const char **at)
{
	while (**at == ' ')
		(*at)++;
}

/* "f1.0" */
static unsigned flag(const char **at)
{
	unsigned reg;

	assert_true(take(at, "f"));
	reg = number(at);
	assert_true(take(at, "."));
	return reg * 2 + number(at);
}

/* "(W&~f0.0.any8h)" */
static void parse_predicate(const char **at, struct text_inst *out)
{
	if (!take(at, "("))
		return;
	out->no_mask = take(at, "W");
	if (out->no_mask)
		take(at, "&");
	out->inverted = take(at, "~");
	if (**at == 'f') {
		out->predicated = true;
		out->predicate_flag = flag(at);
		if (take(at, ".")) {
			size_t length = 0;

			while (**at != ')' && length + 1 < sizeof(out->group))
				out->group[length++] = *(*at)++;
		}
	}
	assert_true(take(at, ")"));
}

static void parse_region(const char **at, struct text_operand *out)
{
	if (!take(at, "<"))
		return;
	for (;;) {
		out->region[out->region_count++] = number(at);
		if (take(at, ">"))
			return;
		if (!out->separator)
			out->separator = **at;
		(*at)++;
		assert_true(out->region_count < 3);
	}
}

static void parse_register(const char **at, struct text_operand *out)
{
	name(at, out->file, sizeof(out->file));
	if (strcmp(out->file, "nul") == 0) {
		out->null = take(at, "l");
		assert_true(out->null);
	} else if (take(at, "[")) {
		out->indirect = true;
		assert_true(take(at, "a0."));
		out->sub = number(at);
		if (take(at, ",")) {
			bool minus = take(at, "-");

			out->offset = (int)number(at);
			out->offset = minus ? -out->offset : out->offset;
		}
		assert_true(take(at, "]"));
	} else if (isdigit((unsigned char)**at)) {
		out->reg = number(at);
		if (take(at, "."))
			out->sub = number(at);
	}
	parse_region(at, out);
}

static void parse_operand(const char **at, struct text_operand *out)
{
	char *end;

	out->present = true;
	out->saturated = take(at, "(sat)");
	if (**at == 'L') {
		(*at)++;
		out->label = true;
		out->target = number(at);
		return;
	}
	if (isdigit((unsigned char)**at) || (**at == '-' && isdigit((unsigned char)(*at)[1]))) {
		out->immediate = true;
		out->bits = **at == '-' ? (uint64_t)strtoll(*at, &end, 0) : strtoull(*at, &end, 0);
		assert_true(*end == ':' || *end == ' ' || *end == '\0' || *end == '\n');
		*at = end;
	} else {
		out->negated = take(at, "-") || take(at, "~");
		out->absolute = take(at, "(abs)");
		parse_register(at, out);
	}
	if (!take(at, ":"))
		return;
	if (isdigit((unsigned char)**at))
		out->length = number(at);
	else
		name(at, out->type, sizeof(out->type));
}

/* "{Compacted,@1,$4.dst}" */
static void parse_options(const char *at, struct text_inst *out)
{
	out->compacted = strstr(at, "Compacted") != NULL;
	out->acc_wr_en = strstr(at, "AccWrEn") != NULL;
	out->end_of_thread = strstr(at, "EOT") != NULL;
}

/* The table of truth of "(s0&s1|~s0&s2)", operators of the level given and above: | ^ & ~. */
static uint8_t truth(const char **at, unsigned level)
{
	static const char operators[] = "|^&";
	static const uint8_t sources[] = { 0xaa, 0xcc, 0xf0 };
	uint8_t value;

	if (level == 3) {
		if (take(at, "~"))
			return (uint8_t)~truth(at, 3);
		if (take(at, "(")) {
			value = truth(at, 0);
			assert_true(take(at, ")"));
			return value;
		}
		assert_true(take(at, "s") && **at >= '0' && **at <= '2');
		return sources[*(*at)++ - '0'];
	}
	value = truth(at, level + 1);
	while (**at == operators[level]) {
		uint8_t right;

		(*at)++;
		right = truth(at, level + 1);
		value = level == 0 ? value | right : level == 1 ? value ^ right : value & right;
	}
	return value;
}

bool text_parse(const char *line, struct text_inst *out)
{
	const char *at = line;
	char *end;

	memset(out, 0, sizeof(*out));
	out->exec_size = 1; /* the text leaves that of a jmpi before Gen12 out */
	if (!take(&at, "/* ["))
		return false;
	out->pc = (uint32_t)strtoul(at, &end, 16);
	at = end;
	assert_true(take(&at, "]"));
	blanks(&at);
	assert_true(take(&at, "*/"));
	blanks(&at);
	parse_predicate(&at, out);
	blanks(&at);
	word(&at, out->mnemonic, sizeof(out->mnemonic));
	if (take(&at, ".")) {
		if (*at == '(')
			out->truth = truth(&at, 3);
		else
			word(&at, out->function, sizeof(out->function));
	}
	blanks(&at);
	if (take(&at, "(")) {
		if (isdigit((unsigned char)*at)) {
			out->exec_size = number(&at);
			assert_true(take(&at, "|M"));
			out->channel_offset = number(&at);
			assert_true(take(&at, ")"));
		} else {
			at--; /* the list of a sync */
		}
	}
	blanks(&at);
	if (*at == '(' && strncmp(at, "(sat)", 5) != 0 && strncmp(at, "(abs)", 5) != 0 &&
		*(at + 1) != '$') {
		at++;
		name(&at, out->cond, sizeof(out->cond));
		assert_true(take(&at, ")"));
		out->cond_flag = flag(&at);
		blanks(&at);
	}
	if (strcmp(out->mnemonic, "sync") == 0)
		at += strcspn(at, "{\n");
	while (*at && *at != '\n' && *at != '{' && strncmp(at, "//", 2) != 0) {
		assert_true(out->operand_count < 6);
		parse_operand(&at, &out->operand[out->operand_count++]);
		blanks(&at);
	}
	if (*at == '{')
		parse_options(at, out);
	return true;
}
