// SPDX-License-Identifier: MIT
int helper(int x, global int *b)
{
	int y = x * 3;
	for (int i = 0; i < x; i++)
		y += b[i];
	return y;
}

kernel void scan(global int *out, global int *in, global int *unused)
{
	local int t[64];
	int id = get_global_id(0);
	int l = get_local_id(0);
	int sum = 0;
	t[l] = in[id];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i <= l; i++) {
		int v = t[i];
		sum += v;
	}
	if (l & 1)
		sum += helper(l, in);
	out[id] = sum;
}

/* Reads where nothing is. */
kernel void fails(global int *out, global int *in, global int *unused)
{
	int id = get_global_id(0);
	global int *nowhere = (global int *)(ulong)(in[id] - 1 - 3 * id);
	out[id] = nowhere[id];
}

/* Two work-items of different sub-groups write the same element. */
kernel void races(global int *out, global int *in, global int *unused)
{
	int id = get_global_id(0);
	out[id & 31] = in[id];
}

/* Never ends, unless `unused` is written. */
kernel void waits(global int *out, global int *in, global volatile int *unused)
{
	while (unused[0] == -1)
		;
	out[get_global_id(0)] = in[0];
}

constant int steps[4] = { 1, 10, 100, 1000 };

kernel void tells(global int *out, global int *in, global int *unused)
{
	int place = get_global_id(0);
	if (in[place] < 0)
		printf("%d\n", place);
	out[place] = in[place] + steps[place & 3];
}
