// SPDX-License-Identifier: MIT
/* The micro-operations of eu_handlers_avx2.c as stencils; see eu_stencil_tool.c. */
#define EU_STENCIL
#define EU_HANDLERS eu_stencil_handlers
#include "eu/ops/eu_handlers_tmpl.h"
