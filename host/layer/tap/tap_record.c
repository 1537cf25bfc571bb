// SPDX-License-Identifier: MIT
#include "layer/tap/tap_record.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "layer/tap/tap_map.h"

struct tap_wishes tap_wishes;
const struct _cl_icd_dispatch *tap_next;

static struct {
	pthread_mutex_t lock;
	atomic_bool on;
	int fd;
	struct tap_map ids;    /* of handles: id, with the letter above it */
	struct tap_map chunks; /* by hash: id + 1 */
	uint64_t last_id, n_chunks;
	uint32_t last_call, n_threads;
} tap = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

enum { LETTER_SHIFT = 56 };

static void end_in_child(void)
{
	atomic_store(&tap.on, false);
}

bool tap_open(const char *output)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof path, "%s.%d", output, (int)getpid()) >= (int)sizeof path)
		return false;
	tap.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (tap.fd < 0 || pthread_atfork(NULL, NULL, end_in_child))
		return false;
	atomic_store(&tap.on, record_write_calls(tap.fd));
	return tap_is_on();
}

bool tap_is_on(void)
{
	return atomic_load(&tap.on);
}

void tap_lock(void)
{
	pthread_mutex_lock(&tap.lock);
}

void tap_unlock(void)
{
	pthread_mutex_unlock(&tap.lock);
}

uint64_t tap_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void tap_write(const struct record_entry *entry)
{
	if (tap_is_on() && !record_write(tap.fd, entry))
		atomic_store(&tap.on, false);
}

void tap_unseen(const char *name)
{
	static struct tap_map names;
	XXH128_hash_t hash = XXH3_128bits(name, strlen(name));
	struct tap_key key = { hash.low64, hash.high64 };

	if (tap_map_get(&names, key))
		return;
	tap_map_set(&names, key, 1);
	tap_write(&(struct record_entry){ .type = RECORD_NOTE, .texts = { "unseen", name } });
}

static struct tap_key key_of(uint64_t handle)
{
	return (struct tap_key){ handle, 0 };
}

uint64_t tap_id_known(const char *letters, uint64_t handle)
{
	uint64_t found = tap_map_get(&tap.ids, key_of(handle));

	return found && strchr(letters, (char)(found >> LETTER_SHIFT))
		       ? found & (((uint64_t)1 << LETTER_SHIFT) - 1)
		       : 0;
}

uint64_t tap_id_new(char letter, uint64_t handle)
{
	tap_map_set(&tap.ids, key_of(handle), ++tap.last_id | (uint64_t)letter << LETTER_SHIFT);
	return tap.last_id;
}

/* The text that a query gives, "" if it fails. */
#define ASK(query, object, param, text)                                                            \
	(tap_next->query((object), (param), sizeof(text), (text), NULL) ? (void)((text)[0] = 0)    \
									: (void)0)

static void write_device(uint64_t id, cl_device_id device)
{
	char platform_name[256], name[256], version[256];
	cl_platform_id platform = NULL;
	cl_device_id devices[64];
	cl_uint n = 0, index = 0;

	tap_next->clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
	ASK(clGetPlatformInfo, platform, CL_PLATFORM_NAME, platform_name);
	ASK(clGetDeviceInfo, device, CL_DEVICE_NAME, name);
	ASK(clGetDeviceInfo, device, CL_DRIVER_VERSION, version);
	if (!tap_next->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 64, devices, &n))
		while (index < n && index < 64 && devices[index] != device)
			index++;
	tap_write(&(struct record_entry){ .type = RECORD_DEVICE,
		.numbers = { id, index },
		.texts = { platform_name, name, version } });
}

uint64_t tap_id(char letter, uint64_t handle)
{
	const char letters[] = { letter, 0 };
	uint64_t id = tap_id_known(letters, handle);

	if (id)
		return id;
	/* A handle of another kind is a mistake of the program: it stays what it is. */
	if (tap_map_get(&tap.ids, key_of(handle)))
		return ++tap.last_id;
	id = tap_id_new(letter, handle);
	if (letter == 'D')
		write_device(id, (cl_device_id)(uintptr_t)handle);
	return id;
}

void tap_content(struct record_memory *memory, const void *bytes, uint64_t size,
	struct record_content *content)
{
	const unsigned char *at = bytes;
	uint64_t n = size / RECORD_CHUNK_BYTES + (size % RECORD_CHUNK_BYTES > 0);

	*content = (struct record_content){ .size = size };
	content->chunks = record_allocate(memory, n, sizeof *content->chunks);
	for (uint64_t i = 0; i < n && content->chunks; i++, at += RECORD_CHUNK_BYTES) {
		uint64_t rest = size - i * RECORD_CHUNK_BYTES;
		size_t part = rest < RECORD_CHUNK_BYTES ? rest : RECORD_CHUNK_BYTES;
		XXH128_hash_t hash = XXH3_128bits(at, part);
		struct tap_key key = { hash.low64, hash.high64 };
		uint64_t known = tap_map_get(&tap.chunks, key);
		if (!known) {
			if (tap_is_on() && !record_write_chunk(tap.fd, tap.n_chunks, at, part))
				atomic_store(&tap.on, false);
			known = ++tap.n_chunks;
			tap_map_set(&tap.chunks, key, known);
		}
		content->chunks[content->n++] = (uint32_t)(known - 1);
	}
}

void tap_write_content(enum record_type type, uint64_t id, struct tap_place place,
	const void *bytes, uint64_t size)
{
	struct record_entry entry = { .type = type, .numbers = { id, place.offset, place.number } };

	tap_content(&entry.memory, bytes, size, &entry.content);
	tap_write(&entry);
	record_free(&entry.memory);
}

bool tap_has_threads(void)
{
	return tap.n_threads > 1;
}

static uint32_t this_thread(void)
{
	static _Thread_local uint32_t number;

	if (!number)
		number = ++tap.n_threads;
	return number - 1;
}

uint32_t tap_call_number(void)
{
	return ++tap.last_call;
}

void tap_write_call(struct record_call *call)
{
	call->thread = this_thread();
	call->number = call->number ? call->number : tap_call_number();
	tap_write(&(struct record_entry){ .type = RECORD_CALL, .call = call });
}
