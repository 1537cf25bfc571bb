// SPDX-License-Identifier: MIT
#include "test_files.h"

#include "test.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_folder_make(char path[TEST_FOLDER_MAX], const char *name)
{
	int length = snprintf(path, TEST_FOLDER_MAX, P_tmpdir "/zerocl-%s-XXXXXX", name);

	assert_true(length < TEST_FOLDER_MAX);
	if (!mkdtemp(path))
		fail_msg("cannot make %s", path);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status, (void)kind, (void)place;
	/* a process that still ends may have removed it */
	return remove(path) && errno != ENOENT ? -1 : 0;
}

int test_folder_remove(const char *path)
{
	return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static FILE *open_file(const char *path, const char *mode)
{
	FILE *file = fopen(path, mode);

	if (!file)
		fail_msg("cannot open %s", path);
	return file;
}

void test_write_file(const char *path, const void *data, size_t size)
{
	FILE *file = open_file(path, "wb");

	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

void test_write_text(const char *path, const char *text)
{
	test_write_file(path, text, strlen(text));
}

void *test_read_file(const char *path, size_t *size)
{
	FILE *file = open_file(path, "rb");
	size_t n = 0, room = 1 << 16;
	char *data = malloc(room);

	for (;;) {
		assert_non_null(data);
		n += fread(data + n, 1, room - n, file);
		if (n < room)
			break;
		data = realloc(data, room *= 2);
	}
	assert_false(ferror(file));
	fclose(file);
	data[n] = '\0';
	if (size)
		*size = n;
	return data;
}
