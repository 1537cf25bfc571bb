// SPDX-License-Identifier: MIT
// The four shuffles of cl_intel_subgroups: by a constant, and by a value that every lane has its own of.
// A lane whose source lies outside of its sub-group gets an undefined result.

SAMPLE shuffle(ARGUMENTS)
{
	uint x = in[item()];
	uint lane = (x >> 8) % get_sub_group_size();

	out[2 * item()] = VALUE(intel_sub_group_shuffle(x, 0), x);
	out[2 * item() + 1] =
		as_uint(VALUE(intel_sub_group_shuffle(as_float(x), lane), as_float(lane)));
	PLACE();
}

SAMPLE shuffle_down(ARGUMENTS)
{
	uint x = in[item()];
	uint delta = (x >> 8) % get_max_sub_group_size();

	out[2 * item()] = VALUE(intel_sub_group_shuffle_down(x, ~x, 1), x);
	out[2 * item() + 1] = as_uint(
		VALUE(intel_sub_group_shuffle_down(as_float(x), as_float(~x), delta), as_float(delta)));
	PLACE();
}

SAMPLE shuffle_up(ARGUMENTS)
{
	uint x = in[item()];
	uint delta = (x >> 8) % get_max_sub_group_size();

	out[2 * item()] = VALUE(intel_sub_group_shuffle_up(~x, x, 1), x);
	out[2 * item() + 1] = as_uint(
		VALUE(intel_sub_group_shuffle_up(as_float(~x), as_float(x), delta), as_float(delta)));
	PLACE();
}

SAMPLE shuffle_xor(ARGUMENTS)
{
	uint x = in[item()];
	uint mask = (x >> 8) % get_max_sub_group_size();

	out[2 * item()] = VALUE(intel_sub_group_shuffle_xor(x, 5), x);
	out[2 * item() + 1] =
		as_uint(VALUE(intel_sub_group_shuffle_xor(as_float(x), mask), as_float(mask)));
	PLACE();
}
