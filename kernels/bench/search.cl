// SPDX-License-Identifier: MIT
// Where numbers would be in a sorted list.
kernel void search(global const uint *sorted, global const uint *wanted, global int *out, int n)
{
	uint x = wanted[get_global_id(0)];
	int low = 0, high = n;

	while (low < high) {
		int middle = (low + high) / 2;
		if (sorted[middle] < x)
			low = middle + 1;
		else
			high = middle;
	}
	out[get_global_id(0)] = low;
}
