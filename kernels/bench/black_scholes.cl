// SPDX-License-Identifier: MIT
// The price of options by Black and Scholes.
float normal(float d)
{
	float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
	float tail = 0.39894228f * native_exp(-0.5f * d * d) * k *
		     (0.31938153f + k * (-0.356563782f +
				     k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));

	return d > 0 ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float *price, global const float *strike,
	global const float *years, global float *call, float rate, float volatility)
{
	size_t i = get_global_id(0);
	float spread = volatility * native_sqrt(years[i]);
	float d1 = (native_log(price[i] / strike[i]) +
			   (rate + 0.5f * volatility * volatility) * years[i]) / spread;

	call[i] = price[i] * normal(d1) -
		  strike[i] * native_exp(-rate * years[i]) * normal(d1 - spread);
}
