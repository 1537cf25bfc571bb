// SPDX-License-Identifier: MIT
#include "l0/l0_error.h"
#include "l0/l0_life.h"
#include "l0/l0_private.h"

#include "util/util_log.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct l0_device the_device = { .lock = PTHREAD_MUTEX_INITIALIZER };
static struct l0_choice choice;
static struct l0_report report;
static char failure[2048];
static char driver_path[1024];
static bool found;

static bool is_ours(ze_device_handle_t device)
{
	ze_device_properties_t properties = { .stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES };

	return !L0_CALL(zeDeviceGetProperties, device, &properties) &&
	       properties.type == ZE_DEVICE_TYPE_GPU && properties.vendorId == 0x8086;
}

/* The first Intel GPU of one driver. */
static bool find_in_driver(struct l0_device *device, ze_driver_handle_t driver)
{
	uint32_t n = 0;
	bool is_found = false;

	if (L0_CALL(zeDeviceGet, driver, &n, NULL) || !n)
		return false;
	ze_device_handle_t *devices = calloc(n, sizeof(*devices));
	if (devices && !L0_CALL(zeDeviceGet, driver, &n, devices)) {
		for (uint32_t i = 0; i < n && !is_found; i++) {
			device->driver = driver;
			device->ze = devices[i];
			is_found = is_ours(devices[i]);
		}
	}
	free(devices);
	return is_found;
}

bool l0_device_find(struct l0_device *device, char *why, size_t size)
{
	uint32_t n = 0;
	bool is_found = false;

	ze_result_t result = l0_ze.zeInit(ZE_INIT_FLAG_GPU_ONLY);
	if (result) {
		snprintf(why, size, "zeInit: %s; is the driver libze_intel_gpu.so.1 installed?",
			l0_result_name(result));
		return false;
	}
	if (L0_CALL(zeDriverGet, &n, NULL) || !n) {
		snprintf(why, size, "Level Zero has no driver; is libze_intel_gpu.so.1 installed?");
		return false;
	}
	ze_driver_handle_t *drivers = calloc(n, sizeof(*drivers));
	if (drivers && !L0_CALL(zeDriverGet, &n, drivers))
		for (uint32_t i = 0; i < n && !is_found; i++)
			is_found = find_in_driver(device, drivers[i]);
	free(drivers);
	if (!is_found) {
		snprintf(why, size, "no Level Zero driver has an Intel GPU");
		return false;
	}
	if (l0_device_gather(device)) {
		snprintf(why, size, "the device does not answer: %s", l0_error_text());
		return false;
	}
	return true;
}

/* The driver starts threads; the application's signals are not for them. */
static bool find_undisturbed(struct l0_device *device, char *why, size_t size)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	bool is_found = l0_device_find(device, why, size);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return is_found;
}

static void find_driver_path(void)
{
	void *library = dlopen("libze_intel_gpu.so.1", RTLD_LAZY | RTLD_NOLOAD);
	struct link_map *map;

	if (!library)
		return;
	if (!dlinfo(library, RTLD_DI_LINKMAP, &map))
		snprintf(driver_path, sizeof(driver_path), "%s", map->l_name);
	dlclose(library);
}

/* The steps before zeInit. A table that is full already is a test's, and so is the device. */
static bool prepare(const char **why)
{
	if (l0_ze.zeInit) {
		choice.wanted = "auto";
		return true;
	}
	if (!l0_choose(&choice)) {
		*why = choice.failure;
		return false;
	}
	return l0_loader_load(why, &report.loader);
}

static void open_once(void)
{
	const char *why = failure;

	l0_life_begin();
	report = (struct l0_report){ "", "", driver_path, choice.gpu, choice.virtual_, failure };
	if (prepare(&why)) {
		the_device.is_virtual = choice.is_virtual;
		the_device.vgpu = choice.vgpu;
		found = find_undisturbed(&the_device, failure, sizeof(failure));
	} else if (why != failure) {
		snprintf(failure, sizeof(failure), "%s", why);
	}
	report.wanted = choice.wanted;
	find_driver_path();
	if (found) {
		failure[0] = '\0';
		util_log(UTIL_LOG_INFO, "l0", "device %s", the_device.info.name);
		return;
	}
	l0_life_cancel();
	if (choice.gpu[0] && !choice.is_virtual) {
		size_t used = strlen(failure);
		snprintf(failure + used, sizeof(failure) - used,
			" (%s; ZEROCL_DEVICE=vgpu asks for the virtual device)", choice.gpu);
	}
	util_log(UTIL_LOG_INFO, "l0", "no device: %s", failure);
}

struct l0_device *l0_device_open(void)
{
	pthread_once(&once, open_once);
	return found ? &the_device : NULL;
}

const struct l0_report *l0_report(void)
{
	pthread_once(&once, open_once);
	return &report;
}

const struct l0_device_info *l0_device_info(const struct l0_device *device)
{
	return &device->info;
}

bool l0_device_is_virtual(const struct l0_device *device)
{
	return device->is_virtual;
}

uint64_t l0_host_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

cl_int l0_device_clock(struct l0_device *device, uint64_t *host_ns, uint64_t *ticks)
{
	uint64_t driver_clock; /* another clock than ours */
	uint64_t before = l0_host_clock();
	cl_int rc = L0_CALL(zeDeviceGetGlobalTimestamps, device->ze, &driver_clock, ticks);

	*host_ns = before + (l0_host_clock() - before) / 2;
	return rc;
}

/* The count, as it is when no fault is being taken. */
unsigned l0_device_losses(const struct l0_device *device)
{
	struct l0_device *mutable = (struct l0_device *)device;

	if (atomic_load(&device->taking)) {
		pthread_mutex_lock(&mutable->lock);
		pthread_mutex_unlock(&mutable->lock);
	}
	return atomic_load(&device->losses);
}

static void lose(struct l0_device *device, const char *text)
{
	snprintf(device->loss_report, sizeof(device->loss_report), "%s", text);
	atomic_fetch_add(&device->losses, 1);
	util_log(UTIL_LOG_ERROR, "l0", "the device was lost: %s", text);
}

void l0_device_lost(struct l0_device *device, unsigned losses, const char *text)
{
	pthread_mutex_lock(&device->lock);
	if (atomic_load(&device->losses) == losses)
		lose(device, text);
	pthread_mutex_unlock(&device->lock);
}

void l0_device_check(struct l0_device *device)
{
	char text[sizeof(device->loss_report)];

	if (!device->vgpu.take_fault)
		return;
	pthread_mutex_lock(&device->lock);
	/* Once a report is taken, the work that was stopped is finished without having been done:
	 * who sees it finished must see the count raised. */
	atomic_store(&device->taking, true);
	while (device->vgpu.take_fault(text, sizeof(text)))
		lose(device, text);
	atomic_store(&device->taking, false);
	pthread_mutex_unlock(&device->lock);
}

void l0_device_loss_report(struct l0_device *device, char *text, size_t size)
{
	pthread_mutex_lock(&device->lock);
	snprintf(text, size, "%s", device->loss_report);
	pthread_mutex_unlock(&device->lock);
}
