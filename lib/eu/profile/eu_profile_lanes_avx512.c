// SPDX-License-Identifier: MIT
/* Messages on x86-64 with AVX-512 (F, BW, CD, DQ, VL); built with those enabled. */
#define COUNT eu_profile_avx512
#include "eu/profile/eu_profile_lanes_tmpl.h"
