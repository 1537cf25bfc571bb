// SPDX-License-Identifier: MIT
#include "eu/eu_uop.h"

const struct eu_handlers *eu_handlers_select(void)
{
#ifdef __x86_64__
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
		__builtin_cpu_supports("f16c"))
		return &eu_handlers_avx2;
#endif
	return &eu_handlers_base;
}
