// SPDX-License-Identifier: MIT
/* Scattered messages, built as eu_handlers_avx512.c is. */
#define EU_SCATTER eu_scatter_avx512
#include "eu/eu_scatter_tmpl.h"
