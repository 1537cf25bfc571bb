// SPDX-License-Identifier: MIT
// A transform of 1024 complex numbers for each work-group, in local memory: Stockham's, radix 2.
#define POINTS 1024
#define GROUP  256

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void fft(global const float2 *in, global float2 *out, global const float2 *roots)
{
	local float2 buffer[2][POINTS];
	size_t lid = get_local_id(0), first = get_group_id(0) * POINTS;
	int from = 0;

	for (int i = lid; i < POINTS; i += GROUP)
		buffer[0][i] = in[first + i];
	for (int span = 1; span < POINTS; span *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int i = lid; i < POINTS / 2; i += GROUP) {
			int place = i & (span - 1);
			float2 root = roots[place * (POINTS / 2 / span)];
			float2 x = buffer[from][i], y = buffer[from][i + POINTS / 2];
			float2 turned = (float2)(y.x * root.x - y.y * root.y, y.x * root.y + y.y * root.x);
			int to = (i - place) * 2 + place;
			buffer[1 - from][to] = x + turned;
			buffer[1 - from][to + span] = x - turned;
		}
		from = 1 - from;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = lid; i < POINTS; i += GROUP)
		out[first + i] = buffer[from][i];
}
