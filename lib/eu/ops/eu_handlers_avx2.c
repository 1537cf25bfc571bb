// SPDX-License-Identifier: MIT
/* Micro-operations for x86-64 with AVX2, FMA and F16C; built with those enabled. */
#define EU_HANDLERS eu_handlers_avx2
#include "eu/ops/eu_handlers_tmpl.h"
