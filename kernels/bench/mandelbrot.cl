// SPDX-License-Identifier: MIT
// Divergent loops: each work-item iterates until its point escapes.
#pragma OPENCL FP_CONTRACT OFF

kernel void mandelbrot(global int *out, int width, float scale, float left, float top, int limit)
{
	int x = get_global_id(0), y = get_global_id(1);
	float cr = left + x * scale, ci = top + y * scale;
	float r = 0, i = 0;
	int n = 0;

	while (n < limit && r * r + i * i <= 4.0f) {
		float next = r * r - i * i + cr;
		i = 2 * r * i + ci;
		r = next;
		n++;
	}
	out[y * width + x] = n;
}
