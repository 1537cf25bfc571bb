// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "tool/base/native_tally.h"

/* Lines as libiga64 prints them for Gen12LP, and their class. */
static const struct {
	const char *line;
	const char *name;
} lines[] = {
	{ "L0:", "" },
	{ "", "" },
	{ "(W)     mov (8|M0)               r5.0<1>:ud    r0.0<1;1,0>:ud", "mov" },
	{ "        mul (16|M0)              r30.0<1>:d    r6.3<0;1,0>:d     r3.0<16;16,1>:uw",
		"mul" },
	{ "(f0.1)  goto (16|M0)                         L440                  L440", "goto" },
	{ "(W)     mov (8|M0)               r18.0<2>:f    r13.1<2;1,0>:f   {Compacted}",
		"mov region" },
	{ "(W)     add (4|M0)               r20.0<4>:f    r18.2<4;4,2>:f   {@1}", "add region" },
	{ "        mov (16|M0)              r43.0<1>:d    r[a0.0]<1,0>:d", "mov r[a0]" },
	{ "(W)     sync.bar                             null", "sync.bar" },
	{ "        send.dc1 (16|M0)         r13      r11     null    0x0            0x04205E00  "
	  "{@2,$0} // wr:2+0, rd:2; untyped surface read with x",
		"untyped surface read with x" },
	{ "(W)     send.gtwy (1|M0)         null     r15     null    0x0            0x02000004  "
	  "{@2,$2} // wr:1+0, rd:0; signal barrier",
		"signal barrier" },
	{ "        sends (16|M0)            r13      r11     null    0x0            0x04205E00",
		"sends" },
};

static void classes(void **state)
{
	char name[64];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		memset(name, 'x', sizeof(name));
		native_tally_class(lines[i].line, name, sizeof(name));
		assert_string_equal(name, lines[i].name);
	}
}

static const char plain[] =
	"L0:\n"
	"(W)     mov (8|M0)  r5.0<1>:ud    r0.0<1;1,0>:ud\n"
	"        send.dc1 (16|M0) null r1 r2 0x80 0x04025E01 {$1} // wr:2+2, rd:0; write\n"
	"(W)     send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT} // ; end of thread\n";

static const char full[] =
	"L0:\n"
	"(W)     mov (8|M0)  r5.0<1>:ud    r0.0<1;1,0>:ud\n"
	"        add (16|M0) r6.0<1>:d r7.0<8;8,1>:d 1:w\n"
	"        mov (16|M0) r9.0<1>:d r[a0.0]<1,0>:d\n"
	"        mov (16|M0) r10.0<1>:d r[a0.0]<1,0>:d\n"
	"(W)     sync.bar null\n"
	"        send.dc0 (8|M0) r1 r2 null 0x0 0x0 {$1} // wr:1h+0, rd:1; fence\n"
	"        send.dc1 (16|M0) null r1 r2 0x80 0x04025E01 {$1} // wr:2+2; write\n"
	"(W)     send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT} // ; end of thread\n";

static void write_difference(const char *with, const char *without, char *text, size_t size)
{
	struct native_tally *tally = native_tally_create();

	assert_non_null(tally);
	native_tally_add(tally, with, 1);
	native_tally_add(tally, without, -1);
	native_tally_write(tally, text, size);
	native_tally_destroy(tally);
}

static void difference(void **state)
{
	char text[128];

	(void)state;
	write_difference(full, plain, text, sizeof(text));
	assert_string_equal(text, "fence, sync.bar, 2 mov r[a0], add");
	write_difference(plain, plain, text, sizeof(text));
	assert_string_equal(text, "");
	write_difference(plain, full, text, sizeof(text));
	assert_string_equal(text, "");
}

static void difference_is_cut(void **state)
{
	char text[16];

	(void)state;
	memset(text, 'x', sizeof(text));
	write_difference(full, plain, text, 8);
	assert_string_equal(text, "fence, ");
	assert_int_equal(text[8], 'x');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes),
		cmocka_unit_test(difference),
		cmocka_unit_test(difference_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
