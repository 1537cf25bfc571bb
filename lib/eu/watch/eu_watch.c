// SPDX-License-Identifier: MIT
/* The part of eu_watch.h that needs no kernel. */
#include "eu/watch/eu_watch.h"

#include "eu/debug/eu_debug.h"
#include "util/util_bits.h"
#include "util/util_log.h"
#include "util/util_settings.h"

static const struct {
	unsigned tool;
	const char *name;
} tools[] = {
	{ EU_CHECK_RACES, "races" },
	{ EU_CHECK_MEMORY, "memory" },
	{ EU_CHECK_INIT, "init" },
	{ EU_CHECK_BARRIERS, "barriers" },
	{ EU_CHECK_LANES, "lanes" },
	{ EU_CHECK_NUMBERS, "numbers" },
	{ EU_CHECK_NANS, "nan" },
	{ EU_CHECK_WRITES, "writes" },
};

unsigned eu_check_tools(void)
{
	const unsigned all = ~(unsigned)(EU_CHECK_NANS | EU_CHECK_WRITES);
	const char *list = util_settings()->check;
	unsigned set = 0;

	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(tools); i++)
		if (util_settings_lists(list, tools[i].name) ||
			(tools[i].tool & all && util_settings_lists(list, "1")))
			set |= tools[i].tool;
	return set;
}

const char *eu_check_name(unsigned tool)
{
	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(tools); i++)
		if (tools[i].tool == tool)
			return tools[i].name;
	return "";
}

unsigned eu_watch_wanted(void)
{
	const struct util_settings *settings = util_settings();
	const char *trace = settings->trace;
	unsigned wanted = settings->forms ? EU_WATCH_FORMS : 0;

	if (util_settings_lists(settings->engine, "stencil"))
		wanted = 0;
	wanted |= eu_debug_wanted() ? EU_WATCH_GDB : 0;
	if (settings->check_output || wanted & EU_WATCH_GDB || util_log_on(UTIL_LOG_ERROR)) {
		unsigned set = eu_check_tools();
		wanted |= set & (EU_CHECK_MEMORY | EU_CHECK_BARRIERS | EU_CHECK_LANES |
					EU_CHECK_NUMBERS)
				  ? EU_WATCH_CHECK
				  : 0;
		wanted |= set & (EU_CHECK_MEMORY | EU_CHECK_INIT) ? EU_WATCH_MEMORY : 0;
		wanted |= set & EU_CHECK_WRITES ? EU_WATCH_WRITES : 0;
		wanted |= set & EU_CHECK_NANS ? EU_WATCH_NANS : 0;
		wanted |= set & EU_CHECK_RACES ? EU_WATCH_RACES : 0;
	}
	if (!trace || !util_log_on(UTIL_LOG_TRACE))
		return wanted;
	wanted |= util_settings_lists(trace, "instructions") ? EU_WATCH_INSTRUCTIONS : 0;
	wanted |= util_settings_lists(trace, "messages") ? EU_WATCH_MESSAGES : 0;
	return wanted | (util_settings_lists(trace, "walkers") ? EU_WATCH_WALKERS : 0);
}

void eu_watch_walker(const struct eu_dispatch *dispatch)
{
	const uint32_t *first = dispatch->group_first, *end = dispatch->group_end;

	util_log(UTIL_LOG_TRACE, "eu",
		"walker: kernel 0x%012llx, SIMD%u, %u threads in a group, groups %u,%u,%u to "
		"%u,%u,%u, last thread's channels %08x, %u bytes of local memory, %u of scratch%s",
		(unsigned long long)dispatch->kernel, dispatch->simd, dispatch->threads_per_group,
		first[0], first[1], first[2], end[0], end[1], end[2], dispatch->right_mask,
		dispatch->slm_bytes, dispatch->scratch_bytes_per_thread,
		dispatch->barrier ? ", barriers" : "");
}
