// SPDX-License-Identifier: MIT
// Control flow, calls, private arrays and sub-groups.
int step_down(int n)
{
	int a = 0, b = 1;
	while (n-- > 0) {
		int c = a + b;
		if (c & 1)
			a = b;
		else
			a = b + 1;
		if (c > 10000)
			break;
		if (c == 77)
			continue;
		b = c;
	}
	return a;
}
kernel void switches(global int *a, global int *b)
{
	int i = get_global_id(0);
	switch (a[i] & 3) {
	case 0:
		b[i] = step_down(a[i] & 31);
		break;
	case 1:
		b[i] = a[i] * 3;
		break;
	case 2:
		if (a[i] > 9)
			return;
		b[i] = 1;
		break;
	default:
		b[i] = ~a[i];
	}
}
kernel void nests(global int *a, global int *b)
{
	int i = get_global_id(0), s = 0;
	for (int x = 0; x < (a[i] & 7); x++) {
		for (int y = x; y < (b[i] & 7); y++) {
			if ((x ^ y) & 1)
				continue;
			if (s > 500)
				goto out;
			for (int z = 0; z <= y; z++)
				s += (x * y + z) & 15;
		}
		if (s & 64)
			break;
	}
out:
	b[i] = s;
}
__attribute__((noinline)) int twice(int x)
{
	return x > 3 ? x * 2 + 1 : x - 7;
}
kernel void calls(global int *a, global int *b)
{
	int i = get_global_id(0);
	b[i] = a[i] & 1 ? twice(a[i]) : twice(b[i]) + 1;
}
kernel void private_array(global int *a, global int *b, int n)
{
	int i = get_global_id(0), t[16], s = 0;
	for (int k = 0; k < (n & 15); k++)
		t[k] = a[i + k];
	for (int k = 0; k < (n & 15); k++)
		s += t[(k * 7 + i) & 15];
	b[i] = s;
}
#define SUB_GROUPS(size)                                                                           \
	__attribute__((intel_reqd_sub_group_size(size))) kernel void sub_groups_##size(            \
		global int *a, global int *b, global float *c)                                     \
	{                                                                                          \
		int i = get_global_id(0), x = a[i];                                                \
		float f = c[i];                                                                    \
		x += intel_sub_group_shuffle(x, (get_sub_group_local_id() * 3) & 7);               \
		x += intel_sub_group_shuffle_up(x, a[i + 1], 3u);                                  \
		x += intel_sub_group_shuffle_down(x, a[i + 2], 2u);                                \
		x += intel_sub_group_shuffle_xor(x, 5);                                            \
		x += sub_group_reduce_add(x) + sub_group_scan_inclusive_max(x);                    \
		x += sub_group_scan_exclusive_add(x) + sub_group_broadcast(x, 3);                  \
		x += sub_group_any(x > 5) + sub_group_all(x < 900);                                \
		c[i] = sub_group_reduce_max(f) + sub_group_scan_inclusive_add(f);                  \
		b[i] = x;                                                                          \
	}
SUB_GROUPS(8)
SUB_GROUPS(16)
SUB_GROUPS(32)
kernel void diverge_and_reduce(global int *a, global int *b)
{
	int i = get_global_id(0);
	if (a[i] & 1)
		b[i] = sub_group_reduce_add(a[i]) + work_group_reduce_add(a[i]);
}
