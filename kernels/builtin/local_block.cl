// SPDX-License-Identifier: MIT
// cl_intel_subgroup_local_block_io: the compiler has these, and declares them for no family.

#if !defined(cl_intel_subgroup_local_block_io) && !defined(ZEROCL_MACROS_ONLY)
#define ZEROCL_BLOCK(type, suffix, n)                                                              \
	__attribute__((overloadable)) type##n intel_sub_group_block_read##suffix##n(               \
		const local type *p);                                                              \
	__attribute__((overloadable)) void intel_sub_group_block_write##suffix##n(                 \
		local type *p, type##n data);
#define ZEROCL_BLOCKS(type, suffix)                                                                \
	ZEROCL_BLOCK(type, suffix, )                                                               \
	ZEROCL_BLOCK(type, suffix, 2)                                                              \
	ZEROCL_BLOCK(type, suffix, 4)                                                              \
	ZEROCL_BLOCK(type, suffix, 8)
ZEROCL_BLOCKS(uint, )
ZEROCL_BLOCKS(ushort, _us)
ZEROCL_BLOCKS(uchar, _uc)
ZEROCL_BLOCK(uchar, _uc, 16)
ZEROCL_BLOCKS(ulong, _ul)
#undef ZEROCL_BLOCK
#undef ZEROCL_BLOCKS
#endif
