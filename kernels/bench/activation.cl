// SPDX-License-Identifier: MIT
// x * sigmoid(x), as between the layers of a network.
kernel void activation(global const float *in, global float *out)
{
	size_t i = get_global_id(0);
	float x = in[i];

	out[i] = x / (1.0f + native_exp(-x));
}
