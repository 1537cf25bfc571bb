// SPDX-License-Identifier: MIT
#ifndef EU_HOST_H
#define EU_HOST_H

#include <stdbool.h>

/* Instruction sets of the host that code is made for. Those after the first are of x86-64 only. */
enum eu_host { EU_HOST_BASE, EU_HOST_AVX2, EU_HOST_AVX512, EU_HOSTS };

/* What executes kernels. */
struct eu_target {
	enum eu_host host;
	bool stencils; /* machine code; otherwise handlers, one after the other */
};

/*
 * What ZEROCL_VGPU_ENGINE asks for (docs/ENVIRONMENT.md), as far as this build and the host's
 * processor have it: by default the best instruction set, and stencils unless the build is
 * instrumented by a sanitizer, which sees nothing of them. NULL asks for the default.
 */
struct eu_target eu_target_parse(const char *asked);

/* The same, for the setting of that name. */
struct eu_target eu_target_select(void);

#endif
