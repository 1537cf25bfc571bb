// SPDX-License-Identifier: MIT
#ifndef TAP_HEADER_H
#define TAP_HEADER_H

#include "layer/tap/tap_record.h"

/* Files that a program includes, as far as the text shows them. */
void tap_headers(cl_program program, const char *options);

#endif
