// SPDX-License-Identifier: MIT
#ifndef CS_STREAM_H
#define CS_STREAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "eu/state/eu_bus.h"
#include "eu/engine/eu_engine.h"
#include "gen/gen_device.h"
#include "gen/gen_fault.h"

/*
 * The command streamer of one hardware context: executes the packets of batch buffers one by one.
 * It is a machine that can be left and taken up again after every packet. Registers and state base
 * addresses live as long as the stream, from batch to batch, as a context image does.
 */

struct cs_config {
	const struct gen_device *device;
	const struct eu_bus *bus; /* the context's address space; outlives the stream */
	/* The device's clock in ticks of gen_family.timestamp_hz; 36 bits of it are visible.
	 * Called from the thread that steps the stream. */
	uint64_t (*timestamp)(void *timestamp_self);
	void *timestamp_self;
	/* Non-zero ends whatever runs, walkers included, with GEN_FAULT_HANG. May be NULL. Never
	 * written by the stream. */
	const atomic_int *stop;
	bool null_execution; /* walkers are checked, but no thread runs */
};

enum cs_status {
	CS_RUN,	    /* the budget is used up, or one packet done; go on when you like */
	CS_BLOCKED, /* a semaphore is not satisfied yet; try again after other contexts ran */
	CS_DONE,    /* the batch has ended, all its stores are visible; also when none was started
		     */
	CS_FAULT,   /* stopped; see cs_stream_fault; stays so until reset */
};

struct cs_stream;

/* Makes a stream that has no batch. *config is copied. Returns NULL when memory is short. */
struct cs_stream *cs_stream_create(const struct cs_config *config);

/* The stream may be in any state, but not inside step or run. NULL does nothing. */
void cs_stream_destroy(struct cs_stream *stream);

/*
 * Sets the next batch to run: `address` of its first packet (canonical or 48 bits, a multiple of 4)
 * and its length in bytes. As on hardware, the length is not a limit: a batch ends with
 * MI_BATCH_BUFFER_END; it may be 0. Allowed when the stream is CS_DONE; otherwise -EBUSY.
 */
int cs_stream_start(struct cs_stream *stream, uint64_t address, uint64_t length);

/* Executes one packet. A walker runs to its end within the step. */
enum cs_status cs_stream_step(struct cs_stream *stream);

/*
 * Steps until the batch ends, blocks or faults, at most `budget` packets. CS_RUN says that the
 * budget is used up. A blocked stream tests its semaphore again at every call.
 */
enum cs_status cs_stream_run(struct cs_stream *stream, unsigned budget);

/* Why the stream is in CS_FAULT; NULL when it is not. Valid until reset or destroy. */
const struct gen_fault *cs_stream_fault(const struct cs_stream *stream);

/*
 * Drops the batch and the fault. Registers and base addresses stay, because the driver does not
 * send its preamble again for a context that it believes to be set up.
 */
void cs_stream_reset(struct cs_stream *stream);

/*
 * Sets the EUs that run walkers from the next packet on; without them, which is how a stream
 * begins, walkers fault unless null_execution is set. Not to be called while another thread steps
 * the stream.
 */
void cs_stream_set_engine(struct cs_stream *stream, struct eu_engine *engine);

/*
 * From the next packet on, walkers are skipped without a look or run again. So the rest
 * of a submission can be finished, its tags and state sent, after a fault in a kernel. Not to be
 * called while another thread steps the stream.
 */
void cs_stream_skip_walkers(struct cs_stream *stream, bool skip);

/*
 * Registers of the context as the packets see them, by MMIO offset (a multiple of 4). Reading one
 * that was never written gives 0. Not to be called while another thread steps the stream.
 */
uint32_t cs_stream_register(const struct cs_stream *stream, uint32_t offset);
void cs_stream_set_register(struct cs_stream *stream, uint32_t offset, uint32_t value);

/* What the stream has executed since it was made. */
struct cs_statistics {
	uint64_t packets, walkers;
};
void cs_stream_statistics(const struct cs_stream *stream, struct cs_statistics *out);

#endif
