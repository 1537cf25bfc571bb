// SPDX-License-Identifier: MIT
/* What a compiler process that is out of its mind could write. */
#include "compile/base/helper_protocol.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_SIZE 65536 /* what a socket holds without a reader */

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static unsigned read_bytes(const void *data, size_t size)
{
	const unsigned char *bytes = data;
	unsigned sum = 0;

	for (size_t i = 0; bytes && i <= size; i++)
		sum += bytes[i];
	return sum;
}

static unsigned read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

static unsigned read_all(const struct helper_message *message)
{
	const struct compile_request *request = &message->request;
	const struct compile_result *result = &message->result;
	unsigned sum = read_bytes(request->source, request->source_size) +
		       read_bytes(request->spirv, request->spirv_size) +
		       read_bytes(result->spirv, result->spirv_size) +
		       read_bytes(result->native, result->native_size) +
		       read_text(request->options) + read_text(request->family) +
		       read_text(message->prefix) + read_text(message->directory) +
		       read_text(message->text) + read_text(result->log);

	for (size_t i = 0; i < request->n_modules; i++)
		sum += read_bytes(request->modules[i].spirv, request->modules[i].size);
	for (size_t i = 0; i < request->n_headers; i++)
		sum += read_bytes(request->headers[i].text, request->headers[i].size) +
		       read_text(request->headers[i].name);
	return sum;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static volatile unsigned sum;
	struct helper_message message = { 0 };
	int ends[2];

	if (size > MAX_SIZE || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 0;
	bool sent = send(ends[1], data, size, MSG_DONTWAIT) == (ssize_t)size;
	close(ends[1]);
	while (sent && helper_message_receive(ends[0], &message, -1) == HELPER_RECEIVED) {
		sum += read_all(&message);
		helper_message_finish(&message);
	}
	close(ends[0]);
	return 0;
}
