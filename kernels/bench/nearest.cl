// SPDX-License-Identifier: MIT
// The nearest of some centres for each point of eight dimensions, as k-means wants it.
kernel void nearest(global const float *points, global const float *centres, global int *out,
	int n, int n_centres)
{
	int i = get_global_id(0), best = 0;
	float point[8], least = INFINITY;

	for (int d = 0; d < 8; d++)
		point[d] = points[d * n + i];
	for (int c = 0; c < n_centres; c++) {
		float sum = 0;
		for (int d = 0; d < 8; d++) {
			float off = point[d] - centres[c * 8 + d];
			sum += off * off;
		}
		if (sum < least) {
			least = sum;
			best = c;
		}
	}
	out[i] = best;
}
