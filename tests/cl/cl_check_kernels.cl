// SPDX-License-Identifier: MIT
// What ZEROCL_VGPU_CHECK=1 reports; cl_check_test.c looks for the lines that end in "here: NAME".
#define SIMD16 __attribute__((intel_reqd_sub_group_size(16)))

#ifndef SIZE
SIMD16 kernel void good(global uint *a)
{
	local uint t[64];

	t[get_local_id(0)] = a[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = t[63 - get_local_id(0)];
}

SIMD16 kernel void local_beyond(global uint *a)
{
	local uint t[256];
	uint i = get_local_id(0);

	t[i] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	t[i * 16 + a[0] % 16] = 2; // here: local_beyond
	barrier(CLK_LOCAL_MEM_FENCE);
	a[i] = t[i];
}

void store_block(global uint *a, uint n)
{
	intel_sub_group_block_write(a + n, 5); // here: misaligned
}

SIMD16 kernel void misaligned(global uint *a)
{
	store_block(a, a[3]);
}

SIMD16 kernel void divergent(global uint *a)
{
	if (a[get_global_id(0)] & 1)
		barrier(CLK_LOCAL_MEM_FENCE); // here: divergent
	a[get_global_id(0)] = 1;
}

SIMD16 kernel void inactive(global uint *a)
{
	uint x = a[get_global_id(0)];

	if (x & 1)
		x = intel_sub_group_shuffle(x * 3, (get_sub_group_local_id() * 5 + x) & 15); // here: inactive
	a[get_global_id(0)] = x;
}
#else

// Byte n of the buffer, by work-item 37, which the compiler does not know to be the only one. SIZE
// is for each program to be another.
#define ONE (get_sub_group_id() == 2 && get_sub_group_local_id() == 5)
#define BYTE (n + SIZE - 37 + (uint)get_local_id(0))

#define OWN (SIZE > 64 ? (uint)get_local_id(0) : 0)

SIMD16 kernel void writes_at(global uchar *a, uint n)
{
	if (ONE)
		a[BYTE] = 1; // here: writes_at
}

SIMD16 kernel void reads_at(global uchar *a, uint n)
{
	if (ONE)
		a[0] = a[BYTE]; // here: reads_at
}

SIMD16 kernel void writes_by_address(global uchar *a, uint n)
{
	ulong address = (ulong)a + BYTE;

	if (ONE) {
		a[OWN] = 2; /* by a surface, from which a check knows the size over Intel's driver */
		*(global uchar *)address = 1; // here: writes_by_address
	}
}

SIMD16 kernel void reads_by_address(global uchar *a, uint n)
{
	ulong address = (ulong)a + BYTE;

	if (ONE)
		a[OWN] = *(global uchar *)address; // here: reads_by_address
}
#endif
