// SPDX-License-Identifier: MIT
#ifndef EU_MESSAGE_FIXTURE_H
#define EU_MESSAGE_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "eu/memory/eu_memory.h"
#include "eu/message/eu_message.h"
#include "eu/state/eu_thread.h"

/*
 * A thread with some GPU memory, twice: what the handlers work on and a model, which a test changes
 * one byte at a time as it thinks right. Both start with the same random contents.
 */

enum {
	FIXTURE_BUFFERS = 3,
	FIXTURE_BUFFER_BYTES = 4096,
	FIXTURE_SLM_BYTES = 8192,
	/* Binding table indices of the surfaces. */
	FIXTURE_WIDE = 3,     /* over most of the two adjoining buffers */
	FIXTURE_NULL = 5,     /* a null surface */
	FIXTURE_SMALL = 7,    /* FIXTURE_SMALL_BYTES in the second buffer */
	FIXTURE_IMAGE = 9,    /* not a buffer */
	FIXTURE_UNBOUND = 11, /* a buffer surface where no buffer is bound */
	FIXTURE_SMALL_BYTES = 102,
	FIXTURE_WIDE_BYTES = 2 * FIXTURE_BUFFER_BYTES - 128,
};

/* The first two buffers adjoin in GPU memory but not on the host; the third stands alone. */
#define FIXTURE_FIRST	   UINT64_C(0x7ffff0000000)
#define FIXTURE_LAST	   UINT64_C(0x000000200000)
#define FIXTURE_STATE_BASE UINT64_C(0x000012340000)
#define FIXTURE_WIDE_BASE  (FIXTURE_FIRST + 64)
#define FIXTURE_SMALL_BASE (FIXTURE_FIRST + FIXTURE_BUFFER_BYTES + 256)
#define FIXTURE_GENERAL	   (FIXTURE_FIRST - 0x10000)
#define FIXTURE_BINDLESS   UINT64_C(0x800) /* of FIXTURE_WIDE, from the bindless base */

struct fixture_buffer {
	uint64_t address;
	uint8_t *host;
	uint8_t model[FIXTURE_BUFFER_BYTES];
};

struct fixture {
	struct eu_thread *thread;
	struct eu_worker worker;
	struct eu_group group;
	struct eu_dispatch dispatch;
	struct eu_bus bus;
	struct gen_fault fault;
	struct eu_translation translation;
	struct eu_surface surfaces[EU_SURFACES];
	struct fixture_buffer buffers[FIXTURE_BUFFERS];
	uint8_t state[FIXTURE_BUFFER_BYTES]; /* binding table and surface states */
	_Alignas(64) uint8_t slm[65536];
	uint8_t slm_model[65536];
	uint8_t grf_model[GEN_GRF_COUNT * GEN_GRF_BYTES];
	uint64_t random;
};

int fixture_setup(void **state);
int fixture_teardown(void **state);

uint32_t fixture_random(struct fixture *fixture);
/* New contents everywhere, and nothing remembered of earlier accesses. */
void fixture_shuffle(struct fixture *fixture);

/* The model's byte at a GPU address, or NULL. */
uint8_t *fixture_byte(struct fixture *fixture, uint64_t address);
/*
 * The model's byte at an offset within a space (of the surface named by `index`); NULL with *exists
 * false when it is out of range, NULL with *exists true when nothing is bound there.
 */
uint8_t *fixture_space_byte(struct fixture *fixture, enum eu_space space, unsigned index,
	uint64_t offset, bool *exists);

/* Binds and runs. Asserts that both registers and memory equal the model afterwards. */
void fixture_expect(struct fixture *fixture, struct eu_send *send, uint32_t lanes);
/* Binds and runs and expects a fault of that kind whose report contains `text`. */
void fixture_expect_fault(struct fixture *fixture, struct eu_send *send, uint32_t lanes,
	enum gen_fault_kind kind, const char *text);
/* Expects that binding is refused. */
void fixture_expect_refused(struct fixture *fixture, struct eu_send *send, const char *text);

/*
 * Puts `registers` registers of payload, the bytes of `payload`, somewhere in the registers in one
 * or two parts and `results` registers for the result somewhere else or, by chance, over the
 * payload.
 */
void fixture_place(struct fixture *fixture, struct eu_send *send, const void *payload,
	unsigned registers, unsigned results);

#endif
