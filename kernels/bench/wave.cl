// SPDX-License-Identifier: MIT
// One step of the wave equation on a line: two arrays are read, one of them is written.
kernel void wave(global const float *now, global float *next, float speed, int n)
{
	int i = get_global_id(0);

	if (i == 0 || i == n - 1)
		return;
	next[i] = 2 * now[i] - next[i] + speed * (now[i - 1] - 2 * now[i] + now[i + 1]);
}
