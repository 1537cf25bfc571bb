// SPDX-License-Identifier: MIT
/*
 * pictures_raw FILE: writes a synthetic raw photograph, a DNG (TIFF 6.0 with the tags of Adobe's
 * DNG 1.4) of 384 by 256 samples of 16 bits behind a Bayer pattern, for ci/pictures.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { W = 384, H = 256, BLACK = 400, WHITE = 12600, MAX_TAGS = 32, MAX_MORE = 512 };
enum type { BYTE = 1, ASCII, SHORT, LONG, RATIONAL, SRATIONAL = 10 };

/* An image file directory, and behind it the values that do not fit into entries. */
struct directory {
	uint8_t entries[MAX_TAGS * 12], more[MAX_MORE];
	uint32_t n, n_more;
};

static void put(uint8_t *at, uint32_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

/* Tags come in rising order. Values of several numbers lie behind `tags` entries. */
static void add(struct directory *d, uint32_t tags, uint16_t tag, enum type type, uint32_t n,
	const int32_t *values)
{
	static const unsigned sizes[] = {
		[BYTE] = 1, [ASCII] = 1, [SHORT] = 2, [LONG] = 4, [RATIONAL] = 4, [SRATIONAL] = 4
	};
	uint32_t numbers = type >= RATIONAL ? 2 * n : n;
	uint8_t *entry = d->entries + 12 * d->n++, *to = entry + 8;

	put(entry, tag, 2);
	put(entry + 2, type, 2);
	put(entry + 4, n, 4);
	if (numbers * sizes[type] > 4) {
		put(to, 8 + 2 + 12 * tags + 4 + d->n_more, 4);
		to = d->more + d->n_more;
		d->n_more += (numbers * sizes[type] + 1) & ~1u;
	}
	for (uint32_t i = 0; i < numbers; i++)
		put(to + i * sizes[type], (uint32_t)values[i], sizes[type]);
}

static void add_text(struct directory *d, uint32_t tags, uint16_t tag, const char *text)
{
	int32_t values[64];
	uint32_t n = (uint32_t)strlen(text) + 1;

	for (uint32_t i = 0; i < n; i++)
		values[i] = text[i];
	add(d, tags, tag, ASCII, n, values);
}

static void describe(struct directory *d, uint32_t tags, uint32_t pixels_at)
{
#define ADD(tag, type, n, ...) add(d, tags, tag, type, n, (const int32_t[]){ __VA_ARGS__ })
	ADD(254, LONG, 1, 0);
	ADD(256, LONG, 1, W);
	ADD(257, LONG, 1, H);
	ADD(258, SHORT, 1, 16);
	ADD(259, SHORT, 1, 1);
	ADD(262, SHORT, 1, 32803); /* samples behind a pattern of filters */
	add_text(d, tags, 271, "ZeroCL");
	add_text(d, tags, 272, "Synthetic");
	ADD(273, LONG, 1, (int32_t)pixels_at);
	ADD(274, SHORT, 1, 1);
	ADD(277, SHORT, 1, 1);
	ADD(278, LONG, 1, H);
	ADD(279, LONG, 1, W * H * 2);
	ADD(284, SHORT, 1, 1);
	ADD(33421, SHORT, 2, 2, 2);
	ADD(33422, BYTE, 4, 0, 1, 1, 2); /* red green, green blue */
	ADD(50706, BYTE, 4, 1, 4, 0, 0);
	ADD(50707, BYTE, 4, 1, 1, 0, 0);
	add_text(d, tags, 50708, "ZeroCL Synthetic");
	ADD(50714, LONG, 1, BLACK);
	ADD(50717, LONG, 1, WHITE);
	ADD(50721, SRATIONAL, 9, 80, 100, -25, 100, -8, 100, -45, 100, 125, 100, 20, 100, -8, 100,
		20, 100, 60, 100); /* from XYZ to the camera's colours */
	ADD(50728, RATIONAL, 3, 6, 10, 1, 1, 7, 10);
	ADD(50778, SHORT, 1, 21); /* daylight */
}

/* Waves of colour, darker in every third square. */
static uint32_t sample(int x, int y)
{
	double color[3] = { 0.5 + 0.45 * sin(x / 17.0), 0.5 + 0.45 * sin((x + y) / 23.0),
		0.5 + 0.45 * cos(y / 11.0) };

	if ((x / 48 + y / 48) % 3 == 0) {
		color[0] *= 0.2;
		color[1] *= 0.9;
		color[2] *= 0.4;
	}
	return BLACK + (uint32_t)(color[x % 2 + y % 2] * 12000);
}

int main(int argc, char **argv)
{
	struct directory counted = { .n = 0 }, d = { .n = 0 };
	uint8_t head[10] = { 'I', 'I', 42, 0, 8 }, two[4] = { 0 };

	if (argc != 2) {
		fprintf(stderr, "usage: pictures_raw FILE\n");
		return 2;
	}
	describe(&counted, 0, 0);
	describe(&d, counted.n, 8 + 2 + 12 * counted.n + 4 + counted.n_more);
	FILE *out = fopen(argv[1], "wb");
	if (!out) {
		perror(argv[1]);
		return 1;
	}
	put(head + 8, d.n, 2);
	fwrite(head, 1, sizeof head, out);
	fwrite(d.entries, 12, d.n, out);
	fwrite(two, 1, 4, out); /* there is no other directory */
	fwrite(d.more, 1, d.n_more, out);
	for (int i = 0; i < W * H; i++) {
		put(two, sample(i % W, i / W), 2);
		fwrite(two, 1, 2, out);
	}
	return fclose(out) ? 1 : 0;
}
