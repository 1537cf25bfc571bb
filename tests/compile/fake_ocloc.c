// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A libocloc.so that does what the first word of the source says: what a compiler does on bad days,
 * on demand. zerocl-cc finds it by LD_LIBRARY_PATH.
 */

int oclocInvoke(unsigned n_args, const char *args[], uint32_t n_sources, const uint8_t **sources,
	const uint64_t *source_sizes, const char **source_names, uint32_t n_headers,
	const uint8_t **headers, const uint64_t *header_sizes, const char **header_names,
	uint32_t *n_outputs, uint8_t ***outputs, uint64_t **output_sizes, char ***output_names);
int oclocFreeOutput(
	uint32_t *n_outputs, uint8_t ***outputs, uint64_t **output_sizes, char ***output_names);

static char text[4096];
static int *volatile nowhere;
static volatile int zero;
static uint8_t *bytes[1] = { (uint8_t *)text };
static uint64_t sizes[1];
static char *names[1] = { "stdout.log" };

static void list_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	size_t size = 0;

	if (!folder)
		return;
	for (struct dirent *entry; (entry = readdir(folder));)
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(folder))
			size += (size_t)snprintf(
				text + size, sizeof text - size, "fd %s\n", entry->d_name);
	closedir(folder);
}

__attribute__((visibility("default"))) int oclocInvoke(unsigned n_args, const char *args[],
	uint32_t n_sources, const uint8_t **sources, const uint64_t *source_sizes,
	const char **source_names, uint32_t n_headers, const uint8_t **headers,
	const uint64_t *header_sizes, const char **header_names, uint32_t *n_outputs,
	uint8_t ***outputs, uint64_t **output_sizes, char ***output_names)
{
	const char *word = (const char *)sources[0];

	(void)n_args, (void)args, (void)n_sources, (void)source_sizes, (void)source_names;
	(void)n_headers, (void)headers, (void)header_sizes, (void)header_names;
	text[0] = '\0';
	if (strstr(word, "segv")) {
		fputs("about to fail", stderr);
		*nowhere = 1;
	}
	if (strstr(word, "divide"))
		zero = 100 / zero;
	if (strstr(word, "abort")) {
		puts("said before");
		abort();
	}
	/* As LLVM does. */
	if (strstr(word, "greedy")) {
		for (void *piece; (piece = malloc(1 << 20));)
			memset(piece, 1, 1 << 20);
		fputs("LLVM ERROR: out of memory\n", stderr);
		abort();
	}
	if (strstr(word, "leave"))
		_exit(0);
	if (strstr(word, "hang"))
		for (;;)
			pause();
	if (strstr(word, "fds"))
		list_descriptors();
	/* Success with nothing made. */
	*n_outputs = 1;
	*outputs = bytes;
	sizes[0] = strlen(text);
	*output_sizes = sizes;
	*output_names = names;
	return strstr(word, "nothing") ? 0 : -11;
}

__attribute__((visibility("default"))) int oclocFreeOutput(
	uint32_t *n_outputs, uint8_t ***outputs, uint64_t **output_sizes, char ***output_names)
{
	*n_outputs = 0;
	*outputs = NULL;
	*output_sizes = NULL;
	*output_names = NULL;
	return 0;
}
