// SPDX-License-Identifier: MIT
#include "tool/verify/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/gen_inst.h"
#include "util/util_file.h"

/*
 * The kernel of a batch. r0.1 is the number of the thread group. r10: the thread's offsets in the
 * operands (bytes), in the results (units of 16 bytes) and in memory (bytes), the last also of the
 * vector; r11: the header of messages; r18: the address of memory. Every instruction waits for all
 * before it: what is compared is what each computes.
 */
enum { OPERANDS, RESULTS, MEMORY }; /* entries of the binding table */

/* Descriptors: a header, two registers back; a header, four registers to write. PRM, data port 0.
 */
#define READ_64_BYTES	0x02284300u
#define WRITE_128_BYTES 0x020a0400u

void verify_send(char *text, size_t size, enum gen_generation generation, const char *mask,
	unsigned lanes, unsigned sfid, const char *dst, unsigned src0, unsigned src1, unsigned xlen,
	uint32_t desc)
{
	static const char *const names[] = { [GEN_SFID_NULL] = "null",
		[GEN_SFID_UGML] = "ugml",
		[GEN_SFID_SAMPLER] = "smpl",
		[GEN_SFID_GATEWAY] = "gtwy",
		[GEN_SFID_DC_READ_ONLY] = "dcro",
		[GEN_SFID_DC0] = "dc0",
		[GEN_SFID_DC1] = "dc1",
		[GEN_SFID_SLM] = "slm",
		[GEN_SFID_UGM] = "ugm",
		[GEN_SFID_TGM] = "tgm" };
	char second[16] = "null", extended[16] = "0x0";

	if (xlen)
		snprintf(second, sizeof second, "r%u", src1);
	if (generation == GEN_HPG)
		snprintf(second + strlen(second), sizeof second - strlen(second), ":%u", xlen);
	else
		snprintf(extended, sizeof extended, "0x%x",
			xlen << 6 | (generation < GEN_12 ? sfid : 0));
	if (generation < GEN_12 && !xlen)
		snprintf(text, size, "%s send (%u|M0) %s r%u %s 0x%08x", mask, lanes, dst, src0,
			extended, desc);
	else
		snprintf(text, size, "%s send%s%s (%u|M0) %s r%u %s %s 0x%08x", mask,
			generation < GEN_12 ? "s" : ".", generation < GEN_12 ? "" : names[sfid],
			lanes, dst, src0, second, extended, desc);
}

static const char *const end_of_thread[GEN_GENERATIONS] = {
	[GEN_9] = "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n",
	[GEN_11] = "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n",
	[GEN_12] = "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n",
	[GEN_HPG] = "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}\n",
};

/* An instruction, once all before it is done: a label in its line is its own, not that of the wait.
 */
static void __attribute__((format(printf, 3, 4)))
put(FILE *out, enum gen_generation generation, const char *format, ...)
{
	static const char *const waits[GEN_GENERATIONS] = { [GEN_9] = "",
		[GEN_11] = "",
		[GEN_12] = "sync.nop null {@1}\n",
		[GEN_HPG] = "sync.nop null {A@1}\n" };
	char text[VERIFY_LINES];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	const char *colon = strstr(text, ": ");
	int label = colon ? (int)(colon + 1 - text) : 0;
	fprintf(out, "%s%.*s%s%s\n", waits[generation], label, text, label ? "\n" : "",
		text + label);
}

/* The same for one that completes out of order: a message, a function. */
static void put_slow(FILE *out, enum gen_generation generation, const char *text)
{
	put(out, generation, "%s%s", text, generation < GEN_12 ? "" : " {$0}");
	if (generation >= GEN_12)
		fputs("sync.nop null {$0.dst}\nsync.nop null {$0.src}\n", out);
}

static void put_message(FILE *out, enum gen_generation generation, const char *dst, unsigned xlen,
	unsigned src1, uint32_t desc)
{
	char text[160];

	verify_send(
		text, sizeof text, generation, "(W)", 16, GEN_SFID_DC0, dst, 11, src1, xlen, desc);
	put_slow(out, generation, text);
}

static void put_load(
	FILE *out, enum gen_generation generation, uint8_t type, unsigned to, unsigned source)
{
	char text[16];

	put(out, generation, "(W) add (1|M0) r11.2<1>:ud r10.0<0;1,0>:ud 0x%zx:ud",
		verify_operand_at(type, source));
	snprintf(text, sizeof text, "r%u", to);
	put_message(out, generation, text, 0, 0, READ_64_BYTES | OPERANDS);
}

static void put_store(FILE *out, enum gen_generation generation, size_t index)
{
	put(out, generation, "(W) mov (1|M0) r43.7<1>:ud f0.0<0;1,0>:ud");
	put(out, generation, "(W) add (1|M0) r11.2<1>:ud r10.1<0;1,0>:ud 0x%zx:ud",
		index * VERIFY_GROUPS * VERIFY_RESULT / 16);
	put_message(out, generation, "null", 4, 40, WRITE_128_BYTES | RESULTS);
}

static void put_vector(
	FILE *out, enum gen_generation generation, const struct verify_vector *vector, size_t index)
{
	char text[VERIFY_LINES], *rest = text;

	for (unsigned s = 0; s < VERIFY_SLOTS; s++)
		if (vector->types[s])
			put_load(out, generation, vector->types[s], 20 + 2 * s, s);
	put(out, generation, "(W) add (1|M0) r10.3<1>:ud r10.2<0;1,0>:ud 0x%zx:ud",
		index * VERIFY_GROUPS * VERIFY_MEMORY);
	put(out, generation, "(W) mov (16|M0) r40.0<1>:ud 0xC5C5C5C5:ud");
	put(out, generation, "(W) mov (16|M0) r42.0<1>:ud 0xC5C5C5C5:ud");
	put(out, generation, "(W) mov (1|M0) f0.0<1>:ud 0x5A3C5A3C:ud");
	snprintf(text, sizeof text, "%s", vector->text);
	for (char *line; (line = strsep(&rest, "\n"));)
		if (vector->out_of_order &&
			(strstr(line, "send") || strstr(line, "math") || strstr(line, "dpas")))
			put_slow(out, generation, line);
		else
			put(out, generation, "%s", line);
	put_store(out, generation, index);
}

char *verify_code(const struct verify_vectors *vectors, size_t first, size_t n)
{
	enum gen_generation g = vectors->generation;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	/* Denormals are kept, as Intel's compiler keeps them. */
	put(out, g, "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw%s",
		g < GEN_12 ? " {Switch}" : "");
	put(out, g, "(W) mov (8|M0) r127.0<1>:ud r0.0<1;1,0>:ud");
	put(out, g, "(W) mov (8|M0) r11.0<1>:ud 0x0:ud");
	const unsigned units[] = { VERIFY_OPERAND, VERIFY_RESULT / 16, VERIFY_MEMORY };
	for (unsigned i = 0; i < 3; i++)
		put(out, g, "(W) mul (1|M0) r10.%u<1>:ud r127.1<0;1,0>:ud 0x%x:uw", i, units[i]);
	put_load(out, g, GEN_TYPE_NONE, 18, 0);
	for (size_t i = 0; i < n; i++)
		put_vector(out, g, &vectors->rows[first + i], i);
	fputs(g >= GEN_12 ? g == GEN_HPG ? "sync.nop null {A@1}\n" : "sync.nop null {@1}\n" : "",
		out);
	fputs(end_of_thread[g], out);
	return util_file_text(out, &text);
}
