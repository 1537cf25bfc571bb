// SPDX-License-Identifier: MIT
#include "compile/base/helper_protocol.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* "zcc" and the version; then type, size of the fields. */
struct head {
	uint32_t magic;
	uint32_t version;
	uint32_t type;
	uint32_t zero;
	uint64_t size;
};

struct field {
	uint32_t tag;
	uint32_t zero;
	uint64_t size;
};

#define MAGIC 0x0063637au

int64_t compile_clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Bytes that are read at once, at least. */
#define MIN_STEP ((size_t)1 << 20)

static bool reserve(struct helper_message *message, size_t size)
{
	if (message->broken || size > HELPER_MESSAGE_LIMIT - message->size) {
		message->broken = true;
		return false;
	}
	if (size <= message->room - message->size)
		return true;

	size_t room = message->size + size;
	room += room / 2;
	unsigned char *data = realloc(message->data, room);
	if (!data) {
		message->broken = true;
		return false;
	}
	message->data = data;
	message->room = room;
	return true;
}

void helper_message_put(
	struct helper_message *message, enum helper_field tag, const void *data, size_t size)
{
	const struct field field = { .tag = tag, .size = size };

	/* One byte more: a zero, so that a text can be used where it lies. */
	if (size >= HELPER_MESSAGE_LIMIT || !reserve(message, sizeof(field) + size + 1)) {
		message->broken = true;
		return;
	}
	memcpy(message->data + message->size, &field, sizeof(field));
	message->size += sizeof(field);
	if (size)
		memcpy(message->data + message->size, data, size);
	message->size += size;
	message->data[message->size++] = 0;
}

void helper_message_put_text(
	struct helper_message *message, enum helper_field tag, const char *text)
{
	helper_message_put(message, tag, text, strlen(text));
}

void helper_message_put_number(
	struct helper_message *message, enum helper_field tag, uint32_t value)
{
	helper_message_put(message, tag, &value, sizeof(value));
}

bool helper_message_next(const struct helper_message *message, size_t *at, struct helper_view *view)
{
	struct field field;

	*view = (struct helper_view){ .data = "" };
	if (message->size - *at < sizeof(field))
		return false;
	memcpy(&field, message->data + *at, sizeof(field));
	if (field.size >= message->size - *at - sizeof(field))
		return false;
	view->tag = field.tag;
	view->data = (const char *)message->data + *at + sizeof(field);
	view->size = (size_t)field.size;
	*at += sizeof(field) + view->size + 1;
	return true;
}

/* Whether the fields fill the message exactly and each ends in its zero byte. */
static bool is_sound(const struct helper_message *message)
{
	struct helper_view view;
	size_t at = 0;

	while (helper_message_next(message, &at, &view))
		if (view.data[view.size])
			return false;
	return at == message->size;
}

bool helper_message_find(
	const struct helper_message *message, enum helper_field tag, struct helper_view *view)
{
	size_t at = 0;

	while (helper_message_next(message, &at, view))
		if (view->tag == (uint32_t)tag)
			return true;
	return false;
}

uint32_t helper_message_number(
	const struct helper_message *message, enum helper_field tag, uint32_t fallback)
{
	struct helper_view view;
	uint32_t value;

	if (!helper_message_find(message, tag, &view) || view.size != sizeof(value))
		return fallback;
	memcpy(&value, view.data, sizeof(value));
	return value;
}

static bool send_all(int fd, const void *data, size_t size)
{
	const unsigned char *next = data;

	while (size) {
		ssize_t sent = send(fd, next, size, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		next += sent;
		size -= (size_t)sent;
	}
	return true;
}

bool helper_message_send(int fd, const struct helper_message *message)
{
	const struct head head = { MAGIC, HELPER_MESSAGE_VERSION, message->type, 0, message->size };

	return !message->broken && send_all(fd, &head, sizeof(head)) &&
	       send_all(fd, message->data, message->size);
}

static enum helper_receive wait_readable(int fd, int64_t deadline_ms)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	for (;;) {
		int64_t left = deadline_ms < 0 ? -1 : deadline_ms - compile_clock_ms();
		if (deadline_ms >= 0 && left < 0)
			left = 0;
		int n = poll(&poll_fd, 1, left > 1 << 30 ? 1 << 30 : (int)left);
		if (n > 0)
			return HELPER_RECEIVED;
		if (n == 0 && compile_clock_ms() >= deadline_ms)
			return HELPER_RECEIVE_TIMEOUT;
		if (n < 0 && errno != EINTR)
			return HELPER_RECEIVE_END;
	}
}

static enum helper_receive receive_all(int fd, void *data, size_t size, int64_t deadline_ms)
{
	unsigned char *next = data;

	while (size) {
		enum helper_receive rc = wait_readable(fd, deadline_ms);
		if (rc != HELPER_RECEIVED)
			return rc;
		ssize_t got = recv(fd, next, size, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return HELPER_RECEIVE_END;
		next += got;
		size -= (size_t)got;
	}
	return HELPER_RECEIVED;
}

enum helper_receive helper_message_receive(
	int fd, struct helper_message *message, int64_t deadline_ms)
{
	struct head head;
	enum helper_receive rc = receive_all(fd, &head, sizeof(head), deadline_ms);

	if (rc != HELPER_RECEIVED)
		return rc;
	if (head.magic != MAGIC || head.version != HELPER_MESSAGE_VERSION || head.zero ||
		head.size > HELPER_MESSAGE_LIMIT)
		return HELPER_RECEIVE_GARBAGE;
	*message = (struct helper_message){ .type = head.type };
	/* As it comes: what the head promises may never come. */
	while (rc == HELPER_RECEIVED && message->size < head.size) {
		size_t left = (size_t)head.size - message->size;
		size_t step = message->size > MIN_STEP ? message->size : MIN_STEP;

		if (step > left)
			step = left;
		if (!reserve(message, step)) {
			helper_message_finish(message);
			return HELPER_RECEIVE_NO_MEMORY;
		}
		rc = receive_all(fd, message->data + message->size, step, deadline_ms);
		message->size += step;
	}
	if (rc == HELPER_RECEIVED && !is_sound(message))
		rc = HELPER_RECEIVE_GARBAGE;
	if (rc != HELPER_RECEIVED)
		helper_message_finish(message);
	return rc;
}

void helper_message_finish(struct helper_message *message)
{
	free(message->data);
	*message = (struct helper_message){ 0 };
}
