// SPDX-License-Identifier: MIT
/* What a compiler process that is out of its mind could write. */
#include "compile/base/helper_protocol.h"

#include <sys/socket.h>
#include <unistd.h>

#define MAX_SIZE 65536 /* what a socket holds without a reader */

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static unsigned read_fields(const struct helper_message *message)
{
	struct helper_view view;
	unsigned sum = 0;

	for (size_t at = 0; helper_message_next(message, &at, &view);)
		for (size_t i = 0; i <= view.size; i++)
			sum += (unsigned char)view.data[i];
	for (int tag = 0; tag < 24; tag++)
		sum += helper_message_number(message, (enum helper_field)tag, 0);
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
		sum += read_fields(&message);
		helper_message_finish(&message);
	}
	close(ends[0]);
	return 0;
}
