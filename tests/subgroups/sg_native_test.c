// SPDX-License-Identifier: MIT
/*
 * sg_native_test PLATFORM [write]: what sub-group built-ins and barriers become. Disassembles what
 * was built for the device, asserts native forms of kernels that it also runs, and compares
 * docs/SUBGROUPS.md with what it would write ("write" writes it). Without libiga64, or with another
 * version of the compiler than the file names, the file is not compared.
 */
#include "cl/cl_case.h"
#include "subgroups/sg_program.h"
#include "tool/base/native_tally.h"
#include "tool/base/disasm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 128

static struct disasm *disasm;
static bool write_file;

/* How many instructions of a class a kernel has. */
struct tally {
	char name[64];
	int count;
};

struct listing {
	struct tally tallies[128];
	size_t n;
	int instructions;
};

static struct tally *tally_of(struct listing *listing, const char *name)
{
	for (size_t i = 0; i < listing->n; i++)
		if (!strcmp(listing->tallies[i].name, name))
			return &listing->tallies[i];
	assert_true(listing->n < 128);
	struct tally *tally = &listing->tallies[listing->n++];
	snprintf(tally->name, sizeof tally->name, "%s", name);
	tally->count = 0;
	return tally;
}

/* A move of one lane to all, by a region that does not step. */
static bool is_lane_to_all(const char *line, const char *name)
{
	const char *region = strstr(line, "<0;1,0>");

	return !strcmp(name, "mov") && region && region < line + strcspn(line, "\n") &&
	       !memmem(line, strcspn(line, "\n"), "(1|M", 4);
}

static struct listing list(const void *binary, size_t size, const char *kernel)
{
	struct listing listing = { .n = 0 };
	char why[256] = "", name[64];
	char *text = disasm_kernel(disasm, binary, size, kernel, false, why, sizeof why);

	if (!text)
		fail_msg("%s: %s", kernel, why);
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		native_tally_class(line, name, sizeof name);
		if (!name[0])
			continue;
		if (is_lane_to_all(line, name))
			strcpy(name, "mov <0;1,0>");
		tally_of(&listing, name)->count++;
		listing.instructions++;
	}
	free(text);
	return listing;
}

/* How many instructions have a class whose name contains the text. */
static int count_of(const struct listing *listing, const char *text)
{
	int count = 0;

	for (size_t i = 0; i < listing->n; i++)
		if (strstr(listing->tallies[i].name, text))
			count += listing->tallies[i].count;
	return count;
}

/* Messages and moves across lanes are told apart from arithmetic, which is only counted. */
static bool is_told(const char *name)
{
	return strchr(name, ' ') || !strncmp(name, "sync.bar", 8) || !strncmp(name, "math", 4);
}

static const char *plain_name(const char *name)
{
	static const char *const names[][2] = { { "mov r[a0]", "indirect mov" },
		{ "mov region", "region mov" }, { "mov <0;1,0>", "mov of one lane" } };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i][0]))
			return names[i][1];
	return name;
}

/* "9: 4 indirect mov": the cost and what it is made of. */
static void describe(const struct listing *with, struct listing *without, char *text, size_t size)
{
	int cost = with->instructions - without->instructions;
	size_t length = (size_t)snprintf(text, size, "%d", cost);
	const char *comma = ": ";

	for (size_t i = 0; i < with->n && length < size; i++) {
		const struct tally *tally = &with->tallies[i];
		int more = tally->count - tally_of(without, tally->name)->count;
		if (more <= 0 || !is_told(tally->name))
			continue;
		const char *name = plain_name(tally->name);
		length += more == 1 ? (size_t)snprintf(
					      text + length, size - length, "%s%s", comma, name)
				    : (size_t)snprintf(text + length, size - length, "%s%d %s",
					      comma, more, name);
		comma = ", ";
	}
}

/* Lines of the file: a cell in one way of calling, with its form at each size. */
struct line {
	const struct sg_cell *cell;
	enum sg_calls calls;
	char forms[3][400];
};

static bool is_documented(const struct sg_cell *cell)
{
	const struct sg_row *row = cell->row;

	if (row->refusal == SG_NOT_LINKED || (*row->extension && !cl_has(row->extension)))
		return false;
	return cell->width == 1 || row->width_in_name || cell->width == 4;
}

static bool has_second(const struct sg_cell *cell)
{
	return strstr(cell->row->shape->body, "W(");
}

/* Disassembles a batch in one way of calling, and as it is without the built-ins. */
static void list_batch(struct line *lines, size_t n, unsigned simd, int column)
{
	const struct sg_cell *cells[BATCH];
	void *binaries[3];
	size_t sizes[3];

	for (size_t i = 0; i < n; i++)
		cells[i] = lines[i].cell;
	char *source = sg_source(cells, n, simd);
	for (int calls = 0; calls < 3; calls++) {
		cl_program program;
		char *log;
		if (sg_build(source, simd, (enum sg_calls)calls, &program, &log))
			fail_msg("%s", log);
		binaries[calls] = sg_binary(program, &sizes[calls]);
		CL(clReleaseProgram(program));
		free(log);
	}
	for (size_t i = 0; i < n; i++) {
		char name[16];
		snprintf(name, sizeof name, "c%u", cells[i]->index);
		struct listing with = list(binaries[lines[i].calls], sizes[lines[i].calls], name);
		struct listing without = list(binaries[SG_NO_CALLS], sizes[SG_NO_CALLS], name);
		describe(&with, &without, lines[i].forms[column], sizeof lines[i].forms[column]);
	}
	for (int calls = 0; calls < 3; calls++)
		free(binaries[calls]);
	free(source);
}

static void fill_column(struct line *lines, size_t n, unsigned simd, int column)
{
	size_t done = 0;

	while (done < n) {
		struct line batch[BATCH];
		size_t from[BATCH], n_batch = 0;
		for (; done < n && n_batch < BATCH; done++) {
			struct line *line = &lines[done];
			if (line->calls == SG_W_CALLS)
				continue;
			if (line->cell->row->refusal == SG_NO_SIMD32 && simd == 32) {
				strcpy(line->forms[column], "refused by the compiler");
				continue;
			}
			from[n_batch] = done;
			batch[n_batch++] = *line;
		}
		for (int calls = SG_V_CALLS; calls <= SG_W_CALLS && n_batch; calls++) {
			for (size_t i = 0; i < n_batch; i++)
				batch[i].calls = (enum sg_calls)calls;
			list_batch(batch, n_batch, simd, column);
			for (size_t i = 0; i < n_batch; i++)
				if (calls == SG_V_CALLS || has_second(batch[i].cell))
					strcpy(lines[from[i] + (calls == SG_W_CALLS)].forms[column],
						batch[i].forms[column]);
		}
	}
}

/* How the ways of calling are called. */
static const char *way(const struct line *line)
{
	const char *body = line->cell->row->shape->body;

	if (!has_second(line->cell))
		return "";
	if (strstr(body, "W($F(a[i], S)") || strstr(body, "S), a[i] +"))
		return line->calls == SG_V_CALLS ? ", clusters of 2" : ", clusters of all";
	return line->calls == SG_V_CALLS ? ", a variable" : ", a constant";
}

static bool same_forms(const struct line *a, const struct line *b)
{
	return a->cell->row == b->cell->row && a->calls == b->calls &&
	       !memcmp(a->forms, b->forms, sizeof a->forms);
}

/* Types with the same forms share a line of the table. */
static void put_line(FILE *out, struct line *lines, size_t n, size_t i)
{
	char type[16], function[80];
	const struct line *line = &lines[i];
	const char *comma = "";

	for (size_t k = 0; k < i; k++)
		if (same_forms(&lines[k], line))
			return;
	sg_cell_function(line->cell, function, sizeof function);
	bool image = line->cell->row->shape->image && !strstr(function, "media");
	fprintf(out, "| `%s`%s%s%s | ", function, way(line),
		strstr(line->cell->row->extension, "local_block") ? ", local" : "",
		image ? ", image" : "");
	for (size_t k = i; k < n; k++) {
		if (!same_forms(&lines[k], line))
			continue;
		sg_cell_type(lines[k].cell, type, sizeof type);
		fprintf(out, "%s%s", comma, type);
		comma = ", ";
	}
	fprintf(out, " | %s | %s | %s | yes |\n", line->forms[0], line->forms[1], line->forms[2]);
}

/* Barriers, which are no rows of the matrix. */
static const struct {
	const char *call;
	const char *name;
} barriers[] = {
	{ "sub_group_barrier(CLK_LOCAL_MEM_FENCE)", "sub_group_barrier(local)" },
	{ "sub_group_barrier(CLK_GLOBAL_MEM_FENCE)", "sub_group_barrier(global)" },
	{ "barrier(CLK_LOCAL_MEM_FENCE)", "barrier(local)" },
	{ "barrier(CLK_GLOBAL_MEM_FENCE)", "barrier(global)" },
	{ "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "barrier(local \\| global)" },
	{ "work_group_barrier(CLK_IMAGE_MEM_FENCE)", "work_group_barrier(image)" },
	{ "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device)",
		"work_group_barrier(global, device)" },
	{ "work_group_barrier(0)", "work_group_barrier(0)" },
};

#define N_BARRIERS (sizeof barriers / sizeof *barriers)

/* l[i] = a[i], a call, a[i] = l[i ^ 1]; with n at the end the call is not there. */
static char *barrier_source(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	for (size_t i = 0; i < N_BARRIERS; i++)
		for (int with = 0; with < 2; with++)
			fprintf(out,
				"__attribute__((intel_reqd_sub_group_size(S))) kernel void %c%zu("
				"global uint *a, local uint *l) { uint i = get_local_id(0);\n"
				"l[i] = a[get_global_id(0)]; %s; a[get_global_id(0)] = l[i ^ 1]; "
				"}\n",
				with ? 'b' : 'n', i, with ? barriers[i].call : "");
	fclose(out);
	return text;
}

static cl_program build_barriers(unsigned simd)
{
	char options[64], *source = barrier_source();

	snprintf(options, sizeof options, "-cl-std=CL3.0 -DS=%u", simd);
	cl_program program = cl_build(source, options);
	free(source);
	return program;
}

static void put_barriers(FILE *out)
{
	char name[16], form[400], lines[N_BARRIERS][1024];

	for (size_t i = 0; i < N_BARRIERS; i++)
		snprintf(lines[i], sizeof lines[i], "| `%s` | |", barriers[i].name);
	for (unsigned simd = 8; simd <= 32; simd *= 2) {
		size_t size;
		cl_program program = build_barriers(simd);
		void *binary = sg_binary(program, &size);
		for (size_t i = 0; i < N_BARRIERS; i++) {
			snprintf(name, sizeof name, "b%zu", i);
			struct listing with = list(binary, size, name);
			name[0] = 'n';
			struct listing without = list(binary, size, name);
			describe(&with, &without, form, sizeof form);
			size_t length = strlen(lines[i]);
			snprintf(lines[i] + length, sizeof lines[i] - length, " %s |", form);
		}
		free(binary);
		CL(clReleaseProgram(program));
	}
	for (size_t i = 0; i < N_BARRIERS; i++)
		fprintf(out, "%s yes |\n", lines[i]);
}

/* What the file was made with: the disassembler, and the version of the compiler's description. */
static const char *tools(void)
{
	static const char key[] = "version:";
	static char text[64];
	char *log, version[16] = "";
	cl_program program;
	size_t size;

	CL(sg_build("kernel void k(void) {}", 8, SG_NO_CALLS, &program, &log));
	char *binary = sg_binary(program, &size), *at = memmem(binary, size, key, sizeof key - 1);
	assert_non_null(at);
	at += sizeof key - 1;
	at += strspn(at, " '");
	strncat(version, at, strspn(at, "0123456789.") % sizeof version);
	snprintf(text, sizeof text, "libiga64 %s, .ze_info %s.", disasm_version(disasm), version);
	free(binary);
	free(log);
	CL(clReleaseProgram(program));
	return text;
}

static void put_head(FILE *out)
{
	fprintf(out,
		"# Sub-group built-ins and what they become\n\n"
		"Written by `sg_native_test ZeroCL write`; its test fails when this file is not "
		"what it would write.\nTiger Lake (Gen12LP), %s\n\n"
		"For each sub-group size: how many instructions a kernel has more than the same "
		"kernel without the\nbuilt-in (which adds a variable argument instead), and after "
		"the colon those of "
		"them that are messages, synchronisation,\nor moves across lanes: a *region mov* "
		"reads lanes in another order that the instruction itself\nnames, an *indirect "
		"mov* by addresses in registers. \"0\" means that the built-in costs nothing.\n"
		"*Tested*: every line is run by `sg_matrix_test` or `sg_barrier_test`, over "
		"ZeroCL and Intel's driver.\n\n"
		"| built-in | types | SIMD8 | SIMD16 | SIMD32 | tested |\n"
		"|---|---|---|---|---|---|\n",
		tools());
}

static char *make_text(void)
{
	size_t n_cells, n = 0, size;
	struct sg_cell *cells = sg_cells(&n_cells);
	struct line *lines = calloc(2 * n_cells, sizeof *lines);
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	assert_true(lines && out);
	for (size_t i = 0; i < n_cells; i++) {
		if (!is_documented(&cells[i]))
			continue;
		lines[n].cell = &cells[i];
		lines[n++].calls = SG_V_CALLS;
		if (!has_second(&cells[i]))
			continue;
		lines[n].cell = &cells[i];
		lines[n++].calls = SG_W_CALLS;
	}
	for (int column = 0; column < 3; column++)
		fill_column(lines, n, 8u << column, column);
	put_head(out);
	put_barriers(out);
	for (size_t i = 0; i < n; i++)
		put_line(out, lines, n, i);
	fclose(out);
	free(lines);
	free(cells);
	return text;
}

static char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (file && getdelim(&text, &size, 0, file) < 0) {
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	return text;
}

/* The file says what is so; it is written when asked for. */
static void test_file(void **state)
{
	char *old = read_text(SUBGROUPS_PATH);

	(void)state;
	if (!write_file && (!old || !strstr(old, tools()))) {
		free(old);
		skip_because("docs/SUBGROUPS.md was made with another compiler or disassembler");
	}
	char *text = make_text();
	if (write_file) {
		FILE *file = fopen(SUBGROUPS_PATH, "w");
		assert_non_null(file);
		fputs(text, file);
		assert_int_equal(fclose(file), 0);
	} else if (strcmp(old, text)) {
		size_t at = 0;
		while (old[at] == text[at])
			at++;
		while (at && text[at - 1] != '\n')
			at--;
		fail_msg("docs/SUBGROUPS.md is not current; it should say: %.*s",
			(int)strcspn(text + at, "\n"), text + at);
	}
	free(old);
	free(text);
}

/* Kernels whose form is asserted, and which run. */
static const char asserted[] =
	"#define K __attribute__((intel_reqd_sub_group_size(S))) kernel void\n"
	"K read(global const uint *a, global uint *o)\n"
	"{ o[get_global_id(0)] = intel_sub_group_block_read(a + get_group_id(0) * S); }\n"
	"K read8(global const uint *a, global uint *o)\n"
	"{ uint8 x = intel_sub_group_block_read8(a);\n"
	"  o[get_global_id(0)] = x.s0 + x.s1 + x.s2 + x.s3 + x.s4 + x.s5 + x.s6 + x.s7; }\n"
	"K write(global const uint *a, global uint *o)\n"
	"{ intel_sub_group_block_write(o + get_group_id(0) * S, a[get_global_id(0)]); }\n"
	"K constant_(global const uint *a, global uint *o)\n"
	"{ o[get_global_id(0)] = intel_sub_group_shuffle(a[get_global_id(0)], 3); }\n"
	"K xor_(global const uint *a, global uint *o)\n"
	"{ o[get_global_id(0)] = intel_sub_group_shuffle_xor(a[get_global_id(0)], 1); }\n"
	"K variable(global const uint *a, global uint *o)\n"
	"{ uint x = a[get_global_id(0)];\n"
	"  o[get_global_id(0)] = intel_sub_group_shuffle(x, x % S); }\n"
	"K both(global const uint *a, global uint *o)\n"
	"{ local uint l[64]; l[get_local_id(0)] = a[get_global_id(0)];\n"
	"  barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = l[get_local_id(0) ^ 1]; }\n"
	"K sub(global const uint *a, global uint *o)\n"
	"{ local uint l[64]; l[get_local_id(0)] = a[get_global_id(0)];\n"
	"  sub_group_barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = l[get_local_id(0) ^ 1]; "
	"}\n"
	"K none(global const uint *a, global uint *o)\n"
	"{ local uint l[64]; l[get_local_id(0)] = a[get_global_id(0)];\n"
	"  o[get_global_id(0)] = l[get_local_id(0) ^ 1]; }\n";

static uint32_t expect(const char *kernel, const uint32_t *a, unsigned simd, unsigned i)
{
	uint32_t sum = 0;

	if (!strncmp(kernel, "read8", 5))
		for (unsigned k = 0; k < 8; k++)
			sum += a[k * simd + i % simd];
	if (!strcmp(kernel, "read8"))
		return sum;
	if (!strcmp(kernel, "read") || !strcmp(kernel, "write"))
		return a[i];
	if (!strcmp(kernel, "constant_"))
		return a[i / simd * simd + 3];
	if (!strcmp(kernel, "variable"))
		return a[i / simd * simd + a[i] % simd];
	return a[i ^ 1];
}

/* Runs the kernel of the program, and lists its instructions. */
static struct listing run(cl_program program, const char *name, unsigned simd)
{
	uint32_t a[512], o[64];
	size_t size;
	cl_int rc;
	cl_kernel kernel = clCreateKernel(program, name, &rc);

	CL(rc);
	for (unsigned i = 0; i < 512; i++)
		a[i] = i * 2654435761u;
	memset(o, 0xee, sizeof o);
	cl_mem in = cl_make_buffer(sizeof a, a), out = cl_make_buffer(sizeof o, o);
	cl_set_buffer(kernel, 0, in);
	cl_set_buffer(kernel, 1, out);
	cl_launch(kernel, 64, simd);
	cl_read(out, sizeof o, o);
	for (unsigned i = 0; i < 64; i++)
		assert_int_equal(o[i], expect(name, a, simd, i));
	CL(clReleaseMemObject(in));
	CL(clReleaseMemObject(out));
	CL(clReleaseKernel(kernel));
	void *binary = sg_binary(program, &size);
	struct listing listing = list(binary, size, name);
	free(binary);
	return listing;
}

static int blocks_of(const struct listing *listing)
{
	return count_of(listing, "block read") + count_of(listing, "block write");
}

static void assert_blocks(cl_program program, unsigned simd)
{
	char size[32];
	struct listing read = run(program, "read", simd), write = run(program, "write", simd);
	struct listing read8 = run(program, "read8", simd);

	/* A sub-group's words in OWords: two at SIMD8, four at SIMD16; a message moves eight. */
	snprintf(size, sizeof size, "x%u", simd / 4);
	assert_int_equal(blocks_of(&read), 1);
	assert_int_equal(count_of(&read, size), 1);
	assert_int_equal(blocks_of(&write), 1);
	assert_int_equal(count_of(&write, size), 1);
	assert_int_equal(blocks_of(&read8), 8 * simd / 4 / 8);
	assert_int_equal(count_of(&read8, "x8"), 8 * simd / 4 / 8);
}

static void test_forms(void **state)
{
	unsigned simd = *(unsigned *)*state;
	char options[64], source[sizeof asserted + 64];

	/* Block reads and writes are refused at 32, so that their kernels are not there. */
	const char *rest = simd == 32 ? strstr(asserted, "K constant_") : NULL;
	snprintf(source, sizeof source, "%.*s%s", rest ? (int)strcspn(asserted, "\n") + 1 : 0,
		asserted, rest ? rest : asserted);
	snprintf(options, sizeof options, "-DS=%u", simd);
	cl_program program = cl_build(source, options);
	if (!rest)
		assert_blocks(program, simd);
	struct listing constant = run(program, "constant_", simd);
	struct listing xor = run(program, "xor_", simd);
	struct listing variable = run(program, "variable", simd);
	assert_int_equal(count_of(&constant, "r[a0]"), 0);
	assert_true(count_of(&constant, "<0;1,0>") > 0);
	assert_int_equal(count_of(&xor, "r[a0]"), 0);
	assert_true(count_of(&xor, "region") > 0);
	assert_true(count_of(&variable, "r[a0]") > 0);
	struct listing both = run(program, "both", simd), sub = run(program, "sub", simd);
	struct listing none = run(program, "none", simd);
	assert_int_equal(count_of(&both, "SLM fence"), count_of(&none, "SLM fence") + 1);
	assert_int_equal(count_of(&both, "signal barrier"), 1);
	assert_int_equal(count_of(&both, "sync.bar"), 1);
	assert_int_equal(count_of(&sub, "signal barrier"), 0);
	assert_int_equal(count_of(&sub, "sync.bar"), 0);
	assert_int_equal(count_of(&sub, "fence"), count_of(&none, "fence"));
	CL(clReleaseProgram(program));
}

/* The media block messages that an image block of the cell takes: rows of 32 bytes, whole dwords.
 */
static int messages_of(const struct sg_cell *cell, unsigned simd)
{
	unsigned bytes = simd * sg_types[cell->type].size;

	return strstr(cell->row->name, "media") || bytes < 32 ? 1 : (int)bytes / 32;
}

static void assert_image_blocks(const struct sg_cell *const *cells, size_t n, unsigned simd)
{
	char *source = sg_source(cells, n, simd), *log, name[16];
	cl_program program;
	size_t size;

	if (sg_build(source, simd, SG_V_CALLS, &program, &log))
		fail_msg("%s", log);
	void *binary = sg_binary(program, &size);
	for (size_t i = 0; i < n; i++) {
		bool writes = cells[i]->row->shape->result == SG_IMAGE;
		snprintf(name, sizeof name, "c%u", cells[i]->index);
		struct listing listing = list(binary, size, name);
		int reads = count_of(&listing, "media block read");
		int stores = count_of(&listing, "media block write");
		if ((writes ? stores : reads) != messages_of(cells[i], simd) ||
			(writes ? reads : stores))
			fail_msg("%s%u at SIMD%u: %d media block reads, %d writes",
				cells[i]->row->name, cells[i]->width, simd, reads, stores);
	}
	free(binary);
	CL(clReleaseProgram(program));
	free(source);
	free(log);
}

/* Blocks of images are media blocks, and no more of them than their bytes need. */
static void test_image_blocks(void **state)
{
	size_t n;
	struct sg_cell *cells = sg_cells(&n);

	(void)state;
	for (unsigned simd = 8; simd <= 32; simd *= 2) {
		const struct sg_cell *batch[BATCH];
		size_t n_batch = 0;
		for (size_t i = 0; i < n && n_batch < BATCH; i++)
			if (cells[i].row->shape->image && (simd < 32 || !cells[i].row->refusal))
				batch[n_batch++] = &cells[i];
		assert_true(n_batch >= 28);
		assert_image_blocks(batch, n_batch, simd);
	}
	free(cells);
}

int main(int argc, char **argv)
{
	static unsigned simds[] = { 8, 16, 32 };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(test_forms, &simds[0]),
		cmocka_unit_test_prestate(test_forms, &simds[1]),
		cmocka_unit_test_prestate(test_forms, &simds[2]),
		cmocka_unit_test(test_image_blocks),
		cmocka_unit_test(test_file),
	};
	char why[256];

	write_file = argc > 2 && !strcmp(argv[2], "write");
	disasm = disasm_open(why, sizeof why);
	if (!disasm) {
		printf("%s\n", why);
		return 77;
	}
	int status = CL_RUN(argc, argv, tests);
	disasm_close(disasm);
	return status;
}
