// SPDX-License-Identifier: MIT
/* Micro-operations for x86-64 with AVX-512 (F, BW, CD, DQ, VL); built with those enabled. */
#define EU_HANDLERS eu_handlers_avx512
#include "eu/ops/eu_handlers_tmpl.h"
