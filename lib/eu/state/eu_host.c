// SPDX-License-Identifier: MIT
#include "eu/state/eu_host.h"

#include <string.h>

#include "util/util_settings.h"

#ifdef __x86_64__

static enum eu_host find_best(void)
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
		__builtin_cpu_supports("avx512vl"))
		return EU_HOST_AVX512;
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
		__builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2"))
		return EU_HOST_AVX2;
	return EU_HOST_BASE;
}

#else

static enum eu_host find_best(void)
{
	return EU_HOST_BASE;
}

#endif

struct eu_target eu_target_parse(const char *asked)
{
	struct eu_target target = { .host = find_best() };

	asked = asked ? asked : "";
	if (strstr(asked, "base"))
		target.host = EU_HOST_BASE;
	else if (strstr(asked, "avx2") && target.host > EU_HOST_AVX2)
		target.host = EU_HOST_AVX2;
#ifdef EU_STENCILS
#ifdef EU_SANITIZED
	target.stencils = strstr(asked, "stencil") != NULL;
#else
	target.stencils = strstr(asked, "threaded") == NULL;
#endif
#endif
	return target;
}

struct eu_target eu_target_select(void)
{
	return eu_target_parse(util_settings()->engine);
}
