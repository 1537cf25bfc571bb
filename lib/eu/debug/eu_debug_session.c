// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_session.h"

#include <stdio.h>
#include <string.h>

#include "eu/debug/eu_debug_code.h"
#include "eu/debug/eu_debug_memory.h"
#include "eu/debug/eu_debug_register.h"
#include "eu/ops/eu_symbols.h"
#include "util/util_bits.h"

#define world eu_debug_world

enum { MOST_BYTES = EU_DEBUG_PACKET_BYTES / 2 - 16 };

/* Answers one packet, `at` being behind its name. False: there is no reply yet. */
typedef bool (*answer_fn)(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply);

static bool ok(struct eu_debug_text *reply)
{
	eu_debug_put(reply, "OK", 2);
	return true;
}

/* EINVAL, EFAULT: GDB shows the number alone. */
static bool bad(struct eu_debug_text *reply)
{
	eu_debug_put(reply, "E16", 3);
	return true;
}

static bool no_memory_there(struct eu_debug_text *reply)
{
	eu_debug_put(reply, "E14", 3);
	return true;
}

void eu_debug_session_init(struct eu_debug_session *session, const struct gen_device *device)
{
	*session = (struct eu_debug_session){ .device = device };
}

void eu_debug_session_finish(struct eu_debug_session *session)
{
	eu_debug_text_finish(&session->text);
}

/* The thread that packets are about now; NULL: the device. */
static struct eu_debug_thread *chosen(const struct eu_debug_session *session)
{
	return eu_debug_find(session->thread ? session->thread : world.stop.thread);
}

/* Which kernel the thread is of, as it is called: "NAME", or "kernel at 0x…". */
static void name_kernel(const struct eu_debug_thread *t, char *name, size_t size)
{
	struct gen_fault_place place = { 0 };

	eu_name_find(t->thread->worker, t->thread->worker->kernel, UINT32_MAX, &place);
	if (place.name[0])
		snprintf(name, size, "%s", place.name);
	else
		snprintf(name, size, "kernel at 0x%llx",
			(unsigned long long)t->thread->worker->dispatch->kernel);
}

/* ---- what GDB asks of us ---- */

static bool answer_supported(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)session, (void)at, (void)size;
	eu_debug_format(reply,
		"PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;"
		"qXfer:libraries:read+;qXfer:exec-file:read+;swbreak+;hwbreak+;vContSupported+",
		EU_DEBUG_PACKET_BYTES);
	return true;
}

static bool answer_no_ack(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)at, (void)size;
	session->no_ack = true;
	return ok(reply);
}

static bool answer_attached(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)session, (void)at, (void)size;
	eu_debug_put(reply, "1", 1);
	return true;
}

static bool answer_why(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)at, (void)size, (void)reply;
	session->waits = true;
	eu_debug_interrupt();
	return false;
}

void eu_debug_stop_reply(struct eu_debug_session *session, struct eu_debug_text *reply)
{
	session->waits = false;
	session->thread = world.stop.thread;
	if (world.exited) {
		eu_debug_format(reply, "W%02x", world.status & 0xff);
		return;
	}
	eu_debug_format(reply, "T%02x%s%sthread:%llx;", world.stop.signal, world.stop.what,
		world.symbols_changed ? "library:;" : "", (unsigned long long)world.stop.thread);
	world.symbols_changed = false;
}

/* ---- threads ---- */

static bool answer_threads(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	const struct eu_debug_thread *t = eu_debug_next(0);
	char separator = 'm';

	(void)session, (void)at, (void)size;
	if (!t)
		eu_debug_format(reply, "m%x", EU_DEBUG_DEVICE);
	for (; t; t = eu_debug_next(t->id), separator = ',')
		eu_debug_format(reply, "%c%llx", separator, (unsigned long long)t->id);
	return true;
}

static bool answer_no_more_threads(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)session, (void)at, (void)size;
	eu_debug_put(reply, "l", 1);
	return true;
}

static void describe_thread(struct eu_debug_text *out, const struct eu_debug_thread *t)
{
	const uint32_t *group = t->thread->group->id;
	char name[128];

	name_kernel(t, name, sizeof name);
	eu_debug_format(
		out, "%s (%u,%u,%u).%u", name, group[0], group[1], group[2], t->thread->index);
}

static bool answer_extra(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	struct eu_debug_text text = { 0 };
	uint64_t id;

	(void)session, (void)size;
	if (!eu_debug_number(&at, &id))
		return bad(reply);
	const struct eu_debug_thread *t = eu_debug_find(id);
	if (t)
		describe_thread(&text, t);
	else
		eu_debug_format(&text, "no kernel runs");
	eu_debug_hex(reply, text.bytes, text.size);
	eu_debug_text_finish(&text);
	return true;
}

static bool answer_current(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)session, (void)at, (void)size;
	eu_debug_format(reply, "QC%llx", (unsigned long long)world.stop.thread);
	return true;
}

static bool answer_alive(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	uint64_t id;

	(void)session, (void)size;
	if (!eu_debug_number(&at, &id))
		return bad(reply);
	return eu_debug_find(id) || (id == EU_DEBUG_DEVICE && !world.count) ? ok(reply)
									    : bad(reply);
}

static bool answer_choose(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	uint64_t id = 0;
	bool is_general = *at == 'g';

	(void)size;
	at += *at != 0;
	if (!eu_debug_skip(&at, '-') && !eu_debug_number(&at, &id))
		return bad(reply);
	if (id && id != EU_DEBUG_DEVICE && !eu_debug_find(id))
		return bad(reply);
	if (is_general)
		session->thread = id;
	return ok(reply);
}

/* ---- registers ---- */

static void put_register(
	const struct eu_debug_session *session, unsigned number, struct eu_debug_text *reply)
{
	unsigned size = eu_debug_register_size(session->device, number);
	uint8_t value[EU_DEBUG_REGISTER_BYTES];

	if (eu_debug_register_get(chosen(session), number, value))
		eu_debug_hex(reply, value, size);
	else
		for (unsigned i = 0; i < size; i++)
			eu_debug_put(reply, "xx", 2);
}

static bool answer_registers(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)at, (void)size;
	for (unsigned i = 0; i < eu_debug_register_count(session->device); i++)
		put_register(session, i, reply);
	return true;
}

static bool answer_register(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	uint64_t number;

	(void)size;
	if (!eu_debug_number(&at, &number) || number >= eu_debug_register_count(session->device))
		return bad(reply);
	put_register(session, (unsigned)number, reply);
	return true;
}

static bool set_register(
	const struct eu_debug_session *session, unsigned number, const char *digits)
{
	unsigned size = eu_debug_register_size(session->device, number);
	uint8_t value[EU_DEBUG_REGISTER_BYTES];

	return eu_debug_unhex(digits, value, size) == size &&
	       eu_debug_register_set(chosen(session), number, value);
}

static bool answer_set_register(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	uint64_t number;

	(void)size;
	if (!eu_debug_number(&at, &number) || !eu_debug_skip(&at, '=') ||
		number >= eu_debug_register_count(session->device) ||
		!set_register(session, (unsigned)number, at))
		return bad(reply);
	return ok(reply);
}

/* ---- memory ---- */

static bool read_range(const char **at, uint64_t *address, uint64_t *size)
{
	return eu_debug_number(at, address) && eu_debug_skip(at, ',') &&
	       eu_debug_number(at, size) && *size <= MOST_BYTES;
}

static bool answer_read(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	static uint8_t bytes[MOST_BYTES]; /* under lock */
	const struct eu_debug_thread *t = chosen(session);
	uint64_t address, count;

	(void)size;
	if (!read_range(&at, &address, &count))
		return bad(reply);
	size_t got = t ? eu_debug_read(t, address, bytes, (size_t)count) : 0;
	if (!t && address == EU_DEBUG_REGISTERS) { /* `zerocl gdb` reads there before `monitor` */
		memset(bytes, 0, (size_t)count);
		got = (size_t)count;
	}
	if (count && !got)
		return no_memory_there(reply);
	eu_debug_hex(reply, bytes, got);
	return true;
}

static bool answer_write(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	static uint8_t bytes[MOST_BYTES]; /* under lock */
	struct eu_debug_thread *t = chosen(session);
	uint64_t address, count;

	(void)size;
	if (!read_range(&at, &address, &count) || !eu_debug_skip(&at, ':') ||
		eu_debug_unhex(at, bytes, (size_t)count) != count)
		return bad(reply);
	if (!t || eu_debug_write(t, address, bytes, (size_t)count) != count)
		return no_memory_there(reply);
	return ok(reply);
}

/* X: the bytes are not digits. */
static bool answer_write_binary(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	const char *end = at + size;
	struct eu_debug_thread *t = chosen(session);
	uint64_t address, count;

	if (!read_range(&at, &address, &count) || !eu_debug_skip(&at, ':') ||
		(size_t)(end - at) != count)
		return bad(reply);
	if (count && (!t || eu_debug_write(t, address, at, (size_t)count) != count))
		return no_memory_there(reply);
	return ok(reply);
}

/* ---- breakpoints ---- */

static bool change_point(const char *at, struct eu_debug_text *reply, bool adds)
{
	char kind = *at;
	uint64_t address, bytes;

	if (kind < '0' || kind > '4')
		return true;
	at++;
	if (!eu_debug_skip(&at, ',') || !eu_debug_number(&at, &address) ||
		!eu_debug_skip(&at, ',') || !eu_debug_number(&at, &bytes))
		return bad(reply);
	/* Registers are nobody's memory. */
	if (kind >= '2' && (address - EU_DEBUG_REGISTERS <= UINT32_MAX || !bytes))
		return bad(reply);
	if (!adds)
		eu_debug_point_remove(kind, address, bytes);
	else if (!eu_debug_point_add(kind, address, bytes))
		return bad(reply);
	return ok(reply);
}

static bool answer_add_point(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)session, (void)size;
	return change_point(at, reply, true);
}

static bool answer_remove_point(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)session, (void)size;
	return change_point(at, reply, false);
}

/* ---- going on ---- */

/* One action of vCont, for the thread `id`, or for all that have none yet. */
struct resumption {
	enum eu_debug_action action;
	uint64_t first, end, id; /* id 0: all others */
};

static bool read_action(const char **at, struct resumption *out)
{
	uint64_t signal;
	char c = **at;

	*out = (struct resumption){ .action = EU_DEBUG_RUN };
	*at += c != 0;
	if (c == 's' || c == 'S' || c == 'r')
		out->action = EU_DEBUG_STEP;
	else if (c != 'c' && c != 'C')
		return false;
	if ((c == 'C' || c == 'S') && !eu_debug_number(at, &signal))
		return false;
	if (c == 'r' && (!eu_debug_number(at, &out->first) || !eu_debug_skip(at, ',') ||
				!eu_debug_number(at, &out->end)))
		return false;
	if (!eu_debug_skip(at, ':') || eu_debug_skip(at, '-'))
		return **at != ':';
	return eu_debug_number(at, &out->id);
}

static void apply(struct eu_debug_thread *t, const struct resumption *r)
{
	t->action = r->action;
	t->first = r->first;
	t->end = r->end;
}

/* Lets threads go on: each as the first action says that is for it. */
static bool go(struct eu_debug_session *session, const struct resumption *list, size_t count)
{
	world.others = EU_DEBUG_HOLD;
	for (size_t i = count; i-- > 0;)
		if (!list[i].id)
			world.others = EU_DEBUG_RUN;
	for (struct eu_debug_thread *t = eu_debug_next(0); t; t = eu_debug_next(t->id)) {
		apply(t, &(struct resumption){ .action = EU_DEBUG_HOLD });
		for (size_t i = count; i-- > 0;)
			if (!list[i].id || list[i].id == t->id)
				apply(t, &list[i]);
	}
	session->waits = true;
	world.attached = true;
	if (!world.symbols_changed)
		eu_debug_resume();
	return false;
}

enum { MOST_ACTIONS = 64 };

static bool answer_continue(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	struct resumption list[MOST_ACTIONS];
	size_t count = 0;

	(void)size;
	do {
		if (count == MOST_ACTIONS || !read_action(&at, &list[count++]))
			return bad(reply);
	} while (eu_debug_skip(&at, ';'));
	return *at ? bad(reply) : go(session, list, count);
}

static bool answer_plain(struct eu_debug_session *session, enum eu_debug_action action)
{
	const struct resumption list[] = {
		{ .action = action, .id = action == EU_DEBUG_STEP ? world.stop.thread : 0 },
		{ .action = EU_DEBUG_RUN },
	};

	return go(session, list, UTIL_ARRAY_SIZE(list));
}

static bool answer_c(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)at, (void)size, (void)reply;
	return answer_plain(session, EU_DEBUG_RUN);
}

static bool answer_s(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)at, (void)size, (void)reply;
	return answer_plain(session, EU_DEBUG_STEP);
}

static bool answer_actions(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)session, (void)at, (void)size;
	eu_debug_format(reply, "vCont;c;C;s;S;r");
	return true;
}

static bool answer_detach(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)at, (void)size;
	session->is_over = true;
	return ok(reply);
}

static bool answer_kill(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)at, (void)size;
	session->is_over = session->kills = true;
	return ok(reply);
}

/* ---- documents ---- */

static void write_threads(struct eu_debug_text *out)
{
	const struct eu_debug_thread *t = eu_debug_next(0);
	struct eu_debug_text name = { 0 };

	eu_debug_format(out, "<?xml version=\"1.0\"?><threads>");
	if (!t)
		eu_debug_format(
			out, "<thread id=\"%x\" name=\"no kernel runs\"/>", EU_DEBUG_DEVICE);
	for (; t; t = eu_debug_next(t->id)) {
		name.size = 0;
		describe_thread(&name, t);
		eu_debug_format(out, "<thread id=\"%llx\" name=\"", (unsigned long long)t->id);
		eu_debug_xml(out, name.bytes ? name.bytes : "");
		eu_debug_format(out, "\"/>");
	}
	eu_debug_format(out, "</threads>");
	eu_debug_text_finish(&name);
}

/* The document that `name` ("features:read:target.xml") asks for; false: none. */
static bool make_document(struct eu_debug_session *session, const char *name)
{
	eu_debug_text_finish(&session->text);
	snprintf(session->document, sizeof session->document, "%s", name);
	if (!strcmp(name, "features:read:target.xml"))
		eu_debug_describe(&session->text, session->device);
	else if (!strcmp(name, "threads:read:"))
		write_threads(&session->text);
	else if (!strcmp(name, "exec-file:read:"))
		eu_debug_code_program(&session->text);
	else if (!strcmp(name, "libraries:read:"))
		eu_debug_code_list(&session->text);
	else
		return false;
	return !session->text.failed;
}

/* qXfer:OBJECT:read:ANNEX:OFFSET,LENGTH */
static bool answer_transfer(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	const char *colon = memrchr(at, ':', size);
	uint64_t offset, length;
	char name[128];

	if (!colon || (size_t)(colon - at) >= sizeof name)
		return bad(reply);
	memcpy(name, at, (size_t)(colon - at));
	name[colon - at] = 0;
	at = colon + 1;
	if (!eu_debug_number(&at, &offset) || !eu_debug_skip(&at, ',') ||
		!eu_debug_number(&at, &length) || length > MOST_BYTES)
		return bad(reply);
	/* GDB reads a document from its beginning; it must not change meanwhile. */
	if ((offset == 0 || strcmp(name, session->document) != 0) &&
		!make_document(session, name)) {
		session->document[0] = 0;
		eu_debug_put(reply, "E00", 3);
		return true;
	}
	uint64_t whole = session->text.size;
	offset = offset < whole ? offset : whole;
	bool is_last = length >= whole - offset;
	eu_debug_put(reply, is_last ? "l" : "m", 1);
	eu_debug_put(
		reply, session->text.bytes + offset, (size_t)(is_last ? whole - offset : length));
	return true;
}

static bool answer_monitor(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	struct eu_debug_text out = { 0 };
	char command[256];

	(void)size;
	command[eu_debug_unhex(at, command, sizeof command - 1)] = 0;
	eu_debug_monitor(session, command, &out);
	if (out.size)
		eu_debug_hex(reply, out.bytes, out.size < MOST_BYTES ? out.size : MOST_BYTES);
	else
		ok(reply);
	eu_debug_text_finish(&out);
	return true;
}

static bool answer_file(
	struct eu_debug_session *session, const char *at, size_t size, struct eu_debug_text *reply)
{
	(void)session;
	eu_debug_code_file(at, size, reply);
	return true;
}

static const struct {
	const char *name;
	answer_fn answer;
} packets[] = {
	{ "qSupported", answer_supported },
	{ "QStartNoAckMode", answer_no_ack },
	{ "qAttached", answer_attached },
	{ "qXfer:", answer_transfer },
	{ "qfThreadInfo", answer_threads },
	{ "qsThreadInfo", answer_no_more_threads },
	{ "qThreadExtraInfo,", answer_extra },
	{ "qRcmd,", answer_monitor },
	{ "qC", answer_current },
	{ "vCont?", answer_actions },
	{ "vCont;", answer_continue },
	{ "vFile:", answer_file },
	{ "vKill", answer_kill },
	{ "?", answer_why },
	{ "c", answer_c },
	{ "s", answer_s },
	{ "D", answer_detach },
	{ "k", answer_kill },
	{ "T", answer_alive },
	{ "H", answer_choose },
	{ "g", answer_registers },
	{ "p", answer_register },
	{ "P", answer_set_register },
	{ "m", answer_read },
	{ "M", answer_write },
	{ "X", answer_write_binary },
	{ "Z", answer_add_point },
	{ "z", answer_remove_point },
};

bool eu_debug_answer(struct eu_debug_session *session, const char *packet, size_t size,
	struct eu_debug_text *reply)
{
	/* Names of one letter are followed by anything, other names may not be cut off. */
	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(packets); i++) {
		size_t length = strlen(packets[i].name);
		if (size >= length && !memcmp(packet, packets[i].name, length))
			return packets[i].answer(session, packet + length, size - length, reply);
	}
	return true;
}
