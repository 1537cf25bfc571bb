// SPDX-License-Identifier: MIT
// How many steps each number takes to 1: each lane goes on for as long as it wants.
kernel void collatz(global int *out)
{
	uint x = get_global_id(0) + 1;
	int steps = 0;

	while (x != 1) {
		x = x & 1 ? 3 * x + 1 : x / 2;
		steps++;
	}
	out[get_global_id(0)] = steps;
}
