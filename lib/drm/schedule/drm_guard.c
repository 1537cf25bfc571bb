// SPDX-License-Identifier: MIT
#include "drm/schedule/drm_guard.h"

#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "drm/memory/drm_raw.h"
#include "util/util_thread.h"

/* Read by signal handlers, without a lock. */
static _Atomic(struct drm_guard *) guards[64];
static atomic_int readers;
static const int signals[] = { SIGSEGV, SIGBUS };
static struct sigaction previous[2]; /* of signals[] */

static const struct sigaction *previous_of(int signal)
{
	return &previous[signal == SIGBUS];
}

static bool has_handler(const struct sigaction *action)
{
	return action->sa_flags & SA_SIGINFO ||
	       (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* Puts an empty page in the place of one that is gone. */
static bool replace_page(int signal, uintptr_t address)
{
	void *page = (void *)(address & ~(uintptr_t)(DRM_PAGE - 1));
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	intptr_t mapped;

	flags |= signal == SIGBUS ? MAP_FIXED : MAP_FIXED_NOREPLACE;
	mapped = drm_raw_mmap(page, DRM_PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (mapped == -EEXIST) /* protected */
		return !has_handler(previous_of(signal)) &&
		       drm_raw_mprotect(page, DRM_PAGE, PROT_READ | PROT_WRITE) == 0;
	return mapped == (intptr_t)page;
}

static bool find_gpu_address(
	const struct drm_vm_snapshot *space, uintptr_t address, uint64_t *gpu_address)
{
	for (size_t i = 0; i < space->count; i++) {
		const struct drm_binding *binding = &space->bindings[i];
		uint64_t offset = address - (uintptr_t)binding->bo->host;
		if (offset < binding->bo->size) {
			*gpu_address = binding->first + (offset & ~(uint64_t)(DRM_PAGE - 1));
			return true;
		}
	}
	return false;
}

/* Returns whether the access can go on: the address is memory of a batch. */
static bool recover(int signal, uintptr_t address)
{
	bool recovered = false;

	atomic_fetch_add(&readers, 1);
	for (size_t i = 0; i < sizeof(guards) / sizeof(*guards); i++) {
		struct drm_guard *guard = atomic_load(&guards[i]);
		uint64_t gpu_address;
		if (!guard || !find_gpu_address(guard->space, address, &gpu_address))
			continue;
		if (!recovered && !replace_page(signal, address))
			break;
		recovered = true;
		if (!atomic_exchange(&guard->lost, signal))
			guard->lost_address = gpu_address;
		atomic_store(guard->stop, 1);
	}
	atomic_fetch_sub(&readers, 1);
	return recovered;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
	const struct sigaction *next = previous_of(signal);
	int saved = errno;
	bool recovered = util_thread_is_device() && info->si_code > 0 &&
			 recover(signal, (uintptr_t)info->si_addr);

	errno = saved;
	if (recovered)
		return;
	if (!has_handler(next)) /* the access is repeated and ends the process */
		sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	else if (next->sa_flags & SA_SIGINFO)
		next->sa_sigaction(signal, info, context);
	else
		next->sa_handler(signal);
}

static pthread_mutex_t install_lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(install_lock, 1)

/* A handler that the application has set since the last time comes first, and stays. */
static void install(void)
{
	static bool installed[2]; /* under install_lock */
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct sigaction present;

	action.sa_sigaction = on_signal;
	sigemptyset(&action.sa_mask);
	pthread_mutex_lock(&install_lock);
	for (unsigned i = 0; i < 2; i++) {
		if (sigaction(signals[i], NULL, &present) || present.sa_sigaction == on_signal ||
			(installed[i] && has_handler(&present)))
			continue;
		previous[i] = present;
		installed[i] = sigaction(signals[i], &action, NULL) == 0;
	}
	pthread_mutex_unlock(&install_lock);
}

void drm_guard_begin(struct drm_guard *guard)
{
	struct drm_guard *none = NULL;

	install();
	for (size_t i = 0; i < sizeof(guards) / sizeof(*guards); i++, none = NULL) {
		if (atomic_compare_exchange_strong(&guards[i], &none, guard))
			break;
	}
}

void drm_guard_end(struct drm_guard *guard)
{
	for (size_t i = 0; i < sizeof(guards) / sizeof(*guards); i++) {
		struct drm_guard *same = guard;
		if (atomic_compare_exchange_strong(&guards[i], &same, NULL))
			break;
	}
	while (atomic_load(&readers))
		sched_yield();
}

bool drm_guard_fault(const struct drm_guard *guard, struct gen_fault *fault)
{
	int signal = atomic_load(&guard->lost);

	if (!signal)
		return false;
	memset(fault, 0, sizeof(*fault));
	fault->address = guard->lost_address;
	gen_fault_add(fault, GEN_FAULT_PAGE,
		"0x%012" PRIx64 ": the host memory of this page was %s while the device used it",
		fault->address, signal == SIGBUS ? "taken away" : "unmapped or protected");
	return true;
}
