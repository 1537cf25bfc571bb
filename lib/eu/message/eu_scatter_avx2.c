// SPDX-License-Identifier: MIT
/* Scattered messages, built as eu_handlers_avx2.c is. */
#define EU_SCATTER eu_scatter_avx2
#include "eu/message/eu_scatter_tmpl.h"
