// SPDX-License-Identifier: MIT
/* Messages on x86-64 with AVX2; built with those enabled. */
#define COUNT eu_profile_avx2
#include "eu/profile/eu_profile_lanes_tmpl.h"
