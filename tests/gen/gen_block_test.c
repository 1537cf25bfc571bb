// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "gen/gen_format.h"
#include "test_random.h"

/*
 * Decoders of texels in blocks. mesa_block_test compares those of all formats with lavapipe's; here
 * are the checksums of those that are exact, made by another decoder (texture2ddecoder 1.0.5; of
 * ASTC, ARM's own, astc-encoder-py 0.1.12, with magenta for blocks that mean nothing).
 */

enum { BLOCKS = 4096, ASTC_BLOCKS = 512, CODES = 1024, ASTC = 0x200 };

/* FNV-1a of the texels of random blocks, with a seed of the format's own. */
static uint32_t checksum(const struct gen_format *format, unsigned code, bool kinds)
{
	uint32_t sum = 0x811c9dc5;
	uint64_t random = code;

	for (unsigned i = 0; i < (code < ASTC ? BLOCKS : ASTC_BLOCKS); i++) {
		uint8_t block[GEN_BLOCK_BYTES], texel[8];

		test_random_bytes(&random, block, format->bytes);
		if (kinds)
			block[0] = (uint8_t)((block[0] | 1) << i % 8);
		if (code >= ASTC && i % 8 == 0) { /* of one colour */
			block[0] = 0xfc;
			block[1] = (uint8_t)(i % 16 ? (block[1] & 0xf0) | 0xd : 0xfd);
			memset(block + 2, 0xff, i % 16 ? 0 : 6);
		}
		for (unsigned n = 0; n < (unsigned)format->width * format->height; n++) {
			format->unblock(format, block, n % format->width, n / format->width, texel);
			for (unsigned c = 0; c < format->decoded_bytes; c++)
				sum = (sum ^ texel[c]) * 0x01000193;
		}
	}
	return sum;
}

static void test_exact_formats(void **state)
{
	static const struct {
		unsigned code;
		uint32_t checksum;
		bool kinds; /* the lowest bit set is the kind of the block: each comes as often */
	} rows[] = {
		{ 0x1a2, 0xa0509ce3, true },  /* BC7 */
		{ 0x1a9, 0x0fa5847f, false }, /* ETC1 */
		{ 0x1aa, 0x1f31782b, false }, /* ETC2 */
		{ 0x1c0, 0x2a668a71, false }, /* with alpha of 0 or 1 */
		{ 0x1c2, 0x16d0ac24, false }, /* with alpha */
		{ 0x240, 0x1467a5cc, false }, /* ASTC, 4 by 4 to 12 by 12, as halfs and as sRGB */
		{ 0x200, 0x430fb78e, false },
		{ 0x248, 0x8dbcc5a8, false },
		{ 0x208, 0x141720e9, false },
		{ 0x249, 0xc2863f6d, false },
		{ 0x209, 0xb455cf71, false },
		{ 0x251, 0xeb80ce16, false },
		{ 0x211, 0x263d763b, false },
		{ 0x252, 0x56a254b9, false },
		{ 0x212, 0x6ac22159, false },
		{ 0x261, 0x649f047b, false },
		{ 0x221, 0xf7bbcb9f, false },
		{ 0x262, 0x168963df, false },
		{ 0x222, 0x68fa62c5, false },
		{ 0x264, 0xfbc585e4, false },
		{ 0x224, 0xde0cffe4, false },
		{ 0x271, 0x34d779d2, false },
		{ 0x231, 0x1a970c65, false },
		{ 0x272, 0x169ef260, false },
		{ 0x232, 0xef72e856, false },
		{ 0x274, 0x80f0119c, false },
		{ 0x234, 0x9d998f6e, false },
		{ 0x276, 0x167cde10, false },
		{ 0x236, 0x61d39c29, false },
		{ 0x27e, 0xa69c2eeb, false },
		{ 0x23e, 0x60ce2cc1, false },
		{ 0x27f, 0x4192393f, false },
		{ 0x23f, 0x7d0d1d9a, false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(
			checksum(gen_format_find(rows[i].code), rows[i].code, rows[i].kinds),
			rows[i].checksum);
}

/* Every decoder writes a texel, all of it and nothing else, and reads the block alone. */
static void test_writes_one_texel(void **state)
{
	uint64_t random = 5;

	(void)state;
	for (unsigned code = 0; code < CODES; code++) {
		const struct gen_format *format = gen_format_find(code);

		for (unsigned round = 0; format && format->unblock && round < 500; round++) {
			uint8_t block[2 * GEN_BLOCK_BYTES], texels[2][GEN_TEXEL_BYTES];
			const unsigned x = round % format->width, y = round / 4 % format->height;

			test_random_bytes(&random, block, sizeof(block));
			memset(texels[0], 0xa5, sizeof(texels[0]));
			memset(texels[1], 0x5a, sizeof(texels[1]));
			format->unblock(format, block, x, y, texels[0]);
			memset(block + format->bytes, 0, sizeof(block) - format->bytes);
			format->unblock(format, block, x, y, texels[1]);
			assert_memory_equal(texels[0], texels[1], format->decoded_bytes);
			for (unsigned i = format->decoded_bytes; i < GEN_TEXEL_BYTES; i++)
				assert_int_equal(texels[0][i], 0xa5);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact_formats),
		cmocka_unit_test(test_writes_one_texel),
	};

	return cmocka_run_group_tests_name("gen_block", tests, NULL, NULL);
}
