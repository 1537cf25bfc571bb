// SPDX-License-Identifier: MIT
/* Scattered messages, built as eu_handlers_avx512.c is. */
#define EU_SCATTER eu_scatter_avx512
#include "eu/message/eu_scatter_tmpl.h"
