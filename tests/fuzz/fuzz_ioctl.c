// SPDX-License-Identifier: MIT
/*
 * Sequences of ioctls. The input is a program: the first byte names the family of the device, then
 * one byte says what to do, and what it is done with follows. Structs and what they point to lie in
 * the arena (fuzz_user.h).
 */
#include <errno.h>
#include <libdrm/drm.h>
#include <libdrm/i915_drm.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fuzz_family.h"
#include "fuzz_user.h"
#include "drm/schedule/drm_lifetime.h"
#include "i915/i915_ioctl.h"

enum {
	MOST_BYTES = 8 << 10,
	MAPS = 16,
	PATIENCE_MS = 100,
	/* Beyond the ioctls: bytes to an offset of the arena; a mapping of what MMAP_OFFSET gave.
	 */
	OP_STORE = 60,
	OP_MAP = 61,
	OP_SECOND_FILE = 62,
	OPS = 63,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static const unsigned long requests[] = { DRM_IOCTL_VERSION, DRM_IOCTL_GEM_CLOSE, DRM_IOCTL_GET_CAP,
	DRM_IOCTL_PRIME_HANDLE_TO_FD, DRM_IOCTL_PRIME_FD_TO_HANDLE, DRM_IOCTL_I915_GETPARAM,
	DRM_IOCTL_I915_GEM_BUSY, DRM_IOCTL_I915_GEM_THROTTLE, DRM_IOCTL_I915_GEM_CREATE,
	DRM_IOCTL_I915_GEM_PREAD, DRM_IOCTL_I915_GEM_PWRITE, DRM_IOCTL_I915_GEM_MMAP,
	DRM_IOCTL_I915_GEM_SET_DOMAIN, DRM_IOCTL_I915_GEM_SW_FINISH, DRM_IOCTL_I915_GEM_SET_TILING,
	DRM_IOCTL_I915_GEM_GET_TILING, DRM_IOCTL_I915_GEM_GET_APERTURE, DRM_IOCTL_I915_GEM_MMAP_GTT,
	DRM_IOCTL_I915_GEM_MMAP_OFFSET, DRM_IOCTL_I915_GEM_MADVISE, DRM_IOCTL_I915_GEM_EXECBUFFER2,
	DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, DRM_IOCTL_I915_GEM_WAIT,
	DRM_IOCTL_I915_GEM_CONTEXT_CREATE, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
	DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, DRM_IOCTL_I915_GEM_SET_CACHING,
	DRM_IOCTL_I915_GEM_GET_CACHING, DRM_IOCTL_I915_REG_READ, DRM_IOCTL_I915_GET_RESET_STATS,
	DRM_IOCTL_I915_GEM_USERPTR, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM,
	DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, DRM_IOCTL_I915_QUERY, DRM_IOCTL_I915_GEM_VM_CREATE,
	DRM_IOCTL_I915_GEM_VM_DESTROY, DRM_IOCTL_I915_GEM_CREATE_EXT, DRM_IOCTL_SYNCOBJ_CREATE,
	DRM_IOCTL_SYNCOBJ_DESTROY, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE,
	DRM_IOCTL_SYNCOBJ_WAIT, DRM_IOCTL_SYNCOBJ_RESET, DRM_IOCTL_SYNCOBJ_SIGNAL,
	DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, DRM_IOCTL_SYNCOBJ_QUERY, DRM_IOCTL_SYNCOBJ_TRANSFER,
	DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL };
enum { REQUESTS = sizeof requests / sizeof *requests };

/* What a useful sequence is made of: the argument as 64-bit words, or what is stored. */
#define AT(offset) (FUZZ_ARENA + (offset))
#define PAIR(a, b) ((uint64_t)(b) << 32 | (a))
#define STORED(to) OP_STORE, (to)
static const struct {
	unsigned long request; /* or an OP */
	uint16_t where;
	uint8_t words;
	uint64_t word[9];
} templates[] = {
	{ DRM_IOCTL_I915_GEM_CREATE, 0, 2, { 4096, 0 } },
	{ DRM_IOCTL_I915_GEM_CREATE, 0, 2, { 65536, 0 } },
	{ DRM_IOCTL_I915_GEM_USERPTR, 0, 3, { AT(0x4000), 0x2000, 0 } },
	{ DRM_IOCTL_GEM_CLOSE, 0, 1, { 1 } },
	{ DRM_IOCTL_I915_GEM_PWRITE, 0, 4, { 1, 0, 256, AT(0x3000) } },
	{ DRM_IOCTL_I915_GEM_PREAD, 0, 4, { 1, 0, 256, AT(0x3000) } },
	{ DRM_IOCTL_I915_GEM_MMAP_OFFSET, 0, 4, { 1, 0, 2, 0 } },
	{ DRM_IOCTL_I915_GEM_MMAP, 0, 5, { 1, 0, 4096, 0, 0 } },
	{ OP_MAP, 0, 1, { 4096 } },
	{ OP_SECOND_FILE, 0, 0, { 0 } },
	{ DRM_IOCTL_I915_GEM_WAIT, 0, 2, { 1, 1000000 } },
	{ DRM_IOCTL_I915_GEM_SET_DOMAIN, 0, 2, { PAIR(1, 1), 1 } },
	{ DRM_IOCTL_I915_GEM_SET_TILING, 0, 2, { PAIR(1, 2), 512 } },
	{ DRM_IOCTL_PRIME_HANDLE_TO_FD, 0, 2, { PAIR(1, 2), 0 } },
	{ DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, 0, 2, { PAIR(0, 1), AT(0x5000) } },
	{ DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, 0, 1, { 1 } },
	{ DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, 0, 3, { 1, 9, 1 } },
	{ DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, 0, 3, { PAIR(1, 16), 10, AT(0x5100) } },
	{ DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, 0, 3, { PAIR(1, 16), 7, AT(0x5100) } },
	{ DRM_IOCTL_I915_GEM_VM_CREATE, 0, 2, { 0, 0 } },
	{ DRM_IOCTL_I915_GEM_VM_DESTROY, 0, 2, { 0, PAIR(0, 1) } },
	{ DRM_IOCTL_I915_QUERY, 0, 2, { PAIR(1, 0), AT(0x5200) } },
	{ DRM_IOCTL_I915_GET_RESET_STATS, 0, 3, { 1, 0, 0 } },
	{ DRM_IOCTL_I915_REG_READ, 0, 2, { 0x2358, 0 } },
	{ DRM_IOCTL_I915_GEM_CREATE_EXT, 0, 3, { 4096, 0, AT(0x5300) } },
	/* The objects of an EXECBUFFER2: handle, …, offset, flags; and the request itself. */
	{ STORED(0x2000), 7, { 1, 0, 0, 0x100000, 0x18, 0, 0 } },
	{ STORED(0x2038), 7, { 2, 0, 0, 0x200000, 0x1c, 0, 0 } },
	{ DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, 0, 8, { AT(0x2000), 1, 0, 0, 0, 0x800, 0, 0 } },
	{ DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, 0, 8, { AT(0x2000), 2, 0, 0, 0, 0x800, 1, 0 } },
	/* Sync objects: handles and values of lists, fences of a submission, descriptors. */
	{ DRM_IOCTL_SYNCOBJ_CREATE, 0, 1, { 0 } },
	{ DRM_IOCTL_SYNCOBJ_CREATE, 0, 1, { PAIR(0, 1) } },
	{ DRM_IOCTL_SYNCOBJ_DESTROY, 0, 1, { 1 } },
	{ DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, 0, 2, { PAIR(1, 1), 0 } },
	{ DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, 0, 2, { PAIR(1, 1), 3 } },
	{ DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, 0, 2, { 1, 0 } },
	{ DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, 0, 2, { 0, 3 } },
	{ DRM_IOCTL_SYNCOBJ_WAIT, 0, 4, { AT(0x5500), 0, PAIR(2, 3), 0 } },
	{ DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, 0, 5, { AT(0x5500), AT(0x5600), 1, PAIR(1, 2), 0 } },
	{ DRM_IOCTL_SYNCOBJ_RESET, 0, 2, { AT(0x5500), 1 } },
	{ DRM_IOCTL_SYNCOBJ_SIGNAL, 0, 2, { AT(0x5500), 2 } },
	{ DRM_IOCTL_SYNCOBJ_QUERY, 0, 3, { AT(0x5500), AT(0x6000), 2 } },
	{ DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, 0, 3, { AT(0x5500), AT(0x5600), 2 } },
	{ DRM_IOCTL_SYNCOBJ_TRANSFER, 0, 5, { PAIR(1, 2), 0, 5, 0, 0 } },
	{ STORED(0x5500), 2, { PAIR(1, 2), PAIR(3, 1) } },
	{ STORED(0x5600), 2, { 4, 9 } },
	{ STORED(0x5700), 2, { PAIR(1, 2), PAIR(2, 1) } }, /* signal, wait */
	{ STORED(0x5800), 7, { 0, 0, 0, 0, 2, AT(0x5700), AT(0x5600) } },
	{ DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, 0, 8,
		{ AT(0x2000), 1, 0, PAIR(0, 1), AT(0x5700), 0x80800, 0, 0 } },
	{ DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, 0, 8,
		{ AT(0x2000), 1, 0, 0, AT(0x5800), 0x220800, 0, 0 } },
	/* Commands, for PWRITE and for user memory: stores, a tag, a jump, a semaphore, the end. */
	{ STORED(0x3000), 6,
		{ PAIR(0x10000002, 0x100080), PAIR(0, 1), PAIR(0x05000000, 0), 0, 0, 0 } },
	{ STORED(0x3000), 6,
		{ PAIR(0x7a000004, 0x104120), PAIR(0x100040, 0), PAIR(5, 6), 0x05000000, 0, 0 } },
	{ STORED(0x4000), 3, { PAIR(0x18800101, 0x100000), 0, 0x05000000 } },
	{ STORED(0x3000), 4, { PAIR(0x0e009003, 1), 0x100080, PAIR(0, 0x05000000), 0 } },
	/* Extensions, engines, query items, regions. */
	{ STORED(0x5000), 5, { 0, 0, PAIR(0, 0), 9, 1 } },
	{ STORED(0x5100), 2, { 0, PAIR(0, 1) } },
	{ STORED(0x5200), 3, { 1, PAIR(0x100, 0), AT(0x6000) } },
	{ STORED(0x5300), 5, { 0, 0, PAIR(0, 1), AT(0x5400), 0 } },
};
enum { TEMPLATES = sizeof templates / sizeof *templates };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t change;
	struct drm_device *device; /* of the input that runs now */
	uint64_t number;
} guard = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0 };

/* Ends the batches of an input that waits for one which never ends. */
static void *watch(void *unused)
{
	uint64_t seen = 0;

	pthread_mutex_lock(&guard.lock);
	for (;;) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += PATIENCE_MS * 1000000L;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&guard.change, &guard.lock, &until);
		if (guard.device && guard.number == seen)
			drm_device_quiesce(guard.device, 0);
		seen = guard.number;
	}
	return unused;
}

static void announce(struct drm_device *device)
{
	pthread_mutex_lock(&guard.lock);
	guard.device = device;
	guard.number++;
	pthread_mutex_unlock(&guard.lock);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	pthread_t thread;
	(void)argc;
	(void)argv;
	void *arena = mmap((void *)(uintptr_t)FUZZ_ARENA, FUZZ_ARENA_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (arena != (void *)(uintptr_t)FUZZ_ARENA)
		abort();
	return pthread_create(&thread, NULL, watch, NULL);
}

static size_t put_template(uint8_t *at, unsigned row)
{
	size_t bytes = 8 * templates[row].words, head = 2;

	at[0] = (uint8_t)templates[row].request;
	for (unsigned i = 0; i < REQUESTS && templates[row].request >= OPS; i++)
		if (requests[i] == templates[row].request)
			at[0] = (uint8_t)i;
	at[1] = (uint8_t)bytes;
	if (at[0] == OP_STORE) {
		memcpy(at + 2, &templates[row].where, 2);
		head = 4;
	}
	memcpy(at + head, templates[row].word, bytes);
	return head + bytes;
}

/* Half of the time one more operation at the end, in front or somewhere; else the library's. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	uint8_t op[4 + 9 * 8];

	srand(seed);
	if (size >= 16 && rand() % 2)
		return LLVMFuzzerMutate(data, size, most);
	if (size == 0 && most > 0)
		data[size++] = (uint8_t)rand();
	size_t bytes = put_template(op, (unsigned)rand() % TEMPLATES), at = size;
	if (size + bytes > most)
		return size;
	if (rand() % 4 == 0 && size > 0)
		at = 1;
	memmove(data + at + bytes, data + at, size - at);
	memcpy(data + at, op, bytes);
	return size + bytes;
}

struct run {
	struct drm_file *files[2];
	struct {
		void *address;
		size_t bytes;
	} maps[MAPS];
	unsigned map_count;
	int fds[MAPS]; /* of exported objects and fences */
	unsigned fd_count;
};

static void keep_map(struct run *run, intptr_t address, size_t bytes)
{
	volatile uint8_t *first = (volatile uint8_t *)address;

	if (address <= 0)
		return;
	*first = (uint8_t)(*first + 1);
	if (run->map_count == MAPS) {
		munmap((void *)address, bytes);
		return;
	}
	run->maps[run->map_count].address = (void *)address;
	run->maps[run->map_count++].bytes = bytes;
}

static void keep_fd(struct run *run, int fd)
{
	if (run->fd_count == MAPS)
		close(fd);
	else
		run->fds[run->fd_count++] = fd;
}

/* What a program can do, but not this one: wait for ever, map over itself, keep descriptors. */
static void call(struct run *run, struct drm_file *file, unsigned op)
{
	struct drm_i915_gem_mmap *map = (void *)(uintptr_t)FUZZ_ARENA;
	struct drm_i915_gem_wait *wait = (void *)(uintptr_t)FUZZ_ARENA;
	struct drm_prime_handle *prime = (void *)(uintptr_t)FUZZ_ARENA;
	struct drm_syncobj_handle *sync = (void *)(uintptr_t)FUZZ_ARENA;
	struct drm_i915_gem_execbuffer2 *exec = (void *)(uintptr_t)FUZZ_ARENA;

	if (requests[op] == DRM_IOCTL_I915_GEM_MMAP)
		map->addr_ptr = 0;
	if (requests[op] == DRM_IOCTL_I915_GEM_WAIT &&
		(wait->timeout_ns < 0 || wait->timeout_ns > 1000000))
		wait->timeout_ns = 1000000;
	if (requests[op] == DRM_IOCTL_PRIME_FD_TO_HANDLE && prime->fd <= 2)
		return;
	int rc = i915_ioctl(file, requests[op], FUZZ_ARENA);
	if (rc == 0 && requests[op] == DRM_IOCTL_I915_GEM_MMAP)
		keep_map(run, (intptr_t)map->addr_ptr, map->size);
	if (rc)
		return;
	if (requests[op] == DRM_IOCTL_PRIME_HANDLE_TO_FD)
		keep_fd(run, prime->fd);
	if (requests[op] == DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD)
		keep_fd(run, sync->fd);
	if (requests[op] == DRM_IOCTL_I915_GEM_EXECBUFFER2_WR && exec->flags & I915_EXEC_FENCE_OUT)
		keep_fd(run, (int)(exec->rsvd2 >> 32));
}

static void map_last(struct run *run, struct drm_file *file)
{
	struct drm_i915_gem_mmap_offset *offset = (void *)(uintptr_t)FUZZ_ARENA;

	keep_map(run,
		i915_mmap(file, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, offset->offset),
		4096);
}

static void execute(struct run *run, const uint8_t *data, size_t size)
{
	struct drm_file *file = run->files[0];

	while (size >= 2) {
		unsigned op = data[0] % OPS, head = op == OP_STORE ? 4 : 2;
		size_t bytes = data[1];
		uint16_t where = 0;
		if (size < head)
			break;
		memcpy(&where, data + 2, op == OP_STORE ? 2 : 0);
		if (bytes > size - head)
			bytes = size - head;
		if (op == OP_SECOND_FILE)
			file = run->files[file == run->files[0]];
		else if (op == OP_MAP)
			map_last(run, file);
		else
			memcpy((void *)(uintptr_t)(FUZZ_ARENA + where), data + head, bytes);
		if (op < REQUESTS)
			call(run, file, op);
		data += head + bytes;
		size -= head + bytes;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run run = { .map_count = 0, .fd_count = 0 };
	struct drm_device *device;

	if (size == 0 || size > MOST_BYTES)
		return 0;
	memset((void *)(uintptr_t)FUZZ_ARENA, 0, FUZZ_ARENA_BYTES);
	device = drm_device_create(fuzz_family(data[0]), &i915_front, true);
	if (!device || drm_file_open(device, &run.files[0]) || drm_file_open(device, &run.files[1]))
		abort();
	announce(device);
	execute(&run, data + 1, size - 1);
	while (run.fd_count > 0)
		close(run.fds[--run.fd_count]);
	drm_file_close(run.files[0]);
	drm_file_close(run.files[1]);
	announce(NULL);
	for (unsigned i = 0; i < run.map_count; i++)
		munmap(run.maps[i].address, run.maps[i].bytes);
	if (device->objects)
		abort(); /* objects outlive their files */
	drm_device_destroy(device);
	return 0;
}
