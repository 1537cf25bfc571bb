// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "eu/debug/eu_debug_memory.h"
#include "eu/ops/eu_kernel.h"
#include "util/util_log.h"
#include "util/util_settings.h"
#include "util/util_thread.h"

enum { WAIT_NANOSECONDS = 20000000, EXIT_STEPS = 50 };

struct eu_debug_world eu_debug_world = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.changed = PTHREAD_COND_INITIALIZER,
	.wake = -1,
	.last_id = EU_DEBUG_DEVICE,
};
#define world eu_debug_world

static struct util_fork_lock fork_lock = { .lock = &eu_debug_world.lock, .rank = 1 };

/* A process that is forked off has no stub: its kernels run. */
static void after_fork(void)
{
	world.is_off = world.is_started;
}

__attribute__((constructor)) static void at_load(void)
{
	util_fork_register(&fork_lock);
	pthread_atfork(NULL, NULL, after_fork);
}

bool eu_debug_wanted(void)
{
	return util_settings()->gdb && !world.is_off;
}

/* ---- waiting ---- */

static void wait_for_change(void)
{
	struct timespec until = util_time_after(CLOCK_REALTIME, WAIT_NANOSECONDS);

	pthread_cond_timedwait(&world.changed, &world.lock, &until);
}

static void wake_stub(void)
{
	uint64_t one = 1;

	if (world.wake >= 0 && write(world.wake, &one, sizeof one) < 0)
		util_log(UTIL_LOG_ERROR, "gdb", "the stub cannot be woken");
}

/* The process ends by exit: GDB is told its status while there still is somebody to tell it. */
static void at_exit(int status, void *unused)
{
	(void)unused;
	pthread_mutex_lock(&world.lock);
	world.exited = true;
	world.status = status;
	eu_debug_release();
	wake_stub();
	for (int i = 0; i < EXIT_STEPS && world.exited && !world.is_off; i++)
		wait_for_change();
	pthread_mutex_unlock(&world.lock);
}

/* Under lock. */
static void start(void)
{
	if (world.is_started)
		return;
	world.is_started = true;
	world.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (world.wake < 0)
		util_log(UTIL_LOG_ERROR, "gdb",
			"the stub is not there: the process has no descriptor left for it");
	world.is_off = world.wake < 0 || !eu_debug_stub_start();
	if (!world.is_off)
		on_exit(at_exit, NULL);
}

void eu_debug_walker_begin(
	const struct gen_device *device, const struct eu_dispatch *dispatch, const atomic_int *stop)
{
	pthread_mutex_lock(&world.lock);
	if (!world.device)
		world.device = device;
	start();
	while (world.dispatch && !world.is_off && !atomic_load(stop))
		wait_for_change();
	if (!world.dispatch)
		world.dispatch = dispatch;
	pthread_mutex_unlock(&world.lock);
}

void eu_debug_walker_end(const struct eu_dispatch *dispatch)
{
	pthread_mutex_lock(&world.lock);
	if (world.dispatch == dispatch) {
		for (unsigned i = 0; i < EU_DEBUG_THREADS; i++) {
			free(world.threads[i]);
			world.threads[i] = NULL;
		}
		world.count = 0;
		world.dispatch = NULL;
	}
	pthread_cond_broadcast(&world.changed);
	wake_stub();
	pthread_mutex_unlock(&world.lock);
}

/* ---- threads ---- */

/* NULL: it is not watched, because memory was short or its walker did not wait its turn. */
static struct eu_debug_thread *of(const struct eu_thread *thread)
{
	struct eu_debug_thread *t = world.threads[thread->fftid % EU_DEBUG_THREADS];

	return t && t->thread == thread ? t : NULL;
}

struct eu_debug_thread *eu_debug_next(uint64_t id)
{
	struct eu_debug_thread *found = NULL;

	for (unsigned i = 0; i < EU_DEBUG_THREADS; i++) {
		struct eu_debug_thread *t = world.threads[i];
		if (t && t->id > id && (!found || t->id < found->id))
			found = t;
	}
	return found;
}

struct eu_debug_thread *eu_debug_find(uint64_t id)
{
	struct eu_debug_thread *t = id ? eu_debug_next(id - 1) : NULL;

	return t && t->id == id ? t : NULL;
}

/* The instruction whose micro-operations the thread goes on with. */
static uint32_t inst_of_resume(const struct eu_thread *thread)
{
	const struct eu_kernel *kernel = thread->kernel;
	uint32_t uop = (uint32_t)(thread->resume - kernel->uops) % kernel->uop_count;
	uint32_t low = 0, high = kernel->program->count;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;
		if (kernel->inst_uop[middle] <= uop)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint32_t eu_debug_inst(const struct eu_debug_thread *t)
{
	return t->is_before || !t->thread->resume ? t->inst : inst_of_resume(t->thread);
}

uint64_t eu_debug_code_base(const struct eu_debug_thread *t)
{
	const struct eu_worker *worker = t->thread->worker;

	for (unsigned i = 0; i < EU_FUNCTIONS && t->thread->kernel != worker->kernel; i++)
		if (worker->functions[i].kernel == t->thread->kernel)
			return worker->functions[i].address;
	return worker->dispatch->kernel & EU_ADDRESS_MASK;
}

static uint64_t address_of(const struct eu_debug_thread *t, uint32_t inst)
{
	return eu_debug_code_base(t) + t->thread->kernel->program->inst[inst].ip;
}

uint64_t eu_debug_address(const struct eu_debug_thread *t)
{
	return address_of(t, eu_debug_inst(t));
}

void eu_debug_thread_begin(struct eu_thread *thread)
{
	unsigned place = thread->fftid % EU_DEBUG_THREADS;
	struct eu_debug_thread *t = NULL;

	pthread_mutex_lock(&world.lock);
	if (thread->worker->dispatch == world.dispatch && !world.threads[place]) {
		t = world.threads[place] = calloc(1, sizeof *t);
		if (!t)
			util_log(UTIL_LOG_ERROR, "gdb",
				"memory is short: GDB does not see thread %u of group (%u, %u, %u)",
				thread->index, thread->group->id[0], thread->group->id[1],
				thread->group->id[2]);
	}
	if (t) {
		t->thread = thread;
		t->id = ++world.last_id;
		t->lane = (unsigned)__builtin_ctz(thread->dispatch_mask | UINT32_C(1) << 31);
		t->action = world.others;
		t->is_before = true;
		world.count++;
	}
	pthread_mutex_unlock(&world.lock);
}

/* Whether any thread may run. */
static bool any_runs(void)
{
	for (unsigned i = 0; i < EU_DEBUG_THREADS; i++)
		if (world.threads[i] && world.threads[i]->action != EU_DEBUG_HOLD)
			return true;
	return world.count == 0;
}

void eu_debug_thread_end(struct eu_thread *thread)
{
	pthread_mutex_lock(&world.lock);
	struct eu_debug_thread *t = of(thread);
	if (t) {
		world.threads[thread->fftid % EU_DEBUG_THREADS] = NULL;
		world.count--;
		free(t);
	}
	/* Whoever was to run alone has ended. */
	if (!any_runs())
		eu_debug_stop(eu_debug_next(0), EU_DEBUG_SIGTRAP, "");
	pthread_mutex_unlock(&world.lock);
}

/* ---- stopping ---- */

static void look(void)
{
	bool quiet = world.state == EU_DEBUG_RUNNING && world.attached && !world.interrupted &&
		     !world.point_count && world.others == EU_DEBUG_RUN;

	for (unsigned i = 0; quiet && i < EU_DEBUG_THREADS; i++)
		quiet = !world.threads[i] ||
			(world.threads[i]->action == EU_DEBUG_RUN && world.threads[i]->is_known);
	atomic_store(&world.quiet, quiet);
}

void eu_debug_stop(struct eu_debug_thread *t, int signal, const char *what)
{
	/* A lane that executes, unless the user has chosen one that does too. */
	if (t && t->thread->act.bits && !(t->thread->act.bits >> t->lane & 1))
		t->lane = (unsigned)__builtin_ctz(t->thread->act.bits);
	world.state = EU_DEBUG_STOPPED;
	world.interrupted = false;
	world.stop.thread = t ? t->id : EU_DEBUG_DEVICE;
	world.stop.signal = signal;
	strncpy(world.stop.what, what, sizeof world.stop.what - 1);
	look();
	wake_stub();
}

void eu_debug_resume(void)
{
	world.state = EU_DEBUG_RUNNING;
	for (unsigned i = 0; i < EU_DEBUG_THREADS; i++) {
		struct eu_debug_thread *t = world.threads[i];
		if (!t)
			continue;
		t->has_stepped = !t->is_before;
		t->is_before = false;
	}
	look();
	pthread_cond_broadcast(&world.changed);
}

void eu_debug_release(void)
{
	world.point_count = world.watch_count = 0;
	world.interrupted = false;
	world.others = EU_DEBUG_RUN;
	for (unsigned i = 0; i < EU_DEBUG_THREADS; i++)
		if (world.threads[i])
			world.threads[i]->action = EU_DEBUG_RUN;
	eu_debug_resume();
}

/* NULL: it is not there. */
static struct eu_debug_point *find_point(char kind, uint64_t address, uint64_t bytes)
{
	for (unsigned i = 0; i < world.point_count; i++) {
		struct eu_debug_point *point = &world.points[i];
		if (point->kind == kind && point->address == address && point->bytes == bytes)
			return point;
	}
	return NULL;
}

static void drop_point(struct eu_debug_point *point)
{
	world.watch_count -= point->kind >= '2';
	*point = world.points[--world.point_count];
}

bool eu_debug_point_add(char kind, uint64_t address, uint64_t bytes)
{
	if (find_point(kind, address, bytes))
		return true;
	if (world.point_count == EU_DEBUG_POINTS)
		return false;
	world.points[world.point_count++] = (struct eu_debug_point){ kind, address, bytes };
	world.watch_count += kind >= '2';
	return true;
}

void eu_debug_point_remove(char kind, uint64_t address, uint64_t bytes)
{
	struct eu_debug_point *point = find_point(kind, address, bytes);

	if (point)
		drop_point(point);
}

void eu_debug_points_forget(uint64_t first, uint64_t end)
{
	for (unsigned i = world.point_count; i-- > 0;)
		if (world.points[i].kind < '2' && world.points[i].address >= first &&
			world.points[i].address < end)
			drop_point(&world.points[i]);
}

static bool has_breakpoint(uint64_t address)
{
	for (unsigned i = 0; i < world.point_count; i++)
		if (world.points[i].kind < '2' && world.points[i].address == address)
			return true;
	return false;
}

/* What a watchpoint has seen of the instruction before. */
static bool stop_for_watch(struct eu_debug_thread *t)
{
	static const char *const names[] = { "watch", "rwatch", "awatch" };
	char what[64];
	char kind = t->hit.kind;
	uint64_t now = 0;

	t->hit.kind = 0;
	if (!kind)
		return false;
	eu_debug_peek(t->thread, t->hit.address, &now, sizeof now);
	if (kind == '2' && now == t->hit.before)
		return false;
	t->lane = t->hit.channel;
	eu_debug_format(
		&world.console, "Lane %u of thread %llu.\n", t->lane, (unsigned long long)t->id);
	snprintf(what, sizeof what, "%s:%llx;", names[kind - '2'],
		(unsigned long long)t->hit.address);
	eu_debug_stop(t, EU_DEBUG_SIGTRAP, what);
	return true;
}

/*
 * Whether there is a reason to stop before the instruction, which then is done. A breakpoint is one
 * once, as *told notes: GDB goes on from those that it has forgotten with the code that was there.
 */
static bool stop_for(struct eu_debug_thread *t, bool *told)
{
	uint64_t address = address_of(t, t->inst);

	if (stop_for_watch(t))
		return true;
	if (world.interrupted) {
		eu_debug_stop(t, EU_DEBUG_SIGINT, "");
		return true;
	}
	if (!*told && t->action != EU_DEBUG_HOLD && has_breakpoint(address)) {
		*told = true;
		eu_debug_stop(t, EU_DEBUG_SIGTRAP, "swbreak:;");
		return true;
	}
	if (t->action == EU_DEBUG_STEP && t->has_stepped &&
		!(address >= t->first && address < t->end)) {
		eu_debug_stop(t, EU_DEBUG_SIGTRAP, "");
		return true;
	}
	return false;
}

/* Stands where it is until GDB lets it go on. */
static void stand(struct eu_debug_thread *t)
{
	const atomic_int *stop = t->thread->worker->stop;

	t->is_before = true;
	while (world.state == EU_DEBUG_STOPPED && !(stop && atomic_load(stop)))
		wait_for_change();
}

void eu_debug_step(struct eu_thread *thread, uint32_t inst)
{
	if (atomic_load_explicit(&world.quiet, memory_order_relaxed))
		return;
	pthread_mutex_lock(&world.lock);
	struct eu_debug_thread *t = world.is_off ? NULL : of(thread);
	bool stopped = t && thread->worker->stop && atomic_load(thread->worker->stop);
	bool told = false;
	if (!t || stopped) {
		pthread_mutex_unlock(&world.lock);
		return;
	}
	t->inst = inst;
	t->is_before = true;
	if (!t->is_known) { /* the rest of its group is to begin */
		t->is_known = thread->held = true;
		look();
		pthread_mutex_unlock(&world.lock);
		return;
	}
	if (!world.attached && world.state == EU_DEBUG_RUNNING)
		eu_debug_stop(t, EU_DEBUG_SIGTRAP, "");
	do
		stand(t);
	while (stop_for(t, &told));
	thread->held = t->action == EU_DEBUG_HOLD;
	t->is_before = thread->held;
	t->has_stepped = !thread->held;
	pthread_mutex_unlock(&world.lock);
}

bool eu_debug_watches(void)
{
	return world.watch_count > 0;
}

void eu_debug_touch(
	struct eu_thread *thread, uint64_t address, unsigned bytes, bool writes, unsigned channel)
{
	pthread_mutex_lock(&world.lock);
	struct eu_debug_thread *t = of(thread);
	for (unsigned i = 0; t && !t->hit.kind && i < world.point_count; i++) {
		const struct eu_debug_point *point = &world.points[i];
		if (point->kind < '2' || (point->kind == '2' && !writes) ||
			(point->kind == '3' && writes) ||
			address >= point->address + point->bytes ||
			point->address >= address + bytes)
			continue;
		t->hit.kind = point->kind;
		t->hit.address = point->address;
		t->hit.channel = channel;
		t->hit.before = 0;
		eu_debug_peek(thread, point->address, &t->hit.before, sizeof t->hit.before);
	}
	pthread_mutex_unlock(&world.lock);
}

/* Stops before an instruction whose eu_debug_step has returned. */
static void stop_in_place(
	const struct eu_thread *thread, uint32_t inst, const char *text, int signal)
{
	pthread_mutex_lock(&world.lock);
	struct eu_debug_thread *t = of(thread);
	if (t && world.is_connected && !world.is_off) {
		t->inst = inst < thread->kernel->program->count ? inst : t->inst;
		eu_debug_put(&world.console, text, strlen(text));
		eu_debug_stop(t, signal, "");
		stand(t);
		t->thread->held = t->action == EU_DEBUG_HOLD && signal == EU_DEBUG_SIGTRAP;
		t->is_before = t->thread->held;
	}
	pthread_mutex_unlock(&world.lock);
}

void eu_debug_fault(struct eu_thread *thread)
{
	char text[2048];

	const struct gen_fault *fault = thread->worker->fault;
	gen_fault_text(fault, text, sizeof text);
	stop_in_place(thread, fault->place.has_instruction ? fault->place.instruction : 0, text,
		EU_DEBUG_SIGSEGV);
}

void eu_debug_found(const struct eu_thread *thread, uint32_t inst, const char *text)
{
	char line[512];

	snprintf(line, sizeof line, "%s\n", text);
	stop_in_place(thread, inst, line, EU_DEBUG_SIGTRAP);
}

void eu_debug_interrupt(void)
{
	if (world.state == EU_DEBUG_STOPPED)
		return;
	world.interrupted = true;
	if (!world.count)
		eu_debug_stop(NULL, EU_DEBUG_SIGINT, "");
	look();
}
