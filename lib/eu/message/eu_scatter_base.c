// SPDX-License-Identifier: MIT
/* Scattered messages, built as eu_handlers_base.c is. */
#define EU_SCATTER eu_scatter_base
#include "eu/message/eu_scatter_tmpl.h"
