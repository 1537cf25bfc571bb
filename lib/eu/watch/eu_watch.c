// SPDX-License-Identifier: MIT
/* The part of eu_watch.h that needs no kernel. */
#include "eu/watch/eu_watch.h"

#include "eu/debug/eu_debug.h"
#include "util/util_bits.h"
#include "util/util_log.h"
#include "util/util_settings.h"

/* The tools, and what each wants to see. */
static const struct {
	unsigned tool;
	const char *name;
	unsigned wanted;
} tools[] = {
	{ EU_CHECK_RACES, "races", EU_WATCH_RACES },
	{ EU_CHECK_MEMORY, "memory", EU_WATCH_CHECK | EU_WATCH_MEMORY },
	{ EU_CHECK_INIT, "init", EU_WATCH_MEMORY },
	{ EU_CHECK_BARRIERS, "barriers", EU_WATCH_CHECK },
	{ EU_CHECK_LANES, "lanes", EU_WATCH_CHECK },
	{ EU_CHECK_NUMBERS, "numbers", EU_WATCH_CHECK },
	{ EU_CHECK_NANS, "nan", EU_WATCH_NANS },
	{ EU_CHECK_WRITES, "writes", EU_WATCH_WRITES },
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
	if (settings->check_output || wanted & EU_WATCH_GDB || util_log_on(UTIL_LOG_ERROR))
		for (unsigned i = 0, set = eu_check_tools(); i < UTIL_ARRAY_SIZE(tools); i++)
			wanted |= set & tools[i].tool ? tools[i].wanted : 0;
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
		"%u,%u,%u, last thread's channels %08x, payload 0x%012llx of %u+%u registers, "
		"binding table 0x%x, %u bytes of local memory, %u of scratch at 0x%llx%s",
		(unsigned long long)dispatch->kernel, dispatch->simd, dispatch->threads_per_group,
		first[0], first[1], first[2], end[0], end[1], end[2], dispatch->right_mask,
		(unsigned long long)dispatch->payload, dispatch->cross_thread_registers,
		dispatch->per_thread_registers, dispatch->binding_table, dispatch->slm_bytes,
		dispatch->scratch_bytes_per_thread, (unsigned long long)dispatch->scratch,
		dispatch->barrier ? ", barriers" : "");
}
