// SPDX-License-Identifier: MIT
#include "eu/watch/eu_command.h"

#include <pthread.h>
#include <stdlib.h>

#include "eu/watch/eu_clock.h"
#include "util/util_thread.h"

enum { KEPT = 1 << 14, IS_CHAIN = 1 << 30 };

struct command {
	uint32_t number; /* 0: none */
	uint32_t chain;	 /* key of its row in clocks */
	const char *name;
	struct eu_clock *clock; /* of what is before it, and itself */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)
static struct command commands[KEPT]; /* under lock; a ring */
static uint32_t last;		      /* under lock; number of the newest */
static struct eu_clock *seen;	      /* under lock; by the program */
static _Thread_local uint32_t entered;

/* NULL: forgotten, or 0. Under lock. */
static struct command *find(uint32_t number)
{
	struct command *command = &commands[number % KEPT];

	return number && command->number == number ? command : NULL;
}

/* Under lock. */
static void learn(struct eu_clock **known, struct eu_clock *more)
{
	struct eu_clock *both = eu_clock_join(*known, more);

	eu_clock_drop(known);
	*known = both;
}

uint32_t eu_command_add(const char *name, uint32_t chain, const uint32_t *after, size_t n)
{
	pthread_mutex_lock(&lock);
	uint32_t number = last < UINT32_MAX - 2 ? last + 1 : 0;
	uint32_t key = chain ? chain % IS_CHAIN + IS_CHAIN : number % IS_CHAIN;
	const struct eu_clock_row own = { key, { number + 1 } };
	bool is_last = false;

	for (size_t i = 0; i < n; i++)
		is_last |= after[i] == EU_COMMAND_ALL;
	struct eu_clock *clock = number ? eu_clock_create(&own, 1, is_last ? number : 0) : NULL;

	if (clock) {
		struct command *command = &commands[number % KEPT];
		eu_clock_drop(&command->clock);
		*command = (struct command){ number, key, name, clock };
		learn(&command->clock, seen);
		for (size_t i = 0; i < n; i++)
			if (find(after[i]))
				learn(&command->clock, find(after[i])->clock);
		last = number;
	}
	pthread_mutex_unlock(&lock);
	return clock ? number : 0;
}

void eu_command_see(uint32_t number)
{
	pthread_mutex_lock(&lock);
	if (find(number))
		learn(&seen, find(number)->clock);
	pthread_mutex_unlock(&lock);
}

void eu_command_enter(uint32_t number)
{
	entered = number;
}

uint32_t eu_command_entered(void)
{
	return entered;
}

bool eu_command_is_before(uint32_t earlier, uint32_t later)
{
	pthread_mutex_lock(&lock);
	const struct command *a = find(earlier), *b = find(later);
	bool is = !a || !b || eu_clock_knows(b->clock, a->chain, 0, earlier);
	pthread_mutex_unlock(&lock);
	return is;
}

const char *eu_command_name(uint32_t number)
{
	pthread_mutex_lock(&lock);
	const char *name = find(number) ? find(number)->name : NULL;
	pthread_mutex_unlock(&lock);
	return name;
}
