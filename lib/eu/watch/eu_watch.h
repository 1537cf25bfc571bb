// SPDX-License-Identifier: MIT
#ifndef EU_WATCH_H
#define EU_WATCH_H

#include "eu/code/eu_code.h"

/* What the environment wants to see of threads; a set of these chooses the observers. */
enum eu_watch_what {
	EU_WATCH_INSTRUCTIONS = 1, /* ZEROCL_VGPU_TRACE=instructions */
	EU_WATCH_MESSAGES = 2,	   /* …=messages */
	EU_WATCH_WALKERS = 4,	   /* …=walkers */
	EU_WATCH_FORMS = 8,	   /* ZEROCL_VGPU_FORMS is set */
	EU_WATCH_CHECK = 16,	   /* ZEROCL_VGPU_CHECK has a tool that is not below … */
	EU_WATCH_RACES = 32,	   /* … races */
	EU_WATCH_GDB = 64,	   /* ZEROCL_VGPU_GDB is set */
	EU_WATCH_NANS = 128,	   /* ZEROCL_VGPU_CHECK has nan */
	EU_WATCH_WRITES = 256,	   /* …, writes */
	EU_WATCH_MEMORY = 512,	   /* … memory or init */
};

/* The tools of ZEROCL_VGPU_CHECK: a list of their names, or 1 for all. */
enum eu_check_tool {
	EU_CHECK_RACES = 1,
	EU_CHECK_MEMORY = 2,
	EU_CHECK_INIT = 4,
	EU_CHECK_BARRIERS = 8,
	EU_CHECK_LANES = 16,
	EU_CHECK_NUMBERS = 32,
	EU_CHECK_NANS = 64,    /* not one of all */
	EU_CHECK_WRITES = 128, /* nor this, which finds nothing wrong: eu_writes.h */
};
/* A set of these; the name of one. */
unsigned eu_check_tools(void);
const char *eu_check_name(unsigned tool);

/* A set of these, from the environment as it is now. */
unsigned eu_watch_wanted(void);

/* How the environment wants kernels to be executed, as it is now. */
struct eu_options eu_options_select(void);

/* The walker that is about to run, as a line of the log. */
void eu_watch_walker(const struct eu_dispatch *dispatch);

#endif
