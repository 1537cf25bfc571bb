// SPDX-License-Identifier: MIT
#ifndef EU_RACE_REPORT_H
#define EU_RACE_REPORT_H

#include "eu/watch/eu_allocation.h"
#include "eu/watch/eu_check.h"
#include "eu/watch/eu_observer.h"
#include "eu/watch/eu_shadow.h"

/* What eu_race.c has found, as findings, and the numbers by which cells name instructions. */

/* A kernel whose messages have numbers of their own, sites: what the observer keeps of it. */
struct eu_race_sites {
	struct eu_race_sites *next;
	const struct eu_kernel *kernel;
	uint32_t first;
};
enum { EU_RACE_NO_SITE = (1 << 21) - 1 };
void *eu_race_sites_create(const struct eu_watched *watched);
void eu_race_sites_destroy(void *sites);

static inline uint32_t eu_race_first_site(const void *facts)
{
	return ((const struct eu_race_sites *)facts)->first;
}

static inline uint32_t eu_race_site(const void *facts, const struct eu_send *send)
{
	return eu_race_first_site(facts) + send->site;
}

/*
 * A bit for each surface of the binding table that the walker reads by messages which name it and
 * that nobody in it writes to (eu_race_constant.c).
 */
void eu_race_find_constants(struct eu_thread *thread, uint64_t constants[EU_SURFACES / 64]);

/* What some of a message's lanes do to bytes side by side. */
struct eu_race_act {
	const struct eu_event *event;
	struct eu_shadow_access access;
	unsigned lane, element; /* the first of them: of the message; of those that it moves */
};

/* What a lane of a message gives as an element: where it is, or is copied to. */
const uint8_t *eu_race_operand(
	const struct eu_event *event, unsigned element, unsigned lane, uint8_t *copy);

/* The allocation that has the address; false: there is none. */
bool eu_race_find_memory(uint64_t address, struct eu_allocation *memory);

/*
 * Whether a race with another launch is one of two commands, to memory that the program has made
 * and has not made anew since.
 */
bool eu_race_is_commands(const struct eu_shadow_race *race, uint64_t address);

/* Reports two commands of which one is not before the other; a kernel comes first. */
void eu_race_report_commands(const struct eu_actor *own, const struct eu_shadow_access *access,
	const struct eu_shadow_race *race, bool is_image);

/* Reports what races with an act; `is_same`: with another lane of the same instruction. */
void eu_race_report(const struct eu_race_act *act, const struct eu_shadow_race *race, bool is_same);

#endif
