// SPDX-License-Identifier: MIT
// A sum of cosines and sines over samples, as in the reconstruction of MRI pictures.
kernel void phases(global const float *x, global const float4 *samples, global float2 *out, int n)
{
	int i = get_global_id(0);
	float at = x[i];
	float2 sum = 0;

	for (int k = 0; k < n; k++) {
		float4 s = samples[k];
		float angle = s.x * at + s.y;
		sum.x += s.z * native_cos(angle);
		sum.y += s.z * native_sin(angle);
	}
	out[i] = sum;
}
