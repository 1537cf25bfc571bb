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

/* A packet to be answered. */
struct request {
	struct eu_debug_session *session;
	const char *name, *at; /* what is behind its name: `size` bytes */
	size_t size;
	struct eu_debug_text *reply;
};

/* False: there is no reply yet. */
typedef bool (*answer_fn)(struct request *r);

/* EINVAL, EFAULT: GDB shows the number alone. */
#define INVALID	  "E16"
#define NO_MEMORY "E14"

static bool say(struct request *r, const char *text)
{
	eu_debug_put(r->reply, text, strlen(text));
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

static bool answer_supported(struct request *r)
{
	eu_debug_format(r->reply,
		"PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;"
		"qXfer:libraries:read+;qXfer:exec-file:read+;swbreak+;hwbreak+;vContSupported+",
		EU_DEBUG_PACKET_BYTES);
	return true;
}

static bool answer_no_ack(struct request *r)
{
	r->session->no_ack = true;
	return say(r, "OK");
}

static bool answer_why(struct request *r)
{
	r->session->waits = true;
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

static bool answer_threads(struct request *r)
{
	const struct eu_debug_thread *t = eu_debug_next(0);
	char separator = 'm';

	if (!t)
		eu_debug_format(r->reply, "m%x", EU_DEBUG_DEVICE);
	for (; t; t = eu_debug_next(t->id), separator = ',')
		eu_debug_format(r->reply, "%c%llx", separator, (unsigned long long)t->id);
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

static bool answer_extra(struct request *r)
{
	struct eu_debug_text text = { 0 };
	uint64_t id;

	if (!eu_debug_number(&r->at, &id))
		return say(r, INVALID);
	const struct eu_debug_thread *t = eu_debug_find(id);
	if (t)
		describe_thread(&text, t);
	else
		eu_debug_format(&text, "no kernel runs");
	eu_debug_hex(r->reply, text.bytes, text.size);
	eu_debug_text_finish(&text);
	return true;
}

static bool answer_current(struct request *r)
{
	eu_debug_format(r->reply, "QC%llx", (unsigned long long)world.stop.thread);
	return true;
}

static bool answer_alive(struct request *r)
{
	uint64_t id;

	if (!eu_debug_number(&r->at, &id))
		return say(r, INVALID);
	return eu_debug_find(id) || (id == EU_DEBUG_DEVICE && !world.count) ? say(r, "OK")
									    : say(r, INVALID);
}

static bool answer_choose(struct request *r)
{
	uint64_t id = 0;
	bool is_general = *r->at == 'g';

	r->at += *r->at != 0;
	if (!eu_debug_skip(&r->at, '-') && !eu_debug_number(&r->at, &id))
		return say(r, INVALID);
	if (id && id != EU_DEBUG_DEVICE && !eu_debug_find(id))
		return say(r, INVALID);
	if (is_general)
		r->session->thread = id;
	return say(r, "OK");
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

static bool answer_registers(struct request *r)
{
	for (unsigned i = 0; i < eu_debug_register_count(r->session->device); i++)
		put_register(r->session, i, r->reply);
	return true;
}

static bool answer_register(struct request *r)
{
	uint64_t number;

	if (!eu_debug_number(&r->at, &number) ||
		number >= eu_debug_register_count(r->session->device))
		return say(r, INVALID);
	put_register(r->session, (unsigned)number, r->reply);
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

static bool answer_set_register(struct request *r)
{
	uint64_t number;

	if (!eu_debug_number(&r->at, &number) || !eu_debug_skip(&r->at, '=') ||
		number >= eu_debug_register_count(r->session->device) ||
		!set_register(r->session, (unsigned)number, r->at))
		return say(r, INVALID);
	return say(r, "OK");
}

/* ---- memory ---- */

static bool read_range(const char **at, uint64_t *address, uint64_t *size)
{
	return eu_debug_number(at, address) && eu_debug_skip(at, ',') &&
	       eu_debug_number(at, size) && *size <= MOST_BYTES;
}

static bool answer_read(struct request *r)
{
	static uint8_t bytes[MOST_BYTES]; /* under lock */
	const struct eu_debug_thread *t = chosen(r->session);
	uint64_t address, count;

	if (!read_range(&r->at, &address, &count))
		return say(r, INVALID);
	size_t got = t ? eu_debug_read(t, address, bytes, (size_t)count) : 0;
	if (!t && address == EU_DEBUG_REGISTERS) { /* `zerocl gdb` reads there before `monitor` */
		memset(bytes, 0, (size_t)count);
		got = (size_t)count;
	}
	if (count && !got)
		return say(r, NO_MEMORY);
	eu_debug_hex(r->reply, bytes, got);
	return true;
}

/* M: digits; X: the bytes themselves. */
static bool answer_write(struct request *r)
{
	static uint8_t bytes[MOST_BYTES]; /* under lock */
	const char *end = r->at + r->size;
	struct eu_debug_thread *t = chosen(r->session);
	uint64_t address, count;
	size_t got;

	if (!read_range(&r->at, &address, &count) || !eu_debug_skip(&r->at, ':'))
		return say(r, INVALID);
	got = (size_t)(end - r->at);
	if (*r->name == 'M')
		got = eu_debug_unhex(r->at, bytes, (size_t)count);
	else if (got == count)
		memcpy(bytes, r->at, got);
	if (got != count)
		return say(r, INVALID);
	if (count && (!t || eu_debug_write(t, address, bytes, (size_t)count) != count))
		return say(r, NO_MEMORY);
	return say(r, "OK");
}

/* ---- breakpoints ---- */

static bool answer_point(struct request *r)
{
	char kind = *r->at++;
	uint64_t address, bytes;

	if (kind < '0' || kind > '4')
		return true;
	if (!eu_debug_skip(&r->at, ',') || !eu_debug_number(&r->at, &address) ||
		!eu_debug_skip(&r->at, ',') || !eu_debug_number(&r->at, &bytes))
		return say(r, INVALID);
	/* Registers are nobody's memory. */
	if (kind >= '2' && (address - EU_DEBUG_REGISTERS <= UINT32_MAX || !bytes))
		return say(r, INVALID);
	if (*r->name == 'z')
		eu_debug_point_remove(kind, address, bytes);
	else if (!eu_debug_point_add(kind, address, bytes))
		return say(r, INVALID);
	return say(r, "OK");
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

static bool answer_continue(struct request *r)
{
	struct resumption list[MOST_ACTIONS];
	size_t count = 0;

	do {
		if (count == MOST_ACTIONS || !read_action(&r->at, &list[count++]))
			return say(r, INVALID);
	} while (eu_debug_skip(&r->at, ';'));
	return *r->at ? say(r, INVALID) : go(r->session, list, count);
}

/* c, s */
static bool answer_plain(struct request *r)
{
	const bool steps = *r->name == 's';
	const struct resumption list[] = {
		{ .action = steps ? EU_DEBUG_STEP : EU_DEBUG_RUN,
			.id = steps ? world.stop.thread : 0 },
		{ .action = EU_DEBUG_RUN },
	};

	return go(r->session, list, UTIL_ARRAY_SIZE(list));
}

static bool answer_detach(struct request *r)
{
	r->session->is_over = true;
	return say(r, "OK");
}

static bool answer_kill(struct request *r)
{
	r->session->is_over = r->session->kills = true;
	return say(r, "OK");
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
static bool answer_transfer(struct request *r)
{
	const char *colon = memrchr(r->at, ':', r->size);
	uint64_t offset, length;
	char name[128];

	if (!colon || (size_t)(colon - r->at) >= sizeof name)
		return say(r, INVALID);
	memcpy(name, r->at, (size_t)(colon - r->at));
	name[colon - r->at] = 0;
	r->at = colon + 1;
	if (!eu_debug_number(&r->at, &offset) || !eu_debug_skip(&r->at, ',') ||
		!eu_debug_number(&r->at, &length) || length > MOST_BYTES)
		return say(r, INVALID);
	/* GDB reads a document from its beginning; it must not change meanwhile. */
	if ((offset == 0 || strcmp(name, r->session->document) != 0) &&
		!make_document(r->session, name)) {
		r->session->document[0] = 0;
		return say(r, "E00");
	}
	uint64_t whole = r->session->text.size;
	offset = offset < whole ? offset : whole;
	bool is_last = length >= whole - offset;
	eu_debug_put(r->reply, is_last ? "l" : "m", 1);
	eu_debug_put(r->reply, r->session->text.bytes + offset,
		(size_t)(is_last ? whole - offset : length));
	return true;
}

static bool answer_monitor(struct request *r)
{
	struct eu_debug_text out = { 0 };
	char command[256];

	command[eu_debug_unhex(r->at, command, sizeof command - 1)] = 0;
	eu_debug_monitor(r->session, command, &out);
	if (out.size)
		eu_debug_hex(r->reply, out.bytes, out.size < MOST_BYTES ? out.size : MOST_BYTES);
	else
		say(r, "OK");
	eu_debug_text_finish(&out);
	return true;
}

static bool answer_file(struct request *r)
{
	eu_debug_code_file(r->at, r->reply);
	return true;
}

static const struct {
	const char *name;
	answer_fn answer;
	const char *text; /* without a function: the reply */
} packets[] = {
	{ "qSupported", answer_supported, NULL },
	{ "QStartNoAckMode", answer_no_ack, NULL },
	{ "qAttached", NULL, "1" },
	{ "qXfer:", answer_transfer, NULL },
	{ "qfThreadInfo", answer_threads, NULL },
	{ "qsThreadInfo", NULL, "l" },
	{ "qThreadExtraInfo,", answer_extra, NULL },
	{ "qRcmd,", answer_monitor, NULL },
	{ "qC", answer_current, NULL },
	{ "vCont?", NULL, "vCont;c;C;s;S;r" },
	{ "vCont;", answer_continue, NULL },
	{ "vFile:", answer_file, NULL },
	{ "vKill", answer_kill, NULL },
	{ "?", answer_why, NULL },
	{ "c", answer_plain, NULL },
	{ "s", answer_plain, NULL },
	{ "D", answer_detach, NULL },
	{ "k", answer_kill, NULL },
	{ "T", answer_alive, NULL },
	{ "H", answer_choose, NULL },
	{ "g", answer_registers, NULL },
	{ "p", answer_register, NULL },
	{ "P", answer_set_register, NULL },
	{ "m", answer_read, NULL },
	{ "M", answer_write, NULL },
	{ "X", answer_write, NULL },
	{ "Z", answer_point, NULL },
	{ "z", answer_point, NULL },
};

bool eu_debug_answer(struct eu_debug_session *session, const char *packet, size_t size,
	struct eu_debug_text *reply)
{
	/* Names of one letter are followed by anything, other names may not be cut off. */
	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(packets); i++) {
		size_t length = strlen(packets[i].name);
		struct request r = { session, packet, packet + length, size - length, reply };
		if (size >= length && !memcmp(packet, packets[i].name, length))
			return packets[i].answer ? packets[i].answer(&r) : say(&r, packets[i].text);
	}
	return true;
}
