// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_code.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/debug/eu_debug_bytes.h"
#include "eu/debug/eu_debug_elf.h"
#include "eu/debug/eu_debug_source.h"

#define world eu_debug_world

enum { MOST_BYTES = EU_DEBUG_PACKET_BYTES / 4 };

/* A kernel as a file that GDB loads: "/zerocl/NUMBER/KERNEL". */
struct code {
	struct code *next;
	uint64_t number, address, bytes;
	char *name;
	struct eu_debug_text file;
};

static struct code *codes;		  /* under the world's lock; the newest first */
static uint64_t last_number, told_number; /* told: GDB's list has it, and those before */

static void code_free(struct code *code)
{
	if (!code)
		return;
	eu_debug_text_finish(&code->file);
	free(code->name);
	free(code);
}

static void forget(uint64_t address)
{
	for (struct code **at = &codes; *at;) {
		struct code *code = *at;
		if (code->address != address) {
			at = &code->next;
			continue;
		}
		*at = code->next;
		eu_debug_points_forget(code->address, code->address + code->bytes);
		world.symbols_changed = world.is_connected;
		world.symbols_gone |= world.is_connected && code->number <= told_number;
		code_free(code);
	}
}

bool eu_debug_code_add(uint64_t address, uint64_t bytes, const char *kernel, const void *binary,
	size_t binary_size, const char *source)
{
	struct code *code = calloc(1, sizeof *code);
	struct eu_debug_kernel described = { .address = address & EU_ADDRESS_MASK,
		.bytes = bytes,
		.name = kernel,
		.binary = binary,
		.binary_size = binary_size };
	char path[EU_DEBUG_PATH_BYTES];

	if (!code)
		return false;
	pthread_mutex_lock(&world.lock);
	described.source = eu_debug_source_find(source, path) ? path : NULL;
	code->address = described.address;
	code->bytes = bytes;
	code->name = strdup(kernel);
	if (!code->name || !eu_debug_elf(&described, &code->file)) {
		pthread_mutex_unlock(&world.lock);
		code_free(code);
		return false;
	}
	forget(code->address);
	code->number = ++last_number;
	code->next = codes;
	codes = code;
	world.symbols_changed = world.is_connected;
	if (world.is_connected) /* GDB has breakpoints for code that comes */
		eu_debug_interrupt();
	pthread_mutex_unlock(&world.lock);
	return true;
}

void eu_debug_code_remove(uint64_t address)
{
	pthread_mutex_lock(&world.lock);
	forget(address & EU_ADDRESS_MASK);
	pthread_mutex_unlock(&world.lock);
}

void eu_debug_code_program(struct eu_debug_text *out)
{
	eu_debug_format(out, "/zerocl/0/device");
}

/*
 * Code that came since something went is told the next time: GDB 18 takes a breakpoint as there
 * still if one list has other code at the same address.
 */
void eu_debug_code_list(struct eu_debug_text *out)
{
	told_number = world.symbols_gone ? told_number : last_number;
	world.symbols_changed |= told_number < last_number;
	world.symbols_gone = false;
	eu_debug_format(out, "<library-list>");
	for (const struct code *code = codes; code; code = code->next) {
		if (code->number > told_number)
			continue;
		eu_debug_format(
			out, "<library name=\"/zerocl/%llu/", (unsigned long long)code->number);
		eu_debug_xml(out, code->name);
		eu_debug_format(out, "\"><segment address=\"0x%llx\"/></library>",
			(unsigned long long)code->address);
	}
	eu_debug_format(out, "</library-list>");
}

/* ---- vFile ---- */

/* Number 0 is a program without code: GDB loads the libraries of programs alone. */
static const struct code *find(uint64_t number)
{
	static struct code none;

	if (!number) {
		if (!none.file.size)
			eu_debug_elf(&(struct eu_debug_kernel){ .name = "" }, &none.file);
		return &none;
	}
	for (const struct code *code = codes; code; code = code->next)
		if (code->number == number)
			return code;
	return NULL;
}

/* errno as File-I/O numbers it, which are Linux' for these. */
static void fail(struct eu_debug_text *reply, int error)
{
	eu_debug_format(reply, "F-1,%x", (unsigned)error);
}

/* open:PATH,FLAGS,MODE; the descriptor is the file's number. */
static void open_file(const char *at, struct eu_debug_text *reply)
{
	char path[512];
	unsigned long long number;

	path[eu_debug_unhex(at, path, sizeof path - 1)] = 0;
	if (sscanf(path, "/zerocl/%llu/", &number) == 1 && find(number))
		eu_debug_format(reply, "F%llx", number);
	else
		fail(reply, ENOENT);
}

/* pread:FD,COUNT,OFFSET */
static void read_file(const char *at, struct eu_debug_text *reply)
{
	uint64_t number, count, offset;

	if (!eu_debug_number(&at, &number) || !eu_debug_skip(&at, ',') ||
		!eu_debug_number(&at, &count) || !eu_debug_skip(&at, ',') ||
		!eu_debug_number(&at, &offset)) {
		fail(reply, EINVAL);
		return;
	}
	const struct code *code = find(number);
	if (!code) {
		fail(reply, EBADF);
		return;
	}
	uint64_t left = offset < code->file.size ? code->file.size - offset : 0;
	count = count < left ? count : left;
	count = count < MOST_BYTES ? count : MOST_BYTES;
	eu_debug_format(reply, "F%llx;", (unsigned long long)count);
	eu_debug_put(reply, code->file.bytes + (left ? offset : 0), (size_t)count);
}

/* fstat:FD; struct stat of File-I/O, big-endian: of interest are its mode and size. */
static void stat_file(const char *at, struct eu_debug_text *reply)
{
	enum { STAT_BYTES = 64, AT_MODE = 8, AT_SIZE = 28, REGULAR = 0100444 };
	uint8_t stat[STAT_BYTES] = { 0 };
	uint64_t number;

	const struct code *code = eu_debug_number(&at, &number) ? find(number) : NULL;
	if (!code) {
		fail(reply, EBADF);
		return;
	}
	for (unsigned i = 0; i < 4; i++)
		stat[AT_MODE + i] = (uint8_t)(REGULAR >> (24 - 8 * i));
	for (unsigned i = 0; i < 8; i++)
		stat[AT_SIZE + i] = (uint8_t)((uint64_t)code->file.size >> (56 - 8 * i));
	eu_debug_format(reply, "F%x;", STAT_BYTES);
	eu_debug_put(reply, stat, sizeof stat);
}

void eu_debug_code_file(const char *at, struct eu_debug_text *reply)
{
	if (!strncmp(at, "open:", 5))
		open_file(at + 5, reply);
	else if (!strncmp(at, "pread:", 6))
		read_file(at + 6, reply);
	else if (!strncmp(at, "fstat:", 6))
		stat_file(at + 6, reply);
	else if (!strncmp(at, "close:", 6) || !strncmp(at, "setfs:", 6))
		eu_debug_put(reply, "F0", 2);
}
