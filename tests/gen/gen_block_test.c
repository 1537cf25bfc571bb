// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "gen/gen_format.h"
#include "test_random.h"

/*
 * Decoders of texels in blocks. mesa_block_test compares those of all formats with lavapipe's; here
 * are the checksums of those that are exact, made by another decoder (texture2ddecoder 1.0.5).
 */

enum { BLOCKS = 4096, CODES = 512 };

/* FNV-1a of the texels of random blocks, with a seed of the format's own. */
static uint32_t checksum(const struct gen_format *format, unsigned code, bool kinds)
{
	uint32_t sum = 0x811c9dc5;
	uint64_t random = code;

	for (unsigned i = 0; i < BLOCKS; i++) {
		uint8_t block[GEN_BLOCK_BYTES], texel[4];

		test_random_bytes(&random, block, format->bytes);
		if (kinds)
			block[0] = (uint8_t)((block[0] | 1) << i % 8);
		for (unsigned n = 0; n < 16; n++) {
			format->unblock(format, block, n % 4, n / 4, texel);
			for (unsigned c = 0; c < 4; c++)
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
