// SPDX-License-Identifier: MIT
#include "compile/base/helper_protocol.h"

#include "compile/base/byte_stream.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* "zcc" and the version; then type and number, and the size of what follows. */
struct head {
	uint32_t magic;
	uint32_t version;
	uint32_t type;
	uint32_t number;
	uint64_t size;
};

#define MAGIC 0x0063637au

/* Bytes that are read at once, at least. */
#define MIN_STEP ((size_t)1 << 20)

int64_t compile_clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void pass_module(struct byte_stream *stream, struct compile_module *module)
{
	struct compile_module same = *module;

	same.spirv = byte_stream_bytes(stream, same.spirv, &same.size);
	if (!stream->out)
		*module = same;
}

static void pass_header(struct byte_stream *stream, struct compile_header *header)
{
	struct compile_header same = *header;

	same.name = byte_stream_text(stream, same.name);
	same.text = byte_stream_bytes(stream, same.text, &same.size);
	if (!stream->out)
		*header = same;
}

static void pass_request(struct byte_stream *stream, struct compile_request *request)
{
	struct compile_header *headers;
	struct compile_module *modules;

	request->source = byte_stream_bytes(stream, request->source, &request->source_size);
	request->spirv = byte_stream_bytes(stream, request->spirv, &request->spirv_size);
	request->options = byte_stream_text(stream, request->options);
	request->family = byte_stream_text(stream, request->family);
	request->outputs = byte_stream_number(stream, request->outputs);
	request->soft_double = byte_stream_number(stream, request->soft_double);
	request->modules = modules =
		byte_stream_array(stream, request->modules, &request->n_modules, sizeof(*modules));
	for (size_t i = 0; i < request->n_modules; i++)
		pass_module(stream, &modules[i]);
	request->headers = headers =
		byte_stream_array(stream, request->headers, &request->n_headers, sizeof(*headers));
	for (size_t i = 0; i < request->n_headers; i++)
		pass_header(stream, &headers[i]);
}

static void pass_result(struct byte_stream *stream, struct compile_result *result)
{
	result->status = (enum compile_status)byte_stream_number(stream, result->status);
	result->log = (char *)(uintptr_t)byte_stream_text(stream, result->log);
	result->spirv =
		(void *)(uintptr_t)byte_stream_bytes(stream, result->spirv, &result->spirv_size);
	result->native =
		(void *)(uintptr_t)byte_stream_bytes(stream, result->native, &result->native_size);
}

/* All but the head. */
static void pass_message(struct byte_stream *stream, struct helper_message *message)
{
	pass_request(stream, &message->request);
	message->prefix = byte_stream_text(stream, message->prefix);
	message->directory = byte_stream_text(stream, message->directory);
	pass_result(stream, &message->result);
	message->text = byte_stream_text(stream, message->text);
}

void *helper_message_pack(const struct helper_message *message, size_t *size)
{
	struct head head = { MAGIC, HELPER_MESSAGE_VERSION, message->type, message->number, 0 };
	struct helper_message same = *message;
	struct byte_stream stream;
	char *bytes;

	if (!byte_stream_begin(&stream, &bytes, size, HELPER_MESSAGE_LIMIT + sizeof(head)))
		return NULL;
	BYTE_STREAM_PASS(&stream, head);
	pass_message(&stream, &same);
	if (byte_stream_end(&stream, &bytes)) {
		head.size = *size - sizeof(head);
		memcpy(bytes, &head, sizeof(head));
	}
	return bytes;
}

bool helper_message_send_packed(int fd, const void *data, size_t size)
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
	size_t size;
	void *bytes = helper_message_pack(message, &size);
	const bool ok = bytes && helper_message_send_packed(fd, bytes, size);

	free(bytes);
	return ok;
}

bool helper_message_send_head(int fd, enum helper_message_type type, uint32_t number)
{
	const struct head head = { MAGIC, HELPER_MESSAGE_VERSION, type, number, 0 };

	return helper_message_send_packed(fd, &head, sizeof(head));
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

/* Receives `size` bytes, to be freed, as they come: what a head promises may never come. */
static enum helper_receive receive_body(int fd, void **bytes, size_t size, int64_t deadline_ms)
{
	enum helper_receive rc = HELPER_RECEIVED;
	char *data = NULL;

	for (size_t have = 0, step; rc == HELPER_RECEIVED && have < size; have += step) {
		step = have > MIN_STEP ? have : MIN_STEP;
		if (step > size - have)
			step = size - have;
		char *grown = realloc(data, have + step);
		if (grown)
			rc = receive_all(fd, grown + have, step, deadline_ms);
		else
			rc = HELPER_RECEIVE_NO_MEMORY;
		data = grown ? grown : data;
	}
	*bytes = data;
	return rc;
}

enum helper_receive helper_message_receive(
	int fd, struct helper_message *message, int64_t deadline_ms)
{
	struct head head;
	enum helper_receive rc = receive_all(fd, &head, sizeof(head), deadline_ms);

	*message = (struct helper_message){ 0 };
	if (rc != HELPER_RECEIVED)
		return rc;
	if (head.magic != MAGIC || head.version != HELPER_MESSAGE_VERSION ||
		head.size > HELPER_MESSAGE_LIMIT)
		return HELPER_RECEIVE_GARBAGE;
	message->type = (enum helper_message_type)head.type;
	message->number = head.number;
	rc = receive_body(fd, &message->data, (size_t)head.size, deadline_ms);
	if (rc == HELPER_RECEIVED) {
		struct byte_stream stream = { .in = message->data ? message->data : "",
			.left = (size_t)head.size };

		/* Of what has only a head, nothing can be read: it is empty. */
		pass_message(&stream, message);
		message->pool = stream.pool;
		if (head.size && (stream.is_bad || stream.left))
			rc = HELPER_RECEIVE_GARBAGE;
	}
	if (rc != HELPER_RECEIVED)
		helper_message_finish(message);
	return rc;
}

void helper_message_finish(struct helper_message *message)
{
	free(message->data);
	pool_free(message->pool);
	*message = (struct helper_message){ 0 };
}
