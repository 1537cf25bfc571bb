// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include "elf_view.h"
#include "compile/build/compile.h"
#include "compile/zebin/reflect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reflection of programs that the real compiler made, whole and damaged. */

static const char source[] =
	"struct pair { int a; char b; };\n"
	"struct big { struct pair p[3]; float4 v; char c; };\n"
	"struct __attribute__((packed)) tight { char c; int i; short s; };\n"
	"typedef struct { uchar3 u; double_or_long d; } named;\n"
	"constant int table[4] = { 1, 2, 3, 4 };\n"
	"__attribute__((reqd_work_group_size(16, 2, 1)))\n"
	"__attribute__((intel_reqd_sub_group_size(16)))\n"
	"kernel void many(global const uint *restrict in, global volatile float4 *out,\n"
	"	constant int *c, local int *l, struct big st, uint3 v, char ch,\n"
	"	read_only image2d_t img, sampler_t smp, write_only image3d_t im3,\n"
	"	global struct pair *ps, int n, struct tight t, named m, half8 h)\n"
	"{\n"
	"	local float tile[64];\n"
	"	size_t i = get_global_id(0), k = get_local_id(0);\n"
	"	l[k] = in[i]; tile[k] = h.s3 + vload_half(0, (half *)&h);\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	out[i] = l[15 - k] + st.c + st.p[1].b + v.y + ch + n + ps[i].a + tile[63 - k]\n"
	"		+ c[i] + table[i & 3] + t.i + m.u.y + (float)m.d\n"
	"		+ read_imagef(img, smp, (float2)(v.x, v.y));\n"
	"	write_imagef(im3, (int4)(0), out[i]);\n"
	"}\n"
	"__attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(8, 1, 1)))\n"
	"kernel void hinted(global float *p, ulong x, float4 y, uchar3 h) { p[x] = y.x + h.z; }\n"
	"__attribute__((vec_type_hint(ushort16))) kernel void hinted_whole(global int *p) { *p = "
	"1; }\n"
	"kernel void bare() {}\n"
	"kernel void deep(global float *a, int n)\n"
	"{\n"
	"	float x[4096];\n"
	"	for (int i = 0; i < 4096; i++) x[i] = a[i];\n"
	"	for (int i = 0; i < n; i++) x[(i * 7) & 4095] += x[i & 4095] * a[i];\n"
	"	float s = 0; for (int i = 0; i < 4096; i++) s += x[i];\n"
	"	a[n] = s;\n"
	"}\n";

static struct compile_result program;
static struct reflection reflection;

static void make(const char *text, const char *options, struct compile_result *result)
{
	const struct compile_request request = {
		.source = text,
		.source_size = strlen(text),
		.options = options,
		.family = "tgllp",
		.outputs = COMPILE_SPIRV | COMPILE_NATIVE,
	};

	if (compile_build(&request, result) != COMPILE_OK)
		fail_msg("%s", result->log);
}

static int setup(void **state)
{
	char why[256];

	(void)state;
	make(source, "-Ddouble_or_long=long", &program);
	enum compile_status status = compile_reflect(program.spirv, program.spirv_size,
		program.native, program.native_size, &reflection, why, sizeof why);
	if (status != COMPILE_OK)
		fail_msg("%s", why);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	reflection_finish(&reflection);
	compile_result_finish(&program);
	return 0;
}

static const struct compile_kernel *kernel(const char *name)
{
	const struct compile_kernel *found = reflection_find(&reflection, name);

	assert_non_null(found);
	return found;
}

static void kernels_are_listed(void **state)
{
	static const char *const names[] = { "many", "hinted", "hinted_whole", "bare", "deep" };

	(void)state;
	assert_int_equal(reflection.n_kernels, 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(reflection.kernels[i].name, names[i]);
	assert_null(reflection_find(&reflection, "Intel_Symbol_Table_Void_Program"));
	assert_null(reflection_find(&reflection, "man"));
	assert_int_equal(kernel("bare")->n_args, 0);
}

#define NO_ACCESS CL_KERNEL_ARG_ACCESS_NONE
#define PRIVATE	  CL_KERNEL_ARG_ADDRESS_PRIVATE
#define GLOBAL	  CL_KERNEL_ARG_ADDRESS_GLOBAL
#define CONSTANT  CL_KERNEL_ARG_ADDRESS_CONSTANT
#define LOCAL	  CL_KERNEL_ARG_ADDRESS_LOCAL
#define CONST_	  CL_KERNEL_ARG_TYPE_CONST

static void arguments_are_described(void **state)
{
	static const struct compile_arg expected[] = {
		{ COMPILE_ARG_BUFFER, 8, GLOBAL, NO_ACCESS, CONST_ | CL_KERNEL_ARG_TYPE_RESTRICT,
			false, "uint*", "in" },
		{ COMPILE_ARG_BUFFER, 8, GLOBAL, NO_ACCESS, CL_KERNEL_ARG_TYPE_VOLATILE, false,
			"float4*", "out" },
		{ COMPILE_ARG_BUFFER, 8, CONSTANT, NO_ACCESS, CONST_, false, "int*", "c" },
		{ COMPILE_ARG_LOCAL, 0, LOCAL, NO_ACCESS, 0, false, "int*", "l" },
		{ COMPILE_ARG_VALUE, 64, PRIVATE, NO_ACCESS, 0, false, "struct big", "st" },
		{ COMPILE_ARG_VALUE, 16, PRIVATE, NO_ACCESS, 0, false, "uint3", "v" },
		{ COMPILE_ARG_VALUE, 1, PRIVATE, NO_ACCESS, 0, false, "char", "ch" },
		{ COMPILE_ARG_IMAGE, 8, GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY, 0, false,
			"image2d_t", "img" },
		{ COMPILE_ARG_SAMPLER, 8, PRIVATE, NO_ACCESS, 0, false, "sampler_t", "smp" },
		{ COMPILE_ARG_IMAGE, 8, GLOBAL, CL_KERNEL_ARG_ACCESS_WRITE_ONLY, 0, false,
			"image3d_t", "im3" },
		{ COMPILE_ARG_BUFFER, 8, GLOBAL, NO_ACCESS, 0, false, "struct pair*", "ps" },
		{ COMPILE_ARG_VALUE, 4, PRIVATE, NO_ACCESS, 0, false, "int", "n" },
		{ COMPILE_ARG_VALUE, 7, PRIVATE, NO_ACCESS, 0, false, "struct tight", "t" },
		{ COMPILE_ARG_VALUE, 16, PRIVATE, NO_ACCESS, 0, false, "named", "m" },
		{ COMPILE_ARG_VALUE, 16, PRIVATE, NO_ACCESS, 0, false, "half8", "h" },
	};
	const struct compile_kernel *many = kernel("many");

	(void)state;
	assert_int_equal(many->n_args, sizeof expected / sizeof *expected);
	for (size_t i = 0; i < many->n_args; i++) {
		const struct compile_arg *arg = &many->args[i];
		print_message("argument %zu: %s %s\n", i, arg->type, arg->name);
		assert_int_equal(arg->kind, expected[i].kind);
		assert_int_equal(arg->size, expected[i].size);
		assert_int_equal(arg->is_buffer_image, expected[i].is_buffer_image);
		assert_int_equal(arg->address, expected[i].address);
		assert_int_equal(arg->access, expected[i].access);
		assert_int_equal(arg->qualifiers, expected[i].qualifiers);
		assert_string_equal(arg->type, expected[i].type);
		assert_string_equal(arg->name, expected[i].name);
	}
}

/* Behind "- name: <kernel>" in a list of kernels, which has an order of its own. */
static const char *find_kernel(const char *list, const char *kernel)
{
	static const char key[] = "- name:";
	const size_t length = strlen(kernel);

	for (const char *at = list; (at = strstr(at, key));) {
		at += sizeof key - 1;
		at += strspn(at, " ");
		if (!strncmp(at, kernel, length) && at[length] == '\n')
			return at;
	}
	fail_msg("%s is not in the list", kernel);
	return NULL;
}

/* IGC's metadata has "type_name: 'struct big;64'" of each argument: the same sizes, its way. */
static void sizes_are_those_of_the_compiler(void **state)
{
	size_t checked = 0;

	(void)state;
	const struct elf_file_section ze_info =
		view_section(program.native, program.native_size, ELF_FILE_ZE_INFO, NULL);
	char *text = strndup(ze_info.data, ze_info.size);
	const char *info = strstr(text, "kernels_misc_info:");
	assert_non_null(info);
	for (size_t k = 0; k < reflection.n_kernels; k++) {
		const struct compile_kernel *one = &reflection.kernels[k];
		/* Those without arguments may be missing. */
		const char *at = one->n_args ? find_kernel(info, one->name) : NULL;
		for (size_t i = 0; i < one->n_args; i++) {
			char type[128];
			unsigned size;
			at = strstr(at, "type_name:");
			assert_non_null(at);
			assert_int_equal(sscanf(at, "type_name: '%127[^;];%u'", type, &size), 2);
			assert_string_equal(type, one->args[i].type);
			if (one->args[i].kind != COMPILE_ARG_LOCAL)
				assert_int_equal(size, one->args[i].size);
			checked++;
			at++;
		}
	}
	assert_int_equal(checked, 15 + 4 + 1 + 2);
	free(text);
}

static void attributes_are_read(void **state)
{
	const struct compile_kernel *many = kernel("many"), *hinted = kernel("hinted");

	(void)state;
	assert_string_equal(
		many->attributes, "reqd_work_group_size(16,2,1) intel_reqd_sub_group_size(16)");
	assert_int_equal(many->work_group_size[0], 16);
	assert_int_equal(many->work_group_size[1], 2);
	assert_int_equal(many->work_group_size[2], 1);
	assert_int_equal(many->work_group_size_hint[0], 0);
	assert_int_equal(many->sub_group_size, 16);
	assert_string_equal(
		hinted->attributes, "work_group_size_hint(8,1,1) vec_type_hint(float4)");
	assert_int_equal(hinted->work_group_size_hint[0], 8);
	assert_int_equal(hinted->work_group_size[0], 0);
	assert_int_equal(hinted->sub_group_size, 0);
	assert_string_equal(kernel("hinted_whole")->attributes, "vec_type_hint(ushort16)");
	assert_string_equal(kernel("bare")->attributes, "");
}

static void native_code_is_measured(void **state)
{
	const struct compile_kernel *many = kernel("many"), *deep = kernel("deep");

	(void)state;
	assert_int_equal(many->simd_size, 16);
	assert_int_equal(many->local_bytes, 256);
	assert_int_equal(many->barriers, 1);
	assert_int_equal(many->grf_count, 128);
	assert_int_equal(many->private_bytes, 0);
	assert_int_equal(deep->local_bytes, 0);
	assert_int_equal(deep->barriers, 0);
	assert_int_equal(deep->private_bytes, 16384);
	for (size_t i = 0; i < reflection.n_kernels; i++) {
		size_t simd = reflection.kernels[i].simd_size;
		assert_true(simd == 8 || simd == 16 || simd == 32);
	}
}

static void global_variables_are_counted(void **state)
{
	struct compile_result other = { 0 };
	struct reflection read;

	(void)state;
	make("global int a[10]; global char b; constant int c = 3;\n"
	     "kernel void k(global int *p) { p[0] = a[p[1]] + b + c; a[0] = p[2]; }",
		"-cl-std=CL2.0", &other);
	assert_int_equal(compile_reflect(other.spirv, other.spirv_size, other.native,
				 other.native_size, &read, NULL, 0),
		COMPILE_OK);
	assert_int_equal(read.global_bytes, 41);
	assert_int_equal(reflection.global_bytes, 0);
	reflection_finish(&read);
	compile_result_finish(&other);
}

static void spirv_alone_will_do(void **state)
{
	struct reflection read;

	(void)state;
	assert_int_equal(
		compile_reflect(program.spirv, program.spirv_size, NULL, 0, &read, NULL, 0),
		COMPILE_OK);
	assert_int_equal(read.n_kernels, 5);
	assert_int_equal(read.kernels[0].simd_size, 0);
	assert_int_equal(read.kernels[0].args[4].size, 64);
	reflection_finish(&read);
}

/* The same module from a machine of the other byte order, and at an odd address. */
static void byte_order_and_alignment_do_not_matter(void **state)
{
	struct reflection read;
	unsigned char *copy = malloc(program.spirv_size + 1);
	const unsigned char *from = program.spirv;

	(void)state;
	for (size_t i = 0; i < program.spirv_size; i++)
		copy[1 + (i ^ 3)] = from[i];
	assert_int_equal(
		compile_reflect(copy + 1, program.spirv_size, NULL, 0, &read, NULL, 0), COMPILE_OK);
	assert_int_equal(read.n_kernels, 5);
	assert_string_equal(read.kernels[0].args[4].type, "struct big");
	assert_int_equal(read.kernels[0].args[4].size, 64);
	reflection_finish(&read);
	free(copy);
}

static void parts_must_belong_together(void **state)
{
	struct compile_result other = { 0 };
	struct reflection read;
	char why[256] = "";

	(void)state;
	make("kernel void other(global int *a) { a[0] = 1; }", "", &other);
	assert_int_equal(compile_reflect(program.spirv, program.spirv_size, other.native,
				 other.native_size, &read, why, sizeof why),
		COMPILE_ERROR);
	assert_non_null(strstr(why, "does not have kernel many"));
	assert_int_equal(read.n_kernels, 0);
	assert_null(read.pool);
	assert_int_equal(compile_reflect(program.spirv, program.spirv_size, program.spirv,
				 program.spirv_size, &read, why, sizeof why),
		COMPILE_ERROR);
	assert_non_null(strstr(why, "no zebin"));
	assert_int_equal(compile_reflect(NULL, 0, NULL, 0, &read, why, sizeof why), COMPILE_ERROR);
	compile_result_finish(&other);
}

static uint64_t seed = 20240229;

static uint32_t next_random(void)
{
	return (uint32_t)test_random(&seed);
}

/* A copy of exactly its size, so that the address sanitizer sees the first byte too much. */
static unsigned char *damaged(const void *data, size_t *size)
{
	static const uint32_t values[] = { 0, 1, 2, 0xff, 0xffff, 0x7fffffff, 0x80000000, ~0u };
	unsigned char *copy = malloc(*size);
	unsigned n = 1 + (next_random() >> 16) % 4;

	memcpy(copy, data, *size);
	for (unsigned i = 0; i < n; i++) {
		size_t at = (next_random() >> 4) % (*size - 4);
		uint32_t value = values[(next_random() >> 16) % 8];
		if (next_random() & 0x10000)
			value = next_random();
		if (next_random() & 0x10000)
			at &= ~(size_t)3;
		memcpy(copy + at, &value, next_random() & 0x10000 ? 4 : 1);
	}
	if (!(next_random() >> 16 & 15))
		*size = (next_random() >> 8) % *size;
	unsigned char *exact = malloc(*size ? *size : 1);
	memcpy(exact, copy, *size);
	free(copy);
	return exact;
}

/* Every answer is allowed but a crash, a hang and a half-made one. */
static void damage_is_survived(void **state)
{
	const char *asked = getenv("ZEROCL_FUZZ_ROUNDS");
	int rounds = asked ? atoi(asked) : 6000, taken = 0, refused = 0;

	(void)state;
	for (int i = 0; i < rounds; i++) {
		struct reflection read;
		char why[256] = "";
		size_t spirv_size = program.spirv_size, native_size = program.native_size;
		bool is_native = i & 1;
		unsigned char *copy = is_native ? damaged(program.native, &native_size)
						: damaged(program.spirv, &spirv_size);
		enum compile_status status = compile_reflect(is_native ? program.spirv : copy,
			spirv_size, is_native ? copy : program.native, native_size, &read, why,
			sizeof why);
		if (status == COMPILE_OK) {
			size_t sum = 0;
			for (size_t k = 0; k < read.n_kernels; k++) {
				sum += strlen(read.kernels[k].name) +
				       strlen(read.kernels[k].attributes);
				for (size_t a = 0; a < read.kernels[k].n_args; a++)
					sum += strlen(read.kernels[k].args[a].type) +
					       strlen(read.kernels[k].args[a].name);
			}
			assert_true(sum < 1 << 20);
			taken++;
		} else {
			assert_int_equal(status, COMPILE_ERROR);
			assert_true(*why);
			assert_null(read.pool);
			refused++;
		}
		reflection_finish(&read);
		free(copy);
	}
	print_message("%d taken, %d refused\n", taken, refused);
	/* The damage must neither always nor never be seen, or this tests nothing. */
	assert_true(rounds < 100 || (taken > rounds / 50 && refused > rounds / 50));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_are_listed),
		cmocka_unit_test(arguments_are_described),
		cmocka_unit_test(sizes_are_those_of_the_compiler),
		cmocka_unit_test(attributes_are_read),
		cmocka_unit_test(native_code_is_measured),
		cmocka_unit_test(global_variables_are_counted),
		cmocka_unit_test(spirv_alone_will_do),
		cmocka_unit_test(byte_order_and_alignment_do_not_matter),
		cmocka_unit_test(parts_must_belong_together),
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests_name("reflect", tests, setup, teardown);
}
