// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile.h"

#include <string.h>

static void right_options_pass(void **state)
{
	static const char *const options[] = {
		NULL,
		"",
		"  \t\n",
		"-DX",
		"-D X",
		"-D\tX=1",
		"-D X=1 -DY=2",
		"-D \"X=1 + 2\"",
		"-DX=\"a b\"",
		"-D\"X=1\"",
		"-DF(x)=x",
		"-I /usr/include -I.",
		"-I \"a folder\"",
		"-cl-std=CL1.1",
		"-cl-std=CL1.2 -w -Werror",
		"-cl-std=CL2.0",
		"-cl-std=CL3.0",
		"-cl-single-precision-constant -cl-denorms-are-zero",
		"-cl-fp32-correctly-rounded-divide-sqrt -cl-opt-disable",
		"-cl-mad-enable -cl-no-signed-zeros -cl-unsafe-math-optimizations",
		"-cl-finite-math-only -cl-fast-relaxed-math",
		"-cl-uniform-work-group-size -cl-no-subgroup-ifp -cl-kernel-arg-info",
		"-g -s /tmp/k.cl",
		"-x spir -spir-std=1.2",
		"-cl-intel-greater-than-4GB-buffer-required",
		"-ze-opt-large-register-file",
	};

	(void)state;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		char why[128] = "untouched";
		if (compile_check_options(options[i], why, sizeof why) != COMPILE_OK)
			fail_msg("%s: %s", options[i], why);
		assert_string_equal(why, "untouched");
	}
}

static void wrong_options_do_not(void **state)
{
	static const struct {
		const char *options, *why;
	} wrong[] = {
		{ "-foo", "build option -foo: unknown" },
		{ "foo", "build option foo: unknown" },
		{ "-w -O3", "build option -O3: unknown" },
		{ "-D", "build option -D: nothing follows" },
		{ "-w -D  ", "build option -D: nothing follows" },
		{ "-D 1x", "build option -D: no macro follows" },
		{ "-D=", "build option -D=: no macro follows" },
		{ "-DX-1", "build option -DX-1: no macro follows" },
		{ "-I", "build option -I: nothing follows" },
		{ "-D \"X=1", "build option -D: a quote is not closed" },
		{ "-DX=\"", "build option -DX=\": a quote is not closed" },
		{ "-cl-std=CL1.0",
			"build option -cl-std=CL1.0: its value is not one that the specification "
			"has" },
		{ "-cl-std=", "build option -cl-std=: nothing follows" },
		{ "-cl-std=CL", NULL },
		{ "-cl-std CL1.2", "build option -cl-std: unknown" },
		{ "-cl-std=CL1.2 CL2.0", NULL },
		{ "-x c", NULL },
		{ "-werror", NULL },
		{ "-cl-mad-enabled", NULL },
		{ "-Werror=x", NULL },
		{ "-create-library", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char why[128] = "";
		if (compile_check_options(wrong[i].options, why, sizeof why) != COMPILE_BAD_OPTIONS)
			fail_msg("%s passes", wrong[i].options);
		if (wrong[i].why)
			assert_string_equal(why, wrong[i].why);
		assert_int_equal(strncmp(why, "build option ", 13), 0);
		assert_int_equal(
			compile_check_options(wrong[i].options, NULL, 0), COMPILE_BAD_OPTIONS);
	}
}

static void sentences_fit(void **state)
{
	char options[5000], why[16];

	(void)state;
	memset(options, 'x', sizeof options - 1);
	options[sizeof options - 1] = '\0';
	memset(why, '#', sizeof why);
	assert_int_equal(compile_check_options(options, why, sizeof why - 1), COMPILE_BAD_OPTIONS);
	assert_int_equal(strlen(why), sizeof why - 2);
	assert_int_equal(why[sizeof why - 1], '#');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right_options_pass),
		cmocka_unit_test(wrong_options_do_not),
		cmocka_unit_test(sentences_fit),
	};

	return cmocka_run_group_tests_name("compile_options", tests, NULL, NULL);
}
