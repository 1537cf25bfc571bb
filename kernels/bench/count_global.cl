// SPDX-License-Identifier: MIT
// A histogram by atomics in global memory alone.
kernel void count_global(global const uint *in, global uint *bins)
{
	uint x = in[get_global_id(0)];

	atomic_inc(&bins[x & 1023]);
	atomic_max(&bins[1024 + (x >> 10 & 1023)], x);
}
