// SPDX-License-Identifier: MIT
/* The thread of the device that speaks with GDB, and its sockets. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "eu/debug/eu_debug_session.h"
#include "util/util_log.h"
#include "util/util_settings.h"
#include "util/util_thread.h"

#define world eu_debug_world

/* One connection. */
struct connection {
	int socket;
	bool is_lost;
	struct eu_debug_session session;
	struct eu_debug_input input;
	struct eu_debug_text last; /* the last packet, in case GDB wants it again */
};

static int listener = -1;

/* ---- the socket ---- */

static union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_un un;
} bound;

/* A file that a process left which is gone may be replaced; one that somebody listens at may not.
 */
static void remove_stale(const struct sockaddr_un *address)
{
	int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (probe < 0)
		return;
	if (connect(probe, (const struct sockaddr *)address, sizeof *address) < 0 &&
		errno == ECONNREFUSED)
		unlink(address->sun_path);
	close(probe);
}

/* "1234" or "localhost:1234" is a port of this machine, all else a path. Returns its size or 0. */
static socklen_t parse_address(const char *setting, union address *address)
{
	const char *digits = strncmp(setting, "localhost:", 10) ? setting : setting + 10;
	char *end;
	unsigned long port = strtoul(digits, &end, 10);

	*address = (union address){ 0 };
	if (*digits && !*end) {
		if (!port || port > UINT16_MAX)
			return 0;
		address->in.sin_family = AF_INET;
		address->in.sin_port = htons((uint16_t)port);
		address->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return sizeof address->in;
	}
	if (strlen(setting) >= sizeof address->un.sun_path)
		return 0;
	address->un.sun_family = AF_UNIX;
	strcpy(address->un.sun_path, setting);
	remove_stale(&address->un);
	return sizeof address->un;
}

static bool open_listener(const char *setting)
{
	socklen_t size = parse_address(setting, &bound);
	int fd = size ? socket(bound.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
	int one = 1;

	if (fd >= 0 && bound.any.sa_family == AF_INET)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (fd < 0 || bind(fd, &bound.any, size) || listen(fd, 1)) {
		util_log(UTIL_LOG_ERROR, "gdb", "ZEROCL_VGPU_GDB=%s: %s", setting,
			size ? strerror(errno) : "not a port and not a path of a socket");
		if (fd >= 0)
			close(fd);
		return false;
	}
	listener = fd;
	return true;
}

/* ---- a connection ---- */

static void send_all(struct connection *c, const char *bytes, size_t size)
{
	while (size && !c->is_lost) {
		ssize_t sent = send(c->socket, bytes, size, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0) {
			c->is_lost = true;
			return;
		}
		bytes += sent;
		size -= (size_t)sent;
	}
}

static void send_packet(struct connection *c, const struct eu_debug_text *payload)
{
	c->last.size = 0;
	eu_debug_packet(&c->last, payload->bytes, payload->size);
	c->is_lost = c->is_lost || c->last.failed || payload->failed;
	send_all(c, c->last.bytes, c->last.size);
}

/* What GDB has waited for: lines to show, and why the threads stand. */
static void tell_stop(struct connection *c)
{
	struct eu_debug_text text = { 0 };

	if (world.console.size) {
		eu_debug_put(&text, "O", 1);
		eu_debug_hex(&text, world.console.bytes, world.console.size);
		world.console.size = 0;
		send_packet(c, &text);
		text.size = 0;
	}
	eu_debug_stop_reply(&c->session, &text);
	send_packet(c, &text);
	eu_debug_text_finish(&text);
}

static void answer(struct connection *c)
{
	struct eu_debug_text reply = { 0 };
	bool had_no_ack = c->session.no_ack;

	if (!had_no_ack)
		send_all(c, "+", 1);
	if (eu_debug_answer(&c->session, c->input.bytes, c->input.size, &reply))
		send_packet(c, &reply);
	eu_debug_text_finish(&reply);
}

static void receive(struct connection *c, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size && !c->is_lost && !c->session.is_over; i++)
		switch (eu_debug_input_feed(&c->input, bytes[i])) {
		case EU_DEBUG_INPUT_PACKET:
			answer(c);
			break;
		case EU_DEBUG_INPUT_BAD:
			send_all(c, "-", 1);
			break;
		case EU_DEBUG_INPUT_REPEAT:
			send_all(c, c->last.bytes, c->last.size);
			break;
		case EU_DEBUG_INPUT_INTERRUPT:
			eu_debug_interrupt();
			break;
		case EU_DEBUG_INPUT_MORE:
			break;
		}
}

static void drain_wake(void)
{
	uint64_t count;

	while (read(world.wake, &count, sizeof count) > 0)
		;
}

/* One round: what has come from GDB, what has come from the kernel. */
static void turn(struct connection *c)
{
	struct pollfd fds[] = { { c->socket, POLLIN, 0 }, { world.wake, POLLIN, 0 } };
	uint8_t bytes[4096];
	ssize_t size = 0;

	if (poll(fds, 2, -1) < 0)
		return;
	drain_wake();
	if (fds[0].revents) {
		size = recv(c->socket, bytes, sizeof bytes, 0);
		c->is_lost = size == 0 || (size < 0 && errno != EINTR);
	}
	pthread_mutex_lock(&world.lock);
	if (size > 0)
		receive(c, bytes, (size_t)size);
	if (world.interrupted && !world.count)
		eu_debug_interrupt();
	if (c->session.waits && (world.state == EU_DEBUG_STOPPED || world.exited))
		tell_stop(c);
	if (world.exited)
		c->session.is_over = true;
	pthread_mutex_unlock(&world.lock);
}

static void converse(struct connection *c)
{
	pthread_mutex_lock(&world.lock);
	eu_debug_session_init(&c->session, world.device);
	world.symbols_changed = world.symbols_gone = false;
	world.attached = world.is_connected = true;
	pthread_mutex_unlock(&world.lock);
	while (!c->is_lost && !c->session.is_over)
		turn(c);
	pthread_mutex_lock(&world.lock);
	world.is_connected = false;
	eu_debug_release();
	if (c->session.kills)
		kill(getpid(), SIGKILL);
	eu_debug_session_finish(&c->session);
	pthread_mutex_unlock(&world.lock);
	eu_debug_text_finish(&c->last);
	close(c->socket);
}

/* Until the process ends, also if it does so before GDB has come. */
static void *stub_main(void *unused)
{
	struct pollfd fds[] = { { listener, POLLIN, 0 }, { world.wake, POLLIN, 0 } };
	struct connection *c = calloc(1, sizeof *c);
	bool exited = !c;
	int one = 1;

	(void)unused;
	while (!exited) {
		if (poll(fds, 2, -1) > 0 && fds[0].revents) {
			*c = (struct connection){ .socket = accept4(
							  listener, NULL, NULL, SOCK_CLOEXEC) };
			setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
			if (c->socket >= 0)
				converse(c);
		}
		drain_wake();
		pthread_mutex_lock(&world.lock);
		exited = world.exited;
		pthread_mutex_unlock(&world.lock);
	}
	free(c);
	close(listener);
	if (bound.any.sa_family == AF_UNIX)
		unlink(bound.un.sun_path);
	pthread_mutex_lock(&world.lock);
	world.is_off = true;
	pthread_cond_broadcast(&world.changed);
	pthread_mutex_unlock(&world.lock);
	return NULL;
}

bool eu_debug_stub_start(void)
{
	if (!open_listener(util_settings()->gdb))
		return false;
	if (!util_thread_start(stub_main, NULL, "zerocl-gdb", NULL))
		return true;
	close(listener);
	return false;
}
