// SPDX-License-Identifier: MIT
// A filter of five by five numbers over a picture with a margin.
kernel void convolution(global const float *in, constant float *filter, global float *out, int n)
{
	int x = get_global_id(0), y = get_global_id(1), wide = n + 4;
	float sum = 0;

	for (int j = 0; j < 5; j++)
		for (int i = 0; i < 5; i++)
			sum += in[(y + j) * wide + x + i] * filter[j * 5 + i];
	out[y * n + x] = sum;
}
