// SPDX-License-Identifier: MIT
#include "eu/watch/eu_form.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eu/message/eu_message.h"
#include "eu/watch/eu_observer.h"
#include "eu/watch/eu_watch.h"
#include "util/util_bits.h"
#include "util/util_settings.h"
#include "util/util_thread.h"

enum { BUCKETS = 1024, SLOTS = 4 };

/* How often, for host threads of one slot; each in a line of the cache of its own. */
struct tally {
	alignas(64) atomic_uint_fast64_t times;
};

struct eu_form {
	struct eu_form *next; /* in its bucket */
	enum eu_form_how how;
	struct tally executed[SLOTS];
	uint8_t code[16], bytes; /* of an instruction of this form */
	char text[];
};

static struct eu_form *buckets[BUCKETS];
static pid_t writer; /* the process that has the forms; 0: there are none yet */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)

static const char *const how_names[] = { "vector", "loop", "general", "inline", "call", "dynamic",
	"missing" };
static const char *const predicate_names[] = { "", "f", "anyv", "allv", "any2h", "all2h", "any4h",
	"all4h", "any8h", "all8h", "any16h", "all16h", "any32h", "all32h" };
static const char *const cond_names[] = { "", "eq", "ne", "gt", "ge", "lt", "le", "ov", "un",
	"eo" };
static const char *const math_names[16] = { [1] = "inv",
	"log",
	"exp",
	"sqt",
	"rsqt",
	"sin",
	"cos",
	[9] = "fdiv",
	"pow",
	"idiv",
	"iqot",
	"irem",
	"invm",
	"rsqtm" };
static const char *const file_names[] = { "null", "", "imm", "a0", "acc", "mme", "f", "ce", "msg",
	"sp", "sr", "cr", "n", "ip", "tdr", "tm", "fc", "dbg" };

/* A text that grows up to its size. */
struct text {
	char *at;
	size_t left;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	int length = vsnprintf(text->at, text->left, format, arguments);
	va_end(arguments);
	if (length < 0 || text->left == 0)
		return;
	size_t used = (size_t)length < text->left ? (size_t)length : text->left - 1;
	text->at += used;
	text->left -= used;
}

static void add_operand(struct text *text, const struct gen_operand *operand)
{
	const char *file =
		operand->file < UTIL_ARRAY_SIZE(file_names) ? file_names[operand->file] : "?";

	add(text, " %s%s", operand->neg ? "-" : "", operand->abs ? "(abs)" : "");
	if (operand->addressing != GEN_DIRECT)
		add(text, operand->addressing == GEN_INDIRECT_VXH ? "[vxh]" : "[a0]");
	if (*file)
		add(text, "%s:", file);
	add(text, "%s", gen_type_name(operand->type));
}

/* Which memory a data port message's binding table index means. */
static const char *space_name(uint32_t desc)
{
	switch (desc & 0xff) {
	case EU_BTI_SLM:
		return "slm";
	case EU_BTI_STATELESS:
	case EU_BTI_STATELESS_CACHED:
		return "stateless";
	case EU_BTI_BINDLESS:
		return "bindless";
	}
	return "surface";
}

static bool is_data_port(unsigned sfid)
{
	return sfid == GEN_SFID_DC0 || sfid == GEN_SFID_DC1 || sfid == GEN_SFID_DC2 ||
	       sfid == GEN_SFID_DC_READ_ONLY;
}

static void add_send(
	struct text *text, const struct gen_device *device, const struct gen_inst *inst)
{
	struct eu_send send = { .sfid = inst->sfid, .desc = inst->desc, .exdesc = inst->exdesc };

	if (inst->desc_in_a0) {
		add(text, " sfid %u, descriptor in a0", inst->sfid);
		return;
	}
	add(text, " %s", eu_access_name(device, &send));
	if (inst->sfid == GEN_SFID_DC0 &&
		(inst->desc >> 18 & 1)) /* scratch: the rest is its offset */
		add(text, ", form 0x%02x", inst->desc >> 12 & 0x3f);
	else if (is_data_port(inst->sfid))
		add(text, ", %s, form 0x%02x", space_name(inst->desc), inst->desc >> 8 & 0x3f);
	add(text, ", %u+%u in, %u out%s%s", inst->mlen, inst->xlen, inst->rlen,
		inst->desc_in_a0 || inst->exdesc_in_a0 ? ", by a0" : "",
		inst->end_of_thread ? ", end of thread" : "");
}

void eu_form_text(const struct eu_kernel *kernel, uint32_t index, char *out, size_t size)
{
	const struct gen_inst *inst = &kernel->program->inst[index];
	struct text text = { out, size };
	bool send = gen_ops[inst->op].class == GEN_CLASS_SEND;

	*out = 0;
	if (inst->predicate != GEN_PRED_NONE)
		add(&text, "(%s%s) ", inst->predicate_invert ? "~" : "",
			predicate_names[inst->predicate]);
	add(&text, "%s", gen_ops[inst->op].name);
	if (inst->op == GEN_OP_math)
		add(&text, ".%s", math_names[inst->function & 15]);
	else if (inst->op == GEN_OP_sync)
		add(&text, ".%u", inst->function);
	add(&text, "%s%s%s%s (%u)", inst->saturate ? ".sat" : "", inst->backward ? ".b" : "",
		inst->acc_wr_en ? ".acc" : "", inst->no_mask ? ".w" : "", inst->exec_size);
	if (inst->cond != GEN_COND_NONE)
		add(&text, " (%s)", cond_names[inst->cond]);
	if (send) {
		add_send(&text, kernel->device, inst);
		return;
	}
	if (inst->has_dst)
		add_operand(&text, &inst->dst);
	for (unsigned i = 0; i < inst->source_count; i++)
		add_operand(&text, &inst->src[i]);
}

static struct eu_form **bucket_of(const char *text)
{
	uint32_t hash = 2166136261;

	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * 16777619;
	return &buckets[hash % BUCKETS];
}

static unsigned long long times_executed(const struct eu_form *form)
{
	unsigned long long sum = 0;

	for (unsigned i = 0; i < SLOTS; i++)
		sum += atomic_load(&form->executed[i].times);
	return sum;
}

/* When the process exits; not in its children. */
static void write_forms(void)
{
	const char *path = util_settings()->forms;
	FILE *file = path && getpid() == writer ? fopen(path, "a") : NULL;

	if (!file)
		return;
	for (unsigned i = 0; i < BUCKETS; i++)
		for (const struct eu_form *form = buckets[i]; form; form = form->next) {
			fprintf(file, "%s\t%llu\t%s\t", how_names[form->how], times_executed(form),
				form->text);
			for (unsigned k = 0; k < form->bytes; k++)
				fprintf(file, "%02x", form->code[k]);
			fputc('\n', file);
		}
	fclose(file);
}

/*
 * Finds or adds a form, of which `code` is an instruction of `bytes` bytes (8 or 16). It is the
 * process's and never goes away. NULL: no memory.
 */
static struct eu_form *form_find(
	const char *text, enum eu_form_how how, const uint8_t *code, unsigned bytes)
{
	struct eu_form **bucket = bucket_of(text), *form;

	pthread_mutex_lock(&lock);
	for (form = *bucket; form; form = form->next)
		if (form->how == how && !strcmp(form->text, text))
			break;
	/* no destructor: a program whose threads live on does not come to those */
	if (!writer && !atexit(write_forms))
		writer = getpid();
	if (!form) {
		size_t length = strlen(text) + 1;
		size_t size = util_align_up(sizeof(*form) + length, alignof(struct eu_form));
		form = aligned_alloc(alignof(struct eu_form), size);
		if (form) {
			memset(form, 0, size);
			form->how = how;
			form->bytes =
				(uint8_t)(bytes < sizeof form->code ? bytes : sizeof form->code);
			memcpy(form->code, code, form->bytes);
			memcpy(form->text, text, length);
			form->next = *bucket;
			*bucket = form;
		}
	}
	pthread_mutex_unlock(&lock);
	return form;
}

static void form_execute(struct eu_form *form)
{
	static atomic_uint threads;
	static _Thread_local unsigned slot; /* 1 + it; 0: none yet */

	if (!slot)
		slot = atomic_fetch_add(&threads, 1) % SLOTS + 1;
	atomic_uint_fast64_t *times = &form->executed[slot - 1].times;
	uint_fast64_t next = atomic_load_explicit(times, memory_order_relaxed) + 1;
	atomic_store_explicit(times, next, memory_order_relaxed);
}

/* How instruction `index` was lowered. */
static enum eu_form_how how_lowered(const struct eu_watched *watch, uint32_t index)
{
	const struct eu_kernel *kernel = watch->kernel;
	const struct eu_send *send = watch->sends[index];
	const struct gen_inst *inst = &kernel->program->inst[index];
	enum eu_form_how how = send ? EU_FORM_INLINE : EU_FORM_VECTOR;

	if (send && !send->run)
		return inst->desc_in_a0 || inst->exdesc_in_a0 ? EU_FORM_DYNAMIC : EU_FORM_MISSING;
	uint32_t end = index + 1 < kernel->program->count ? kernel->inst_uop[index + 1]
							  : kernel->uop_count - 1;
	for (uint32_t i = kernel->inst_uop[index]; i < end; i++) {
		unsigned code = kernel->uops[i].code;
		if (code == EU_UOP_fault)
			return EU_FORM_MISSING;
		if (code == EU_UOP_generic)
			return EU_FORM_GENERAL;
		if (code == EU_UOP_send ||
			(code >= EU_UOP_send_plain && code <= EU_UOP_send_plain_last))
			return EU_FORM_CALL;
		if (eu_uop_info(code)->does & EU_DOES_LOOP)
			how = EU_FORM_LOOP;
	}
	return how;
}

/* The forms of all instructions of a kernel: a row of pointers, some of them NULL. */
static void *create(const struct eu_watched *watched)
{
	const struct gen_program *program = watched->kernel->program;
	struct eu_form **forms = calloc(program->count, sizeof(*forms));
	char text[256];

	for (uint32_t i = 0; forms && i < program->count; i++) {
		const struct gen_inst *inst = &program->inst[i];
		eu_form_text(watched->kernel, i, text, sizeof text);
		forms[i] = form_find(
			text, how_lowered(watched, i), program->code + inst->ip, inst->size);
	}
	return forms;
}

static void step(const struct eu_event *event)
{
	struct eu_form **forms = event->facts;

	if (forms && forms[event->inst])
		form_execute(forms[event->inst]);
}

const struct eu_observer eu_form_observer = {
	.wanted = EU_WATCH_FORMS, .create = create, .destroy = free, .step = step
};
