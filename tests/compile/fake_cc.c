// SPDX-License-Identifier: MIT
#include "compile/base/helper_protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A zerocl-cc that misbehaves as the variable FAKE_CC says. */

static int channel;

static void say(enum helper_message_type type, uint32_t number, unsigned status)
{
	const struct helper_message message = {
		.type = type, .number = number, .result = { .status = (enum compile_status)status }
	};

	helper_message_send(channel, &message);
}

static void say_bytes(const void *bytes, size_t size)
{
	if (send(channel, bytes, size, MSG_NOSIGNAL) < 0)
		_exit(1);
}

/* Whether the compiler is to be the real one: if the file FAKE_CC_ONCE is gone. */
static int is_real(const char *mode)
{
	return !strcmp(mode, "once") && unlink(getenv("FAKE_CC_ONCE"));
}

/* Claims more than there is, and sends less. */
static void say_cut(uint32_t head[6], const void *bytes, size_t size)
{
	head[4] = 100000;
	say_bytes(head, 6 * sizeof *head);
	say_bytes(bytes, size);
}

/* A source that claims more than there is. */
static void say_bad_field(uint32_t head[6])
{
	const uint32_t field[4] = { 1000, 0, 0, 0 };

	head[4] = sizeof field;
	say_bytes(head, 6 * sizeof *head);
	say_bytes(field, sizeof field);
}

enum { NOISE = 4096 };

/* Takes its time, if the mode is `slow`: longer than half of the limit of the test. */
static void dawdle(const char *mode)
{
	if (!strcmp(mode, "slow"))
		nanosleep(&(struct timespec){ .tv_sec = 1, .tv_nsec = 500000000 }, NULL);
}

static const unsigned char *make_noise(void)
{
	static unsigned char noise[NOISE];

	for (size_t i = 0; i < NOISE; i++)
		noise[i] = (unsigned char)(i * 37 + 11);
	return noise;
}

int main(int argc, char **argv)
{
	const char *mode = getenv("FAKE_CC");
	struct helper_message request = { 0 };
	const unsigned char *noise = make_noise();
	/* The head of a message: magic, version, type, number, size. */
	uint32_t head[6] = { 0x0063637a, HELPER_MESSAGE_VERSION, HELPER_MESSAGE_RESULT, 0, 0, 0 };

	if (argc != 3 || !mode)
		return 2;
	channel = atoi(argv[1]);
	if (is_real(mode))
		return execl(getenv("FAKE_CC_REAL"), argv[0], argv[1], argv[2], (char *)NULL);
	if (fork())
		return 0;
	if (!strcmp(mode, "silent"))
		return 0;
	if (!strcmp(mode, "mute")) {
		helper_message_receive(channel, &request, -1);
		return 0;
	}
	if (!strcmp(mode, "noise"))
		say_bytes(noise, NOISE);
	if (!strcmp(mode, "version")) {
		head[1]++;
		say_bytes(head, sizeof head);
	}
	dawdle(mode);
	say(HELPER_MESSAGE_HELLO, (uint32_t)getpid(), 0);
	if (!strcmp(mode, "deaf"))
		return 0;
	if (helper_message_receive(channel, &request, -1) != HELPER_RECEIVED)
		return 1;
	if (!strcmp(mode, "unaccepted"))
		say(HELPER_MESSAGE_RESULT, 0, 0);
	helper_message_send_head(channel, HELPER_MESSAGE_ACCEPTED, 0);
	if (!strcmp(mode, "answer-noise"))
		say_bytes(noise, NOISE);
	if (!strcmp(mode, "huge")) {
		head[4] = head[5] = 0xffffffff;
		say_bytes(head, sizeof head);
	}
	if (!strcmp(mode, "cut")) {
		say_cut(head, noise, NOISE);
		return 0;
	}
	if (!strcmp(mode, "bad-field"))
		say_bad_field(head);
	if (!strcmp(mode, "bad-status"))
		say(HELPER_MESSAGE_RESULT, 0, 12345);
	if (!strcmp(mode, "once"))
		helper_message_send_head(channel, HELPER_MESSAGE_CRASH, 11);
	dawdle(mode);
	if (!strcmp(mode, "nothing") || !strcmp(mode, "slow"))
		say(HELPER_MESSAGE_RESULT, 0, 0);
	helper_message_finish(&request);
	(void)helper_message_receive(channel, &request, -1);
	return 0;
}
