// SPDX-License-Identifier: MIT
// What is more than one function: each kernel makes n words of n words, in groups of 64 items.
// corpus_kernel_test.c compares with another implementation of OpenCL.
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#define KERNEL(name)                                                                               \
	WIDTH __attribute__((reqd_work_group_size(64, 1, 1))) kernel void name(                    \
		global const uint *in, global uint *out, uint n)
#define I ((uint)get_global_id(0))
#define L ((uint)get_local_id(0))
#define MIX(x) ((x) * 2654435761u ^ (x) >> 15)

// ---- control flow ----

uint classify(uint x)
{
	switch (x % 23) {
	case 0:
		return 7;
	case 1:
	case 2:
		return x + 1;
	case 3:
		x >>= 1; // and on
	case 4:
		return x * 3;
	case 11:
		if (x & 64)
			return 5;
		break;
	case 17:
		while (x > 1000)
			x = x / 3 + 1;
		return x;
	default:
		return ~x;
	}
	return 99;
}

KERNEL(switches)
{
	out[I] = classify(in[I]);
}

KERNEL(deep_loops)
{
	uint s = 0, x = in[I];

	for (uint a = 0; a < (x & 3) + 1; a++)
		for (uint b = a; b < (x >> 2 & 3) + 1; b++)
			for (uint c = 0; c < (x >> 4 & 3) + 1; c++)
				for (uint d = 0; d < 3; d++) {
					if ((a ^ b ^ c ^ d) == (x >> 6 & 3))
						continue;
					if (s > 100000)
						goto done;
					s = s * 5 + a + b * c + d;
				}
done:
	out[I] = s;
}

KERNEL(early_return)
{
	uint x = in[I];

	out[I] = x;
	if (x & 1)
		return;
	out[I] = x * 3;
	for (uint k = 0; k < 20; k++) {
		x = MIX(x + k);
		if (x % 7 == 3)
			return;
		out[I] ^= x;
	}
	if (x & 2)
		return;
	out[I] += 11;
}

__attribute__((noinline)) uint collatz(uint x)
{
	uint steps = 0;

	while (x != 1 && steps < 200) {
		x = x & 1 ? x * 3 + 1 : x / 2;
		steps++;
	}
	return steps;
}

__attribute__((noinline)) uint two_calls(uint x)
{
	return x & 4 ? collatz(x & 1023) * 3 : collatz(x & 511) + collatz(x & 255 | 1);
}

KERNEL(calls)
{
	uint x = in[I];

	out[I] = x & 1 ? two_calls(x) : collatz(x % 77 + 1) ^ x;
}

// ---- memory of an item ----

KERNEL(private_arrays)
{
	uint t[48], s = 0;

	for (uint k = 0; k < 48; k++)
		t[k] = in[(I + k) % n];
	for (uint k = 0; k < 48; k++) {
		uint j = t[k] % 48;
		uint swap = t[j];
		t[j] = t[k] + 1;
		t[k] = swap;
	}
	for (uint k = 0; k < 48; k++)
		s = s * 31 + t[k];
	out[I] = s;
}

KERNEL(private_bytes)
{
	uchar t[64];
	ushort w[32];
	ulong l[8];

	for (uint k = 0; k < 64; k++)
		t[k] = (uchar)(in[I] >> (k & 7));
	for (uint k = 0; k < 32; k++)
		w[k] = (ushort)(t[(in[I] + k) & 63] * 257 + k);
	for (uint k = 0; k < 8; k++)
		l[k] = (ulong)w[(in[I] >> k) & 31] << (k * 5);
	out[I] = (uint)(l[in[I] & 7] ^ l[in[I] >> 3 & 7] >> 9);
}

KERNEL(spills)
{
	uint16 a = in[I], b = in[(I + 1) % n], c = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
					       14, 15);
	uint16 d = a * c + b, e = b * c + a, f = d ^ e, g = d + e * 3, h = f * g;

	for (uint k = 0; k < (in[I] & 3) + 2; k++) {
		a = a * 3 + h.s123456789abcdef0;
		b ^= g.sfedcba9876543210 >> 3;
		d += e.s13579bdf02468ace * a;
		e = e * b + f;
		f ^= d << 5;
		g += f.s23456789abcdef01 ^ c;
		h = h * g + a;
		c += b;
	}
	uint16 s = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
	uint8 s8 = s.lo ^ s.hi * 3;
	uint4 s4 = s8.lo + s8.hi * 5;
	out[I] = s4.x ^ s4.y * 7 ^ s4.z * 11 ^ s4.w * 13;
}

struct inner {
	short a;
	uchar b[3];
	ulong c;
};
struct outer {
	uint x;
	struct inner in[2];
	uint2 v;
};

struct outer make(uint x)
{
	struct outer o = { x, { { (short)x, { 1, 2, 3 }, x }, { (short)(x >> 3), { 4, 5, 6 }, x * 7 } },
		{ x + 1, x + 2 } };
	return o;
}

KERNEL(structs)
{
	struct outer o[3] = { make(in[I]), make(in[(I + 5) % n]), make(I) };
	uint k = in[I] % 3;

	o[k].in[in[I] >> 4 & 1].b[in[I] >> 5 & 1] += 9;
	o[(k + 1) % 3] = o[k];
	uint s = 0;
	for (uint j = 0; j < 3; j++)
		for (uint m = 0; m < 2; m++)
			s = s * 17 + (uint)o[j].in[m].a + o[j].in[m].b[j] + (uint)o[j].in[m].c +
			    o[j].v.y;
	out[I] = s;
}

// ---- constant memory, all items' memory, generic pointers ----

constant uint table[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
constant float weights[5] = { 0.5f, 1.5f, 2.5f, 3.5f, 4.5f };

KERNEL(constants)
{
	const uint local_table[8] = { 2, 7, 1, 8, 2, 8, 1, 8 };
	uint x = in[I];

	out[I] = table[x & 15] * 100 + local_table[x >> 4 & 7] + (uint)(weights[x % 5] * 2);
}

#ifdef __opencl_c_program_scope_global_variables
global uint kept[4] = { 5, 6, 7, 8 };
#endif

KERNEL(program_scope)
{
#ifdef __opencl_c_program_scope_global_variables
	out[I] = kept[in[I] & 3] * 3 + in[I];
#else
	out[I] = ((in[I] & 3) + 5) * 3 + in[I];
#endif
}

#ifdef __opencl_c_generic_address_space
#define GENERIC
#else
#define GENERIC private
#endif

uint sum4(const GENERIC uint *p)
{
	return p[0] + p[1] * 3 + p[2] * 5 + p[3] * 7;
}

KERNEL(generic_pointers)
{
	local uint shared[64 + 4];
	uint mine[4];

	shared[L] = in[I];
	if (L < 4)
		shared[64 + L] = L;
	for (uint k = 0; k < 4; k++)
		mine[k] = in[I] >> k;
	barrier(CLK_LOCAL_MEM_FENCE);
#ifdef __opencl_c_generic_address_space
	const uint *p = in[I] & 1 ? (const uint *)&shared[L] : in[I] & 2 ? (const uint *)mine
									: (const uint *)&in[I & ~3u];
	out[I] = sum4(p);
#else
	uint copy[4];
	for (uint k = 0; k < 4; k++)
		copy[k] = in[I] & 1 ? shared[L + k] : in[I] & 2 ? mine[k] : in[(I & ~3u) + k];
	out[I] = sum4(copy);
#endif
}

// ---- local memory, async copies, barriers ----

KERNEL(async_copies)
{
	local uint a[64], b[64];
	local uchar c[64];
	uint base = (uint)get_group_id(0) * 64;
	event_t e = async_work_group_copy(a, in + base, 64, 0);

	e = async_work_group_strided_copy(b, in + base % (n / 4), 64, 3, e);
	wait_group_events(1, &e);
	c[L] = (uchar)(a[L] + 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	uint x = a[63 - L] ^ b[L] * 3 ^ c[(L * 5) & 63];
	barrier(CLK_LOCAL_MEM_FENCE);
	a[L] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	e = async_work_group_copy(out + base, a, 64, 0);
	wait_group_events(1, &e);
	prefetch(in + base, 64);
}

#define LOCAL_OF(type)                                                                             \
	KERNEL(local_##type)                                                                       \
	{                                                                                          \
		local type t[64];                                                                  \
		t[(L * 7 + 3) & 63] = (type)in[I];                                                 \
		barrier(CLK_LOCAL_MEM_FENCE);                                                      \
		for (uint s = 1; s < 64; s *= 2) {                                                 \
			type x = t[(L + s) & 63];                                                  \
			barrier(CLK_LOCAL_MEM_FENCE);                                              \
			t[L] = t[L] * (type)3 + x;                                                 \
			barrier(CLK_LOCAL_MEM_FENCE);                                              \
		}                                                                                  \
		out[I] = (uint)t[L ^ 5];                                                           \
	}
LOCAL_OF(uchar)
LOCAL_OF(ushort)
LOCAL_OF(uint)
LOCAL_OF(ulong)

// ---- vectors ----

KERNEL(loads_and_stores)
{
	private uchar b[48] = { 0 };
	global const uchar *bytes = (global const uchar *)in;
	uint at = (I * 5 + in[I] % 3) % (n * 4 - 64);
	uchar3 x3 = vload3(0, bytes + at);
	uchar16 x16 = vload16(0, bytes + at);
	ushort8 w8 = vload8(I % 4, (global const ushort *)(in + (I % (n - 32))));
	ulong2 l2 = vload2(0, (global const ulong *)in + (I / 2 % (n / 4)));

	vstore16(x16.sfedcba9876543210, 0, b);
	vstore3(x3, 5, b);
	vstore4(convert_uchar4(w8.s0246), 1, b + 20);
	vstore2(convert_uchar2(l2 >> 3), 0, b + 30);
	uint s = 0;
	for (uint k = 0; k < 32; k++)
		s = s * 33 + (k < 20 || (k >= 24 && k < 28) || k >= 30 ? b[k] : 0);
	out[I] = s;
}

KERNEL(shuffles)
{
	uint4 a = vload4(I / 4 % (n / 4), in), b = vload4((I / 4 + 1) % (n / 4), in);
	uint8 c = shuffle2(a, b, (uint8)(7, 0, in[I], 3, 1, in[I] >> 3, 2, 5));
	ushort4 d = shuffle(convert_ushort4(a), (ushort4)((ushort)in[I], 1, 3, 0));

	out[I] = c.s0 ^ c.s1 * 3 ^ c.s2 * 5 ^ c.s3 * 7 ^ c.s4 * 9 ^ c.s5 * 11 ^ c.s6 * 13 ^ c.s7 ^
		 d.x ^ d.y * 3u ^ d.z * 5u ^ d.w * 7u;
}

KERNEL(relations)
{
	float4 a = as_float4(vload4(I / 4 % (n / 4), in)), b = as_float4(vload4(I / 3 % (n / 4), in));
	int4 r = isequal(a, b) + 2 * isgreater(a, b) + 4 * isless(a, b) + 8 * islessgreater(a, b) +
		 16 * isnotequal(a, b) + 32 * isordered(a, b) + 64 * isunordered(a, b) +
		 128 * isnan(a) + 256 * isinf(b) + 512 * isfinite(a) + 1024 * isnormal(b) +
		 2048 * signbit(a) + 4096 * isgreaterequal(a, b) + 8192 * islessequal(a, b);
	char4 t = convert_char4_sat(r);

	out[I] = (uint)(r.x ^ r.y * 3 ^ r.z * 5 ^ r.w * 7) + (uint)any(r < 0) * 2 +
		 (uint)all(isfinite(a)) + (uint)any(t) * 4 +
		 as_uint(bitselect(a.x, b.x, as_float(0xff00ff00u))) +
		 as_uint(select(a.y, b.y, r.x)) + (uint)isnan(a.x) + (uint)isequal(a.y, b.z);
}

KERNEL(geometry)
{
	int4 k = convert_int4(vload4(I / 4 % (n / 4), in) & 15) - 7;
	float4 a = convert_float4(k), b = a.wxzy + 2.0f;
	float3 c = cross(a.xyz, b.xyz);

	out[I] = (uint)(int)(dot(a, b) * 3 + dot(c, a.xyz) + c.x + c.y * 2 + c.z * 3) +
		 (uint)(int)(length((float2)(3, 4)) + distance((float2)(0, 8), (float2)(6, 0)) +
			     fast_length((float4)(2, 2, 2, 2)) + 0.5f) +
		 (uint)(int)(normalize((float2)(0, k.x + 20)).y + 0.5f) +
		 (uint)(int)(mix(a.x, b.x, 0.5f) * 2 + step(a.y, b.y) + smoothstep(0.0f, 8.0f, 4.0f) * 2 +
			     clamp(a.z, -2.0f, 2.0f) + max(a.x, b.y) + min(a.w, b.x));
}

KERNEL(parts_of_floats)
{
	float x = as_float((in[I] & 0x807fffff) | ((in[I] >> 23 & 63) + 96) << 23), whole;
	int e, q;
	float m = frexp(x, &e), f = modf(x, &whole), r = remquo(x, 3.0f, &q);

	out[I] = as_uint(m) ^ (uint)e * 3 ^ as_uint(f) ^ as_uint(whole) * 5 ^ as_uint(r) ^
		 (uint)(q & 7) * 77 ^ as_uint(ldexp(m, (int)(in[I] & 15))) ^ (uint)ilogb(x) ^
		 as_uint(nextafter(x, 1.0f)) ^ as_uint(copysign(x, -m)) ^ as_uint(fract(x, &whole)) ^
		 as_uint(whole) ^ as_uint(nan(in[I] & 7)) * 0;
}

KERNEL(half_memory)
{
	float x = (float)(int)(in[I] & 0xffffff) / 64 - 100000;
	private ushort t[20];
	private half *h = (private half *)t;

	vstore_half(x, 0, h);
	vstore_half_rtz(x, 1, h);
	vstore_half_rtp(x, 2, h);
	vstore_half_rtn(x, 3, h);
	vstore_half4_rte((float4)(x, x * 0.3f, -x, 1), 1, h);
	vstorea_half2_rtz((float2)(x * 0.14f, x * 0.001f), 4, h);
	float s = vload_half(0, h);
	float4 v = vload_half4(1, h);
	float2 w = vloada_half2(4, h);
	uint r = as_uint(s) ^ as_uint(v.x) * 3 ^ as_uint(v.y) * 5 ^ as_uint(v.z) * 7 ^ as_uint(w.x) ^
		 as_uint(w.y) * 9;
	for (uint k = 0; k < 10; k++)
		r = r * 31 + t[k];
	out[I] = r;
}

KERNEL(wide_integers)
{
	ulong a = (ulong)in[I] << 32 | in[(I + 1) % n], b = (ulong)in[(I + 2) % n] << (in[I] & 31) | 1;
	long c = (long)a, d = (long)b;

	out[I] = (uint)(a / b ^ a % b * 3 ^ (ulong)(c / (d | 2)) ^ (ulong)(c % (d | 2)) ^
			(a * b) >> 7 ^ mul_hi(a, b) ^ (ulong)(c >> (in[I] & 63)) ^
			a << (in[I] >> 6 & 63) ^ (ulong)(c < d) ^ (ulong)max(c, d) ^ rotate(a, b) ^
			(ulong)clz(b) ^ (ulong)popcount(a)) +
		 (uint)convert_ulong_sat((float)a) + (uint)(long)((float)(c >> 20));
}
