// SPDX-License-Identifier: MIT
#include "layer/tap/tap_memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A command that is not submitted may wait for the program. */
enum { PATIENCE_MS = 60000, PATIENCE_QUEUED_MS = 300, MOST_PENDING = 64 };

struct shared {
	uint64_t id, base, size;
	bool is_visible;
	XXH128_hash_t *seen; /* of each chunk, all zeros: never */
};

struct mapped {
	uint64_t id, address;
	struct call_box box;
	bool is_written;
};

struct pending {
	cl_event event;
	uint32_t number;
	unsigned wishes;
	uint64_t address;
	struct call_box box;
};

static struct {
	struct shared *shared;
	size_t n_shared;
	struct mapped *mapped;
	size_t n_mapped;
	struct pending *pending;
	size_t n_pending;
} memory;

/* Room for one more element; NULL if there is none. */
static void *one_more(void *array, size_t n, size_t size)
{
	return n & (n - 1) ? array : realloc(array, (n ? 2 * n : 1) * size);
}

void tap_shared_add(uint64_t id, uint64_t base, uint64_t size, bool is_visible)
{
	struct shared *grown = one_more(memory.shared, memory.n_shared, sizeof *grown);

	if (!grown)
		return;
	memory.shared = grown;
	grown[memory.n_shared] = (struct shared){ id, base, size, is_visible,
		calloc(size / RECORD_CHUNK_BYTES + 1, sizeof(XXH128_hash_t)) };
	memory.n_shared += grown[memory.n_shared].seen != NULL;
}

static struct shared *shared_at(uint64_t address)
{
	for (size_t i = 0; i < memory.n_shared; i++)
		if (address - memory.shared[i].base < memory.shared[i].size)
			return &memory.shared[i];
	return NULL;
}

void tap_shared_remove(uint64_t base)
{
	struct shared *shared = shared_at(base);

	if (!shared)
		return;
	free(shared->seen);
	*shared = memory.shared[--memory.n_shared];
}

uint64_t tap_shared_find(uint64_t address, uint64_t *offset)
{
	const struct shared *shared = shared_at(address);

	*offset = shared ? address - shared->base : 0;
	return shared ? shared->id : 0;
}

/* Whether the chunk is not what it was. */
static bool has_changed(struct shared *shared, uint64_t at, uint64_t size)
{
	XXH128_hash_t *seen = &shared->seen[at / RECORD_CHUNK_BYTES];
	XXH128_hash_t now = XXH3_128bits((const void *)(uintptr_t)(shared->base + at), size);
	bool changed = !XXH128_isEqual(*seen, now);

	*seen = now;
	return changed;
}

/* Writes each run of chunks that have changed. */
static void scan(struct shared *shared, uint32_t number)
{
	bool is_device = number && !tap_has_threads();
	enum record_type type = is_device ? RECORD_DEVICE_WROTE : RECORD_HOST_WROTE;
	uint64_t at = 0, begin = 0;

	for (; at < shared->size; at += RECORD_CHUNK_BYTES) {
		uint64_t rest = shared->size - at;
		if (has_changed(shared, at, rest < RECORD_CHUNK_BYTES ? rest : RECORD_CHUNK_BYTES))
			continue;
		if (begin < at)
			tap_write_content(type, shared->id, (struct tap_place){ begin, number },
				(const void *)(uintptr_t)(shared->base + begin), at - begin);
		begin = at + RECORD_CHUNK_BYTES;
	}
	if (begin < shared->size)
		tap_write_content(type, shared->id, (struct tap_place){ begin, number },
			(const void *)(uintptr_t)(shared->base + begin), shared->size - begin);
}

void tap_shared_scan(uint32_t number)
{
	for (size_t i = 0; i < memory.n_shared; i++)
		if (memory.shared[i].is_visible)
			scan(&memory.shared[i], number);
}

void tap_shared_scan_one(uint64_t address, uint32_t number)
{
	struct shared *shared = shared_at(address);

	if (shared)
		scan(shared, number);
}

bool tap_shared_any(void)
{
	for (size_t i = 0; i < memory.n_shared; i++)
		if (memory.shared[i].is_visible)
			return true;
	return false;
}

void tap_mapped_add(uint64_t id, uint64_t address, const struct call_box *box, bool is_written)
{
	struct mapped *grown = one_more(memory.mapped, memory.n_mapped, sizeof *grown);

	if (!grown)
		return;
	memory.mapped = grown;
	grown[memory.n_mapped++] = (struct mapped){ id, address, *box, is_written };
}

/* A packed copy of a box; NULL if there is no memory. The caller frees it. */
static void *gather(uint64_t address, const struct call_box *box, size_t *size)
{
	*size = call_box_packed(box);
	void *packed = *size < SIZE_MAX ? malloc(*size + 1) : NULL;

	if (packed)
		call_box_gather(box, (const void *)(uintptr_t)address, packed);
	return packed;
}

uint64_t tap_mapped_end(uint64_t address)
{
	size_t i = memory.n_mapped, size;

	/* Of several at one address, the last. */
	while (i > 0 && memory.mapped[i - 1].address != address)
		i--;
	if (!i)
		return 0;
	struct mapped mapped = memory.mapped[i - 1];
	memmove(&memory.mapped[i - 1], &memory.mapped[i], (memory.n_mapped-- - i) * sizeof mapped);
	void *packed = mapped.is_written && tap_wishes.contents
			       ? gather(address, &mapped.box, &size)
			       : NULL;
	if (packed)
		tap_write_content(
			RECORD_HOST_WROTE, mapped.id, (struct tap_place){ 0 }, packed, size);
	free(packed);
	return mapped.id;
}

void tap_result(uint32_t number, uint64_t address, const struct call_box *box)
{
	size_t size;
	void *packed = gather(address, box, &size);

	if (packed)
		tap_write_content(RECORD_RESULT, number, (struct tap_place){ 0 }, packed, size);
	free(packed);
}

static bool overlaps(const struct pending *pending, uint64_t address, size_t size)
{
	return pending->wishes & TAP_RESULT && pending->address < address + size &&
	       address < pending->address + call_box_span(&pending->box);
}

void tap_pending_drop(uint64_t address, size_t size)
{
	for (size_t i = 0; i < memory.n_pending; i++)
		if (overlaps(&memory.pending[i], address, size))
			memory.pending[i].wishes &= ~(unsigned)TAP_RESULT;
}

void tap_pending_add(cl_event event, uint32_t number, unsigned wishes, uint64_t address,
	const struct call_box *box)
{
	if (memory.n_pending >= MOST_PENDING)
		tap_pending_poll();
	struct pending *grown = one_more(memory.pending, memory.n_pending, sizeof *grown);
	if (!grown) {
		tap_next->clReleaseEvent(event);
		return;
	}
	memory.pending = grown;
	grown[memory.n_pending++] = (struct pending){ event, number, wishes, address,
		box ? *box : (struct call_box){ 0 } };
}

static void write_times(const struct pending *pending)
{
	static const cl_profiling_info names[] = { CL_PROFILING_COMMAND_QUEUED,
		CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END };
	struct record_entry entry = { .type = RECORD_TIMES, .numbers = { pending->number } };

	for (unsigned i = 0; i < 4; i++)
		if (tap_next->clGetEventProfilingInfo(pending->event, names[i], sizeof(cl_ulong),
			    &entry.numbers[i + 1], NULL))
			return;
	tap_write(&entry);
}

/* 0 or less: the command has ended, less than 0 with an error. */
static cl_int status_of(cl_event event)
{
	cl_int status = CL_QUEUED;

	tap_next->clGetEventInfo(
		event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
	return status;
}

static void finish(struct pending *pending, bool has_failed)
{
	if (pending->wishes & TAP_RESULT && !has_failed)
		tap_result(pending->number, pending->address, &pending->box);
	if (pending->wishes & TAP_SCAN)
		tap_shared_scan_one(pending->address, pending->number);
	if (pending->wishes & TAP_TIMES && !has_failed)
		write_times(pending);
	tap_next->clReleaseEvent(pending->event);
}

void tap_pending_poll(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < memory.n_pending; i++) {
		cl_int status = status_of(memory.pending[i].event);
		if (status > CL_COMPLETE)
			memory.pending[kept++] = memory.pending[i];
		else
			finish(&memory.pending[i], status < 0);
	}
	memory.n_pending = kept;
}

bool tap_wait(cl_event event)
{
	const struct timespec pause = { 0, 200000 };
	cl_command_queue queue = NULL;
	uint64_t begin = tap_now(), waited = 0;
	cl_int status;

	tap_unlock();
	tap_next->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL);
	if (queue)
		tap_next->clFlush(queue);
	while ((status = status_of(event)) > CL_COMPLETE && waited < PATIENCE_MS &&
		(status != CL_QUEUED || waited < PATIENCE_QUEUED_MS)) {
		nanosleep(&pause, NULL);
		waited = (tap_now() - begin) / 1000000;
	}
	tap_lock();
	return status <= CL_COMPLETE;
}

void tap_pending_settle(uint64_t address, size_t size)
{
	for (size_t i = 0; i < memory.n_pending; i++)
		if (overlaps(&memory.pending[i], address, size)) {
			cl_event event = memory.pending[i].event;
			tap_next->clRetainEvent(event);
			tap_wait(event);
			tap_next->clReleaseEvent(event);
			tap_pending_poll();
			return;
		}
}

size_t tap_pixel(uint64_t image, bool *is_array_1d)
{
	cl_mem mem = (cl_mem)(uintptr_t)image;
	cl_mem_object_type type = 0;
	size_t size = 0;

	tap_next->clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, NULL);
	*is_array_1d = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	return tap_next->clGetImageInfo(mem, CL_IMAGE_ELEMENT_SIZE, sizeof size, &size, NULL)
		       ? 0
		       : size;
}
