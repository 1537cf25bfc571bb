// SPDX-License-Identifier: MIT
// Kernels that make the compiler use many kinds of instructions, regions and types.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void integers(global int *out, global const uint *a, global const uint *b, int n)
{
	int i = get_global_id(0);
	uint x = a[i], y = b[i] | 1;

	out[i] = x / y + x % y + mul_hi(x, y) + rotate(x, y) + popcount(x) + clz(y);
	out[i + n] = max((int)x, (int)y) - min(x, y) + abs_diff(x, y) + add_sat((int)x, (int)y) +
		     (x >> (y & 31)) + ((int)x >> 3) + (x << 7) + hadd(x, y) + ctz(x) + ~x;
}

kernel void longs(global long *out, global const long *a, global const ulong *b)
{
	int i = get_global_id(0);
	long x = a[i];
	ulong y = b[i];

	out[i] = x * (long)y + mul_hi(x, (long)y) + (x >> (y & 63)) + (long)clz(y) + x / (long)(y | 1);
}

kernel void narrow(global char4 *c, global const short4 *s, global uchar *u, float f)
{
	int i = get_global_id(0);
	short4 v = s[i];

	c[i] = convert_char4_sat(v * (short)3) + c[i + 1].wzyx;
	u[i] = convert_uchar_sat(f * i) + (uchar)(u[i + 7] >> 2);
}

kernel void halves(global half *out, global const half *a, global const float *f)
{
	int i = get_global_id(0);

	out[i] = fma(a[i], a[i + 1], (half)2.5h) * (half)f[i] + fmax(a[i], (half)-1.0h);
}

kernel void floats(global float *out, global const float *a, global const float *b)
{
	int i = get_global_id(0);
	float x = a[i], y = b[i];

	out[i] = x / y + sqrt(fabs(x)) + native_sin(y) + exp2(-x) + log2(fabs(y)) + rsqrt(x * x) +
		 floor(x) + rint(y) + trunc(x) + ceil(y) - fabs(x) * 0.333f;
	out[i] += (float)convert_int_rte(x) + convert_float_rtz(as_int(y)) + copysign(x, y) + clamp(x, 0.0f, 1.0f);
}

kernel void branches(global int *out, global const int *a, int n)
{
	int i = get_global_id(0), sum = 0;

	for (int k = 0; k < a[i]; k++) {
		if (a[k] == n)
			break;
		if ((a[k] & 1) != 0)
			continue;
		for (int m = k; m < n; m += a[m]) {
			sum += a[m] * m;
			if (sum > 100000)
				goto end;
		}
		switch (a[k]) {
		case 2:
			sum ^= 5;
			break;
		case 4:
			sum += out[k];
			break;
		case 9:
			sum -= out[k + 1];
			break;
		default:
			sum *= 3;
		}
	}
end:
	out[i] = sum;
}

int walk(int depth, global int *out);
int walk(int depth, global int *out)
{
	if (depth < 2)
		return out[depth];
	return walk(depth - 1, out) + walk(depth - 2, out);
}

kernel void recursive(global int *out)
{
	int i = get_global_id(0);

	out[i] = walk(out[i], out);
}

kernel void shared(global int *out, local int *t)
{
	int l = get_local_id(0);

	t[l] = out[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&t[l / 2], l);
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	out[get_global_id(0)] = t[get_local_size(0) - 1 - l] + atomic_cmpxchg(out + l, 3, 4);
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void sub_groups(global uint *out, uint n)
{
	uint x = out[get_global_id(0)];

	x += intel_sub_group_shuffle(x, x & 15) + sub_group_reduce_add(x) + sub_group_scan_inclusive_max(x);
	x ^= intel_sub_group_shuffle_xor(x, 5) + intel_sub_group_shuffle_down(x, x, n);
	intel_sub_group_block_write(out + n, x + intel_sub_group_block_read(out + 2 * n));
}

kernel void private_array(global int *out, int n)
{
	int a[40], i = get_global_id(0);

	for (int k = 0; k < 40; k++)
		a[k] = out[k + i];
	for (int k = 0; k < n; k++)
		a[out[k] % 40] += a[(out[k] + k) % 40];
	out[i] = a[n % 40];
}

kernel void images(read_only image2d_t in, write_only image2d_t out, sampler_t s)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));

	write_imagef(out, at, read_imagef(in, s, convert_float2(at) * 0.5f) + read_imagef(in, at));
}

// Stores of uniform vectors: packed immediates under dword channels.
kernel void uniform_stores(global uint4 *out, global const uint *a)
{
	out[1] = (uint4)(a[0] + 1, a[1] * 3, a[2] ^ 5, a[3] - 7);
}

// No end of thread: on Gen12LP a goto is the last instruction, on other devices a jump.
kernel void endless(global uint *out)
{
	for (;;)
		out[get_global_id(0)] += out[0];
}
