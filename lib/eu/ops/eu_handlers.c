// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "eu/code/eu_uop.h"
#include "util/util_settings.h"

#ifdef __x86_64__

static bool has_avx512(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
	       __builtin_cpu_supports("avx512vl");
}

static bool has_avx2(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
	       __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2");
}

#endif

enum eu_host eu_host_select(void)
{
	const char *asked = util_settings()->engine;
	asked = asked ? asked : "";
	(void)asked;
#ifdef __x86_64__
	if (strstr(asked, "base"))
		return EU_HOST_BASE;
	if (has_avx512() && !strstr(asked, "avx2"))
		return EU_HOST_AVX512;
	if (has_avx2())
		return EU_HOST_AVX2;
#endif
	return EU_HOST_BASE;
}

const struct eu_handlers *eu_handlers_of(enum eu_host host)
{
#ifdef __x86_64__
	if (host == EU_HOST_AVX512)
		return &eu_handlers_avx512;
	if (host == EU_HOST_AVX2)
		return &eu_handlers_avx2;
#endif
	(void)host;
	return &eu_handlers_base;
}

const struct eu_handlers *eu_handlers_select(void)
{
	return eu_handlers_of(eu_host_select());
}
