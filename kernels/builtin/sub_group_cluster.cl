// SPDX-License-Identifier: MIT
// Of long and ulong, the compiler makes clusters of as many lanes that take part, wherever they are.
// Here a cluster is the lanes of consecutive numbers, of which those count that take part.

#ifndef ZEROCL_MACROS_ONLY
#define ZEROCL_CLUSTER(op, type, identity, expression)                                             \
	static __attribute__((overloadable)) type zerocl_cluster_##op(type value, uint size)       \
	{                                                                                          \
		uint active = sub_group_ballot(1).s0;                                              \
		uint own = get_sub_group_local_id(), lane = own & ~(size - 1);                     \
		type a = identity;                                                                 \
		for (uint i = 0; i < size; i++, lane++) {                                          \
			bool is_there = active >> lane & 1;                                        \
			type b = sub_group_shuffle(value, is_there ? lane : own);                  \
			if (is_there)                                                              \
				a = expression;                                                    \
		}                                                                                  \
		return a;                                                                          \
	}
#define ZEROCL_CLUSTERS(op, of_long, of_ulong, expression)                                         \
	ZEROCL_CLUSTER(op, long, of_long, expression)                                              \
	ZEROCL_CLUSTER(op, ulong, of_ulong, expression)
ZEROCL_CLUSTERS(add, 0, 0, a + b)
ZEROCL_CLUSTERS(mul, 1, 1, a * b)
ZEROCL_CLUSTERS(min, LONG_MAX, ULONG_MAX, min(a, b))
ZEROCL_CLUSTERS(max, LONG_MIN, 0, max(a, b))
ZEROCL_CLUSTERS(and, -1, ULONG_MAX, a & b)
ZEROCL_CLUSTERS(or, 0, 0, a | b)
ZEROCL_CLUSTERS(xor, 0, 0, a ^ b)
#undef ZEROCL_CLUSTER
#undef ZEROCL_CLUSTERS
#endif

#define ZEROCL_CLUSTERED(op, builtin, value, size)                                                 \
	_Generic((value), long: zerocl_cluster_##op((long)(value), size),                          \
		ulong: zerocl_cluster_##op((ulong)(value), size), default: builtin(value, size))
#define sub_group_clustered_reduce_add(value, size)                                                \
	ZEROCL_CLUSTERED(add, sub_group_clustered_reduce_add, value, size)
#define sub_group_clustered_reduce_mul(value, size)                                                \
	ZEROCL_CLUSTERED(mul, sub_group_clustered_reduce_mul, value, size)
#define sub_group_clustered_reduce_min(value, size)                                                \
	ZEROCL_CLUSTERED(min, sub_group_clustered_reduce_min, value, size)
#define sub_group_clustered_reduce_max(value, size)                                                \
	ZEROCL_CLUSTERED(max, sub_group_clustered_reduce_max, value, size)
#define sub_group_clustered_reduce_and(value, size)                                                \
	ZEROCL_CLUSTERED(and, sub_group_clustered_reduce_and, value, size)
#define sub_group_clustered_reduce_or(value, size)                                                 \
	ZEROCL_CLUSTERED(or, sub_group_clustered_reduce_or, value, size)
#define sub_group_clustered_reduce_xor(value, size)                                                \
	ZEROCL_CLUSTERED(xor, sub_group_clustered_reduce_xor, value, size)
