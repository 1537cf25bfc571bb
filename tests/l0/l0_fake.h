// SPDX-License-Identifier: MIT
#ifndef L0_FAKE_H
#define L0_FAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A Level Zero of our own for tests: a device that runs lists in order, in this thread, when it is
 * told to. Of the commands of a list between two barriers, it runs the last first. l0_fake_install
 * puts it into the function table, before anything opens the device.
 *
 * Its kernels, by name: "set" (buffer of uint32_t, uint32_t v): b[i] = v + i; "add" (buffer, v):
 * b[i] += v; "copy" (to, from): t[i] = f[i], uint32_t each; where i is the global id with offset.
 */
void l0_fake_install(void);

enum l0_fake_mode {
	L0_FAKE_AT_SUBMIT,    /* lists run when they are submitted */
	L0_FAKE_BY_HAND,      /* lists run in l0_fake_run */
	L0_FAKE_EVENTS_FIRST, /* as AT_QUERY, but fences come some queries after the events */
	L0_FAKE_AT_QUERY /* the oldest list runs each time somebody asks for a fence or an event */
};

/* What the rows of l0_fake_models.def say: the first is what l0_fake_install puts there. */
struct l0_fake_model {
	const char *name;
	uint32_t id, ip_version, min_sub_group, local_kib, memory_mib;
	bool integrated, fp64, dpas;
	uint32_t tiles;
};

#define L0_FAKE_MOST_TILES 2

enum l0_fake_model_number {
#define MODEL(symbol, ...) L0_FAKE_##symbol,
#include "l0_fake_models.def"
	L0_FAKE_N_MODELS
};

/* From now on, the driver lists n models; before anything opened the device. */
void l0_fake_list(const enum l0_fake_model_number *models, unsigned n);

struct l0_fake {
	_Atomic(enum l0_fake_mode) mode;
	/* The n-th call from now on (1: the next) that can fail does; 0: none. Counts down. */
	atomic_uint fail_after;
	atomic_bool refuses_native; /* modules of native code, with
				       ZE_RESULT_ERROR_INVALID_NATIVE_BINARY */
	atomic_uint n_spirv;	    /* modules that were made of SPIR-V */
	atomic_bool failed;	    /* it did */
	atomic_uint calls;	    /* that could have failed */
	void (*on_launch)(void);    /* called while a launch is appended, if not NULL */
	unsigned n_more_args;	    /* parameters of kernels beyond the two that all have */
	unsigned submits;	    /* lists given to the device */
	unsigned appends;	    /* commands appended, barriers and waits aside */
	unsigned barriers;
	unsigned kernel_sets;  /* arguments sent */
	unsigned errors;       /* misuse of the API that the fake has noticed; printed */
	atomic_int live;       /* objects and allocations that exist */
	uint64_t ticks;	       /* the device's clock; a list's commands take 10 each */
	char *log;	       /* the build log of the next module */
	unsigned build_result; /* ze_result_t of the next module */
	/* Host memory at an address that is given (as Intel's driver has it), if not `allocates`;
	 * `recycles`: what was freed last is what is allocated next. */
	bool allocates, recycles;
	unsigned n_given; /* such allocations that exist */
	/* A fault: the list that runs next stops the device; the report can be taken once. */
	bool fault_next;
	const char *fault; /* the report that waits to be taken */
	/* The GPU was reset: its status says so; calls that can fail do. Nothing runs any more. */
	atomic_bool status_lost, calls_lost;
};

extern struct l0_fake l0_fake;

/* Runs up to n lists; returns how many ran. A list whose waits are not satisfied stops it. */
unsigned l0_fake_run(unsigned n);

/* How many lists are submitted and have not run. */
unsigned l0_fake_pending(void);

/* Whether it is the fake that allocates now, in this thread. */
bool l0_fake_allocates(void);

/* On how many devices the memory that `address` is in is resident. */
unsigned l0_fake_n_resident(const void *address);

/* Ends a reset: what was submitted before is skipped. */
void l0_fake_recover(void);

/* For the device's take_fault. */
size_t l0_fake_take_fault(unsigned number, char *report, size_t size);

#endif
