// SPDX-License-Identifier: MIT
/*
 * What mpi_stencil and mpi_product compute with their default sizes, by the host alone, without MPI
 * or OpenCL. mpi_reference stencil|product FILE compares each bit; a difference is printed, and
 * status 1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 128, ROW = N + 2, STEPS = 50 };

static float plates[2][ROW][ROW], a[N][N], b[N][N], sums[N][N];

static const float *stencil(size_t *count)
{
	for (int y = 0; y < ROW; y++) {
		plates[0][y][0] = plates[1][y][0] = 100;
		for (int x = 1; x <= N && y > 0 && y <= N; x++)
			plates[0][y][x] = (float)((x * 7 + y * 13) % 64);
	}
	for (int i = 0; i < STEPS; i++) {
		float(*from)[ROW] = plates[i % 2], (*to)[ROW] = plates[(i + 1) % 2];

		for (int y = 1; y <= N; y++)
			for (int x = 1; x <= N; x++) {
				float sum = from[y - 1][x] + from[y + 1][x];

				sum += from[y][x - 1] + from[y][x + 1];
				to[y][x] = fmaf(0.2f, sum, 0.2f * from[y][x]);
			}
	}
	*count = N * ROW;
	return plates[STEPS % 2][1];
}

static const float *product(size_t *count)
{
	for (size_t i = 0; i < N * N; i++) {
		a[i / N][i % N] = (float)(i * 29 % 1009) / 1009;
		b[i / N][i % N] = (float)(i * 31 % 997) / 997 - 0.5f;
	}
	for (int y = 0; y < N; y++)
		for (int x = 0; x < N; x++)
			for (int k = 0; k < N; k++)
				sums[y][x] = fmaf(a[y][k], b[k][x], sums[y][x]);
	*count = N * N;
	return sums[0];
}

int main(int argc, char **argv)
{
	static float got[N * ROW + 1];
	size_t count = 0, wrong = 0;

	if (argc < 3)
		return 2;
	const float *want = strcmp(argv[1], "stencil") ? product(&count) : stencil(&count);
	FILE *file = fopen(argv[2], "rb");
	if (!file || fread(got, sizeof *got, N * ROW + 1, file) != count) {
		fprintf(stderr, "%s does not have %zu numbers\n", argv[2], count);
		return 1;
	}
	fclose(file);
	for (size_t i = 0; i < count; i++)
		if (memcmp(&got[i], &want[i], sizeof *got) && !wrong++)
			fprintf(stderr, "number %zu is %a, should be %a\n", i, got[i], want[i]);
	if (wrong)
		fprintf(stderr, "%zu of %zu differ\n", wrong, count);
	return wrong > 0;
}
