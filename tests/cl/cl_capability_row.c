// SPDX-License-Identifier: MIT
#include "cl/cl_capability_row.h"

#include <stdbool.h>

#define SG CAPABILITY_SUB_GROUP

static uint32_t want_addresses(uint32_t i, const uint32_t *x)
{
	return x[i] + 4 * i;
}

static uint32_t want_int8(uint32_t i, const uint32_t *x)
{
	return (uint8_t)(x[i] * 7 + 200);
}

static uint32_t want_int16(uint32_t i, const uint32_t *x)
{
	return (uint16_t)(x[i] * 4099);
}

static uint32_t want_int64(uint32_t i, const uint32_t *x)
{
	return (uint32_t)((uint64_t)x[i] * x[i] >> 32);
}

static uint32_t want_double(uint32_t i, const uint32_t *x)
{
	return (uint32_t)(3 * (uint64_t)x[i]);
}

static uint32_t want_half(uint32_t i, const uint32_t *x)
{
	return 3 * (x[i] & 63);
}

static uint32_t want_half_buffer(uint32_t i, const uint32_t *x)
{
	/* the lower half of o[i], which is small, as a subnormal times 2^24 */
	return x[i] & 0x3ff;
}

static uint32_t want_vector16(uint32_t i, const uint32_t *x)
{
	return 17 * x[i];
}

static uint32_t want_linkage(uint32_t i, const uint32_t *x)
{
	return 5 * x[i];
}

static uint32_t want_generic(uint32_t i, const uint32_t *x)
{
	return 2 * x[i];
}

static uint32_t want_groups(uint32_t i, const uint32_t *x)
{
	uint32_t sum = 0;

	(void)i;
	for (int k = 0; k < CAPABILITY_ITEMS; k++)
		sum += x[k];
	return sum;
}

static uint32_t want_elect(uint32_t i, const uint32_t *x)
{
	return i % SG ? x[i] : 8;
}

static uint32_t want_vote(uint32_t i, const uint32_t *x)
{
	(void)x;
	return i < SG;
}

static uint32_t want_ballot(uint32_t i, const uint32_t *x)
{
	uint32_t bits = 0;

	for (uint32_t k = 0; k < SG; k++)
		bits |= (x[i / SG * SG + k] & 1) << k;
	return bits + 0x10000 * (uint32_t)__builtin_popcount(bits);
}

static uint32_t want_arithmetic(uint32_t i, const uint32_t *x)
{
	uint32_t sum = 0;

	for (uint32_t k = i / SG * SG; k <= i; k++)
		sum += x[k];
	return sum;
}

static uint32_t want_clustered(uint32_t i, const uint32_t *x)
{
	const uint32_t *first = &x[i & ~3u];

	return first[0] ^ first[1] ^ first[2] ^ first[3];
}

static uint32_t want_shuffle(uint32_t i, const uint32_t *x)
{
	return x[i ^ 15] + 3 * x[i ^ 5];
}

static uint32_t want_relative(uint32_t i, const uint32_t *x)
{
	return i % SG < 3 || i % SG > SG - 3 ? 0 : x[i - 3] + 3 * x[i + 2];
}

static uint32_t want_rotate(uint32_t i, const uint32_t *x)
{
	return x[i / SG * SG + (i + 5) % SG];
}

static uint32_t want_clustered_rotate(uint32_t i, const uint32_t *x)
{
	return x[(i & ~7u) + (i + 5) % 8];
}

static uint32_t want_uniform(uint32_t i, const uint32_t *x)
{
	uint32_t product = 1, bits = 0;

	(void)i;
	for (int k = 0; k < CAPABILITY_ITEMS; k++) {
		product *= x[k] | 1;
		bits ^= x[k];
	}
	return product + bits;
}

static uint32_t reversed(uint32_t x)
{
	uint32_t r = 0;

	for (int k = 0; k < 32; k++)
		r |= (x >> k & 1) << (31 - k);
	return r;
}

static uint32_t want_bits(uint32_t i, const uint32_t *x)
{
	uint32_t v = x[i], field = v >> 4 & 31;
	uint32_t sign = field & 16 ? field | ~31u : field;
	uint32_t in = (v & ~(0xffu << 3)) | (i & 0xff) << 3;

	return reversed(v) + 3 * field + 5 * sign + 7 * in;
}

static int32_t byte_of(uint32_t v, int k)
{
	return (int8_t)(v >> 8 * k);
}

static uint32_t want_dot_packed(uint32_t i, const uint32_t *x)
{
	uint32_t a = x[i], b = x[i] * 2654435761u;
	uint32_t u = 0;
	int32_t s = 0, su = 0;

	for (int k = 0; k < 4; k++) {
		u += (uint32_t)(uint8_t)byte_of(a, k) * (uint8_t)byte_of(b, k);
		s += byte_of(a, k) * byte_of(b, k);
		su += byte_of(a, k) * (uint8_t)byte_of(b, k);
	}
	/* the accumulator is near the end, and saturates */
	int64_t sum = (int64_t)s + 0x7fffffff - 5000;
	uint32_t sat = sum > 0x7fffffff ? 0x7fffffffu : (uint32_t)sum;
	return u + 3 * (uint32_t)s + 5 * (uint32_t)su + 7 * sat;
}

static uint32_t want_dot_vector(uint32_t i, const uint32_t *x)
{
	uint32_t a = x[i], b = x[i] * 2654435761u;
	uint32_t u = 0;
	int32_t s = 0;

	for (int k = 0; k < 4; k++) {
		u += (uint32_t)(uint8_t)byte_of(a, k) * (uint8_t)byte_of(b, k);
		s += byte_of(a, k) * byte_of(b, k);
	}
	return u + 3 * (uint32_t)s;
}

static uint32_t want_later(uint32_t i, const uint32_t *x)
{
	return x[i] + 1;
}

static uint32_t want_bfloat16(uint32_t i, const uint32_t *x)
{
	bool is_nan = (x[i] & 0x7fffffff) > 0x7f800000;

	return ((is_nan ? x[i] | 0x400000 : x[i] + 0x7fff + (x[i] >> 16 & 1)) & 0xffff0000) + 1;
}

static uint32_t want_expect(uint32_t i, const uint32_t *x)
{
	return x[i] + 1;
}

static uint32_t want_neighbour(uint32_t i, const uint32_t *x)
{
	return x[(i + 1) % CAPABILITY_ITEMS];
}

static uint32_t want_float_add(uint32_t i, const uint32_t *x)
{
	(void)i;
	(void)x;
	return 2 * CAPABILITY_ITEMS;
}

static uint32_t want_float_max(uint32_t i, const uint32_t *x)
{
	(void)i;
	(void)x;
	return CAPABILITY_ITEMS - 1 + 1000;
}

static uint32_t want_long_atomic(uint32_t i, const uint32_t *x)
{
	(void)i;
	(void)x;
	return 3 * CAPABILITY_ITEMS;
}

static uint32_t want_intel_shuffle(uint32_t i, const uint32_t *x)
{
	return x[i ^ 15] + 3 * x[i ^ 5];
}

static uint32_t want_block(uint32_t i, const uint32_t *x)
{
	return x[i] + 3 * x[i];
}

static uint32_t want_dispatch(uint32_t i, const uint32_t *x)
{
	(void)i;
	(void)x;
	return SG;
}

/* clang-format off */
#define LOCAL "%array = OpTypeArray %uint %c32\n%pla = OpTypePointer Workgroup %array\n"           \
	      "%pl = OpTypePointer Workgroup %uint\n%l = OpVariable %pla Workgroup\n"
#define FLOATS "%array = OpTypeArray %float %c2\n%pla = OpTypePointer Workgroup %array\n"          \
	       "%pl = OpTypePointer Workgroup %float\n%l = OpVariable %pla Workgroup\n"            \
	       "%f0 = OpConstant %float 0\n%f2 = OpConstant %float 2\n"                            \
	       "%f1000 = OpConstant %float 1000\n"
#define BOTH "OpControlBarrier %c2 %c2 %ordered\n"

const struct capability_row capability_rows[] = {
	{ "Addresses", 4, NULL, "", "%n = OpConvertPtrToU %ulong %p\n%n0 = OpConvertPtrToU %ulong %o\n"
		"%d = OpISub %ulong %n %n0\n%d4 = OpUConvert %uint %d\n%r = OpIAdd %uint %x %d4\n",
		want_addresses },
	{ "Int8", 39, NULL, "%uchar = OpTypeInt 8 0\n%b7 = OpConstant %uchar 7\n"
		"%b200 = OpConstant %uchar 200\n",
		"%b = OpUConvert %uchar %x\n%bm = OpIMul %uchar %b %b7\n"
		"%bs = OpIAdd %uchar %bm %b200\n%r = OpUConvert %uint %bs\n", want_int8 },
	{ "Int16", 22, NULL, "%ushort = OpTypeInt 16 0\n%s = OpConstant %ushort 4099\n",
		"%b = OpUConvert %ushort %x\n%bm = OpIMul %ushort %b %s\n%r = OpUConvert %uint %bm\n",
		want_int16 },
	{ "Int64", 11, NULL, "%l32 = OpConstant %ulong 32\n", "%w = OpUConvert %ulong %x\n"
		"%m = OpIMul %ulong %w %w\n%h = OpShiftRightLogical %ulong %m %l32\n"
		"%r = OpUConvert %uint %h\n", want_int64 },
	{ "Float64", 10, NULL, "%double = OpTypeFloat 64\n%d3 = OpConstant %double 3\n",
		"%d = OpConvertUToF %double %x\n%t = OpFMul %double %d %d3\n"
		"%w = OpConvertFToU %ulong %t\n%r = OpUConvert %uint %w\n", want_double },
	{ "Float16", 9, NULL, "%half = OpTypeFloat 16\n%h3 = OpConstant %half 3\n"
		"%c63 = OpConstant %uint 63\n",
		"%m = OpBitwiseAnd %uint %x %c63\n%h = OpConvertUToF %half %m\n"
		"%t = OpFMul %half %h %h3\n%r = OpConvertFToU %uint %t\n", want_half },
	{ "Float16Buffer", 8, NULL, "%half = OpTypeFloat 16\n%ph = OpTypePointer CrossWorkgroup %half\n"
		"%big = OpConstant %float 16777216\n%l0 = OpConstant %ulong 0\n"
		"%c1023 = OpConstant %uint 1023\n",
		"%m = OpBitwiseAnd %uint %x %c1023\nOpStore %p %m Aligned 4\n"
		"%q = OpBitcast %ph %p\n%h = OpExtInst %float %std vload_half %l0 %q\n"
		"%t = OpFMul %float %h %big\n%r = OpConvertFToU %uint %t\n", want_half_buffer },
	{ "Vector16", 7, NULL, "%v16 = OpTypeVector %uint 16\n"
		"%v4s = OpConstantComposite %v16 %c4 %c4 %c4 %c4 %c4 %c4 %c4 %c4"
		" %c4 %c4 %c4 %c4 %c4 %c4 %c4 %c4\n",
		"%v = OpCompositeConstruct %v16 %x %x %x %x %x %x %x %x %x %x %x %x %x %x %x %x\n"
		"%y = OpShiftLeftLogical %v16 %v %v4s\n"
		"%e = OpCompositeExtract %uint %y 15\n%r = OpIAdd %uint %e %x\n", want_vector16 },
	{ "Linkage", 5, NULL, "", "%r = OpFunctionCall %uint %times5 %x\n", want_linkage },
	{ "GenericPointer", 38, NULL, "%pgen = OpTypePointer Generic %uint\n",
		"%q = OpPtrCastToGeneric %pgen %p\n%y = OpLoad %uint %q Aligned 4\n"
		"%r = OpIAdd %uint %x %y\n", want_generic },
	{ "Groups", 18, NULL, "", "%r = OpGroupIAdd %uint %c2 Reduce %x\n", want_groups },
	{ "GroupNonUniform", 61, NULL, "", "%e = OpGroupNonUniformElect %bool %c3\n"
		"%r = OpSelect %uint %e %c8 %x\n", want_elect },
	{ "GroupNonUniformVote", 62, NULL, "%c16 = OpConstant %uint 16\n",
		"%s = OpULessThan %bool %i %c16\n%a = OpGroupNonUniformAll %bool %c3 %s\n"
		"%y = OpGroupNonUniformAny %bool %c3 %s\n%q = OpGroupNonUniformAllEqual %bool %c3 %c8\n"
		"%b = OpLogicalAnd %bool %a %y\n%d = OpLogicalAnd %bool %b %q\n"
		"%r = OpSelect %uint %d %c1 %c0\n", want_vote },
	{ "GroupNonUniformBallot", 64, NULL, "%c64k = OpConstant %uint 0x10000\n",
		"%b = OpBitwiseAnd %uint %x %c1\n%s = OpIEqual %bool %b %c1\n"
		"%v = OpGroupNonUniformBallot %uint4 %c3 %s\n"
		"%e = OpCompositeExtract %uint %v 0\n"
		"%n = OpGroupNonUniformBallotBitCount %uint %c3 Reduce %v\n"
		"%m = OpIMul %uint %n %c64k\n%r = OpIAdd %uint %e %m\n", want_ballot },
	{ "GroupNonUniformArithmetic", 63, NULL, "",
		"%r = OpGroupNonUniformIAdd %uint %c3 InclusiveScan %x\n", want_arithmetic },
	{ "GroupNonUniformClustered GroupNonUniformArithmetic", 67, NULL, "",
		"%r = OpGroupNonUniformBitwiseXor %uint %c3 ClusteredReduce %x %c4\n",
		want_clustered },
	{ "GroupNonUniformShuffle", 65, NULL, "%c15 = OpConstant %uint 15\n",
		"%m = OpBitwiseAnd %uint %i %c15\n%n = OpBitwiseXor %uint %m %c15\n"
		"%a = OpGroupNonUniformShuffle %uint %c3 %x %n\n"
		"%b = OpGroupNonUniformShuffleXor %uint %c3 %x %c5\n"
		"%t = OpIMul %uint %b %c3\n%r = OpIAdd %uint %a %t\n", want_shuffle },
	{ "GroupNonUniformShuffleRelative", 66, NULL, "%c15 = OpConstant %uint 15\n"
		"%c13 = OpConstant %uint 13\n",
		"%a = OpGroupNonUniformShuffleUp %uint %c3 %x %c3\n"
		"%b = OpGroupNonUniformShuffleDown %uint %c3 %x %c2\n"
		"%t = OpIMul %uint %b %c3\n%s = OpIAdd %uint %a %t\n"
		"%m = OpBitwiseAnd %uint %i %c15\n%q = OpULessThan %bool %m %c3\n"
		"%w = OpUGreaterThan %bool %m %c13\n%out = OpLogicalOr %bool %q %w\n"
		"%r = OpSelect %uint %out %c0 %s\n", want_relative },
	{ "GroupNonUniformRotateKHR", 6026, "SPV_KHR_subgroup_rotate", "",
		"%r = OpGroupNonUniformRotateKHR %uint %c3 %x %c5\n", want_rotate },
	{ "GroupNonUniformRotateKHR", 6026, "SPV_KHR_subgroup_rotate", "",
		"%r = OpGroupNonUniformRotateKHR %uint %c3 %x %c5 %c8\n", want_clustered_rotate },
	{ "GroupUniformArithmeticKHR", 6400, "SPV_KHR_uniform_group_instructions", "",
		"%y = OpBitwiseOr %uint %x %c1\n%a = OpGroupIMulKHR %uint %c2 Reduce %y\n"
		"%b = OpGroupBitwiseXorKHR %uint %c2 Reduce %x\n%r = OpIAdd %uint %a %b\n",
		want_uniform },
	{ "BitInstructions", 6025, "SPV_KHR_bit_instructions", "",
		"%a = OpBitReverse %uint %x\n%b = OpBitFieldUExtract %uint %x %c4 %c5\n"
		"%c = OpBitFieldSExtract %uint %x %c4 %c5\n"
		"%d = OpBitFieldInsert %uint %x %i %c3 %c8\n"
		"%b3 = OpIMul %uint %b %c3\n%c_5 = OpIMul %uint %c %c5\n%d7 = OpIMul %uint %d %c7\n"
		"%s = OpIAdd %uint %a %b3\n%t = OpIAdd %uint %s %c_5\n%r = OpIAdd %uint %t %d7\n",
		want_bits },
	{ "DotProductKHR DotProductInput4x8BitPackedKHR", 6019, "SPV_KHR_integer_dot_product",
		"%near = OpConstant %uint 2147478647\n",
		"%y = OpIMul %uint %x %gold\n"
		"%a = OpUDotKHR %uint %x %y PackedVectorFormat4x8BitKHR\n"
		"%b = OpSDotKHR %uint %x %y PackedVectorFormat4x8BitKHR\n"
		"%c = OpSUDotKHR %uint %x %y PackedVectorFormat4x8BitKHR\n"
		"%d = OpSDotAccSatKHR %uint %x %y %near PackedVectorFormat4x8BitKHR\n"
		"%b3 = OpIMul %uint %b %c3\n%c_5 = OpIMul %uint %c %c5\n%d7 = OpIMul %uint %d %c7\n"
		"%s = OpIAdd %uint %a %b3\n%t = OpIAdd %uint %s %c_5\n%r = OpIAdd %uint %t %d7\n",
		want_dot_packed },
	{ "DotProductInput4x8BitPackedKHR DotProductKHR", 6018, "SPV_KHR_integer_dot_product", "",
		"%y = OpIMul %uint %x %gold\n"
		"%a = OpUDotKHR %uint %x %y PackedVectorFormat4x8BitKHR\n"
		"%b = OpSDotKHR %uint %x %y PackedVectorFormat4x8BitKHR\n"
		"%b3 = OpIMul %uint %b %c3\n%r = OpIAdd %uint %a %b3\n", want_dot_vector },
	{ "DotProductInput4x8BitKHR DotProductKHR Int8", 6017, "SPV_KHR_integer_dot_product",
		"%uchar = OpTypeInt 8 0\n%uchar4 = OpTypeVector %uchar 4\n",
		"%y = OpIMul %uint %x %gold\n%v = OpBitcast %uchar4 %x\n%w = OpBitcast %uchar4 %y\n"
		"%a = OpUDotKHR %uint %v %w\n%b = OpSDotKHR %uint %v %w\n"
		"%b3 = OpIMul %uint %b %c3\n%r = OpIAdd %uint %a %b3\n", want_dot_vector },
	/* two clocks in order: the later is not below the earlier */
	{ "ShaderClockKHR", 5055, "SPV_KHR_shader_clock", "%v2 = OpTypeVector %uint 2\n",
		"%t = OpReadClockKHR %ulong %c3\n" BOTH "%u = OpReadClockKHR %ulong %c3\n"
		"%v = OpReadClockKHR %v2 %c3\n%after = OpUGreaterThan %bool %u %t\n"
		"%one = OpSelect %uint %after %c1 %c0\n%r = OpIAdd %uint %x %one\n", want_later },
	/* words of Bfloat16ConversionINTEL, which older assemblers do not know */
	{ "!6115 Int16", 6115, "SPV_INTEL_bfloat16_conversion",
		"%ushort = OpTypeInt 16 0\n",
		"%f = OpBitcast %float %x\n!0x000417e4 %ushort %b %f\n"
		"!0x000417e5 %float %ff %b\n%h = OpBitcast %uint %ff\n"
		"%r = OpIAdd %uint %h %c1\n", want_bfloat16 },
	{ "ExpectAssumeKHR", 5629, "SPV_KHR_expect_assume", "%c99 = OpConstant %uint 99\n",
		"%s = OpULessThan %bool %i %c99\nOpAssumeTrueKHR %s\n"
		"%y = OpExpectKHR %uint %x %c4\n%r = OpIAdd %uint %y %c1\n", want_expect },
	{ "SplitBarrierINTEL", 6141, "SPV_INTEL_split_barrier", LOCAL "%c31 = OpConstant %uint 31\n",
		"%s = OpInBoundsAccessChain %pl %l %i\nOpStore %s %x Aligned 4\n"
		"OpControlBarrierArriveINTEL %c2 %c2 %release\nOpControlBarrierWaitINTEL %c2 %c2 %acquire\n"
		"%j = OpIAdd %uint %i %c1\n%m = OpBitwiseAnd %uint %j %c31\n"
		"%t = OpInBoundsAccessChain %pl %l %m\n%r = OpLoad %uint %t Aligned 4\n",
		want_neighbour },
	{ "AtomicFloat32AddEXT", 6033, "SPV_EXT_shader_atomic_float_add", FLOATS,
		"%s = OpInBoundsAccessChain %pl %l %c0\nOpStore %s %f0 Aligned 4\n" BOTH
		"%old = OpAtomicFAddEXT %float %s %c2 %c0 %f2\n" BOTH
		"%f = OpLoad %float %s Aligned 4\n%r = OpConvertFToU %uint %f\n", want_float_add },
	{ "AtomicFloat32MinMaxEXT", 5612, "SPV_EXT_shader_atomic_float_min_max", FLOATS,
		"%s = OpInBoundsAccessChain %pl %l %c0\nOpStore %s %f0 Aligned 4\n"
		"%s1 = OpInBoundsAccessChain %pl %l %c1\nOpStore %s1 %f1000 Aligned 4\n" BOTH
		"%fi = OpConvertUToF %float %i\n%fj = OpFAdd %float %fi %f1000\n"
		"%old = OpAtomicFMaxEXT %float %s %c2 %c0 %fi\n"
		"%old1 = OpAtomicFMinEXT %float %s1 %c2 %c0 %fj\n" BOTH
		"%f = OpLoad %float %s Aligned 4\n%low = OpLoad %float %s1 Aligned 4\n"
		"%h = OpFAdd %float %f %low\n%r = OpConvertFToU %uint %h\n", want_float_max },
	{ "Int64Atomics", 12, NULL, "%pgl = OpTypePointer CrossWorkgroup %ulong\n"
		"%l3 = OpConstant %ulong 3\n%l0 = OpConstant %ulong 0\n",
		/* above the items' own values, where the buffer has room */
		"%q = OpBitcast %pgl %o\n%w = OpPtrAccessChain %pgl %q %c32\n"
		"%old = OpAtomicIAdd %ulong %w %c1 %c0 %l3\n" BOTH
		"%n = OpAtomicLoad %ulong %w %c1 %c0\n%r = OpUConvert %uint %n\n", want_long_atomic },
	{ "SubgroupShuffleINTEL", 5568, "SPV_INTEL_subgroups", "%c15 = OpConstant %uint 15\n",
		"%m = OpBitwiseAnd %uint %i %c15\n%n = OpBitwiseXor %uint %m %c15\n"
		"%a = OpSubgroupShuffleINTEL %uint %x %n\n%b = OpSubgroupShuffleXorINTEL %uint %x %c5\n"
		"%t = OpIMul %uint %b %c3\n%r = OpIAdd %uint %a %t\n", want_intel_shuffle },
	{ "SubgroupBufferBlockIOINTEL", 5569, "SPV_INTEL_subgroups", "%c15 = OpConstant %uint 15\n",
		"%m = OpBitwiseAnd %uint %i %c15\n%n = OpISub %uint %i %m\n"
		"%q = OpInBoundsPtrAccessChain %pg %o %n\n%a = OpSubgroupBlockReadINTEL %uint %q\n"
		"%b = OpIMul %uint %a %c3\nOpSubgroupBlockWriteINTEL %q %b\n"
		"%y = OpLoad %uint %p Volatile|Aligned 4\n%r = OpIAdd %uint %x %y\n", want_block },
	{ "SubgroupDispatch", 58, NULL, "", "%r = OpLoad %uint %maxsize\n", want_dispatch },
};
const size_t capability_n_rows = sizeof capability_rows / sizeof *capability_rows;
/* clang-format on */
