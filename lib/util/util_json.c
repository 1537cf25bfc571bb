// SPDX-License-Identifier: MIT
#include "util/util_json.h"

#include "util/util_file.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* Bytes of the character of UTF-8 that begins there, 0 if none does. */
static unsigned character(const unsigned char *at)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned count = at[0] < 0x80		  ? 1
			 : (at[0] & 0xe0) == 0xc0 ? 2
			 : (at[0] & 0xf0) == 0xe0 ? 3
			 : (at[0] & 0xf8) == 0xf0 ? 4
						  : 0;
	uint32_t value = count > 1 ? at[0] & (0x7fu >> count) : at[0];

	for (unsigned i = 1; i < count; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (at[i] & 0x3f);
	}
	if (value < least[count] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 0;
	return count;
}

void util_json_text(FILE *file, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	fputc('"', file);
	while (*at) {
		unsigned count = character(at);
		if (*at == '"' || *at == '\\')
			fprintf(file, "\\%c", *at);
		else if (*at < 0x20 || *at == 0x7f)
			fprintf(file, "\\u%04x", *at);
		else if (count)
			fwrite(at, 1, count, file);
		else
			fputs("\\ufffd", file);
		at += count ? count : 1;
	}
	fputc('"', file);
}

void util_json_line_open(struct util_json_line *line)
{
	*line = (struct util_json_line){ .text = NULL };
	line->stream = open_memstream(&line->text, &line->size);
}

static bool put(const char *path, const char *text, size_t size, int64_t *at)
{
	bool is_new = !at || *at < 0;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (is_new ? O_APPEND : 0), 0666);
	bool whole = fd >= 0 && (is_new || lseek(fd, *at, SEEK_SET) >= 0) &&
		     util_file_write(fd, text, size);

	/* A descriptor's own offset: what others append does not move it. */
	off_t end = whole && is_new && at ? lseek(fd, 0, SEEK_CUR) : -1;
	if (end >= 0)
		*at = (int64_t)end - (int64_t)size;
	if (fd >= 0)
		close(fd);
	return whole;
}

bool util_json_line_close(struct util_json_line *line, const char *path, int64_t *at)
{
	bool whole = line->stream && fputc('\n', line->stream) != EOF;

	if (line->stream && fclose(line->stream))
		whole = false;
	whole = whole && put(path, line->text, line->size, at);
	free(line->text);
	return whole;
}
