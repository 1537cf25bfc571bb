// SPDX-License-Identifier: MIT
/* Micro-operations for any processor that the compiler knows. */
#define EU_HANDLERS eu_handlers_base
#include "eu/ops/eu_handlers_tmpl.h"
