// SPDX-License-Identifier: MIT
// Block reads and writes of cl_intel_subgroups: a sub-group reads or writes consecutive words, and
// word k of a lane is lane + k * get_max_sub_group_size(). Reads start at any word (here at an odd
// one), writes at a multiple of 16 bytes.

#define BLOCK(n) ((team() * capacity + first()) * (n))

SAMPLE block_read(ARGUMENTS)
{
	global const uint *p = in + 1 + BLOCK(1);
	out[item()] = VALUE(intel_sub_group_block_read(p), p[0]);
	PLACE();
}

SAMPLE block_write(ARGUMENTS)
{
	global uint *p = out + BLOCK(1);
	uint x = in[item()];
	VALUE(intel_sub_group_block_write(p, x), p[0] = x);
	PLACE();
}

#define BLOCKS(n)                                                                                  \
	SAMPLE block_read##n(ARGUMENTS)                                                            \
	{                                                                                          \
		global const uint *p = in + 1 + BLOCK(n);                                          \
		vstore##n(VALUE(intel_sub_group_block_read##n(p), (uint##n)(p[0])), item(), out);  \
		PLACE();                                                                           \
	}                                                                                          \
	SAMPLE block_write##n(ARGUMENTS)                                                           \
	{                                                                                          \
		global uint *p = out + BLOCK(n);                                                   \
		uint##n x = vload##n(item(), in);                                                  \
		VALUE(intel_sub_group_block_write##n(p, x), vstore##n(x, 0, p));                   \
		PLACE();                                                                           \
	}

BLOCKS(2)
BLOCKS(4)
BLOCKS(8)
