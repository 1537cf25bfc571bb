// SPDX-License-Identifier: MIT
#include "l0/l0_stack.h"
#include "l0/l0_error.h"
#include "l0/l0_process.h"
#include "l0/l0_private.h"
#include "l0/l0_probe.h"

#include "util/util_bits.h"
#include "util/util_log.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
#define STATUS_NS 100000000

static struct l0_device *devices; /* a list */
static struct l0_choice choice;
static struct l0_report report;
static char failure[2048];
static char driver_path[1024];

static bool is_ours(ze_device_handle_t device)
{
	ze_device_properties_t properties = { .stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES };

	return !L0_CALL(zeDeviceGetProperties, device, &properties) &&
	       properties.type == ZE_DEVICE_TYPE_GPU && properties.vendorId == 0x8086;
}

static struct l0_device **open_devices(struct l0_device **end, ze_driver_handle_t driver,
	const ze_device_handle_t *handles, uint32_t n, char *why, size_t size);

static cl_int find_tiles(struct l0_device *device)
{
	ze_device_handle_t handles[L0_MAX_DEVICES];
	char why[256];
	uint32_t n = 0;

	cl_int rc = L0_CALL(zeDeviceGetSubDevices, device->ze, &n, NULL);
	if (rc || !n)
		return rc;
	n = util_min_u32(n, L0_MAX_DEVICES);
	rc = L0_CALL(zeDeviceGetSubDevices, device->ze, &n, handles);
	if (!rc)
		open_devices(&device->tiles, device->driver, handles, n, why, sizeof why);
	return rc;
}

/* Makes a device of what Level Zero lists; NULL: `why` says why not. */
static struct l0_device *open_device(
	ze_driver_handle_t driver, ze_device_handle_t ze, char *why, size_t size)
{
	struct l0_device *device = calloc(1, sizeof(*device));

	if (!device) {
		snprintf(why, size, "no memory is left");
		return NULL;
	}
	pthread_mutex_init(&device->lock, NULL);
	device->driver = driver;
	device->ze = ze;
	device->is_virtual = choice.is_virtual;
	device->vgpu = choice.vgpu;
	if (!l0_device_gather(device) && !find_tiles(device))
		return device;
	snprintf(why, size, "the device does not answer: %s", l0_error_text());
	util_log(UTIL_LOG_INFO, "l0", "a GPU is left out: %s", why);
	l0_devices_free(device);
	return NULL;
}

/* Appends those that are Intel GPUs where `end` points. Returns where the next belongs. */
static struct l0_device **open_devices(struct l0_device **end, ze_driver_handle_t driver,
	const ze_device_handle_t *handles, uint32_t n, char *why, size_t size)
{
	for (uint32_t i = 0; i < n; i++)
		if (is_ours(handles[i]) && (*end = open_device(driver, handles[i], why, size)))
			end = &(*end)->next;
	return end;
}

/* The same of the devices of a driver. */
static struct l0_device **find_in_driver(
	struct l0_device **end, ze_driver_handle_t driver, char *why, size_t size)
{
	ze_device_handle_t handles[L0_MAX_DEVICES];
	uint32_t n = 0;

	if (L0_CALL(zeDeviceGet, driver, &n, NULL) || !n)
		return end;
	n = util_min_u32(n, L0_MAX_DEVICES);
	if (L0_CALL(zeDeviceGet, driver, &n, handles))
		return end;
	return open_devices(end, driver, handles, n, why, size);
}

struct l0_device *l0_devices_find(char *why, size_t size)
{
	ze_driver_handle_t drivers[L0_MAX_DRIVERS];
	struct l0_device *list = NULL, **end = &list;
	uint32_t n = 0;

	ze_result_t result = l0_ze.zeInit(ZE_INIT_FLAG_GPU_ONLY);
	if (result) {
		snprintf(why, size,
			"zeInit: %s; the driver libze_intel_gpu.so.1 is missing, or does not know "
			"the GPU or its kernel driver",
			l0_result_name(result));
		return NULL;
	}
	snprintf(why, size, "Level Zero has no driver; is libze_intel_gpu.so.1 installed?");
	if (L0_CALL(zeDriverGet, &n, NULL) || !n)
		return NULL;
	n = util_min_u32(n, L0_MAX_DRIVERS);
	if (L0_CALL(zeDriverGet, &n, drivers))
		return NULL;
	snprintf(why, size, "no Level Zero driver has an Intel GPU");
	for (uint32_t i = 0; i < n; i++)
		end = find_in_driver(end, drivers[i], why, size);
	if (list)
		why[0] = '\0';
	return list;
}

void l0_devices_free(struct l0_device *list)
{
	while (list) {
		struct l0_device *next = list->next;

		l0_devices_free(list->tiles);
		pthread_mutex_destroy(&list->lock);
		free(list);
		list = next;
	}
}

/*
 * The driver starts threads; the application's signals are not for them. They get the name that
 * their creator has.
 */
static struct l0_device *find_undisturbed(char *why, size_t size)
{
	char name[16] = "";
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	(void)prctl(PR_GET_NAME, name);
	(void)prctl(PR_SET_NAME, L0_PROCESS_THREAD "driver");
	struct l0_device *list = l0_devices_find(why, size);
	(void)prctl(PR_SET_NAME, name);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return list;
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

static void *nothing(void *data)
{
	return data;
}

/* The driver does not notice that its threads cannot be made, and waits for them. */
static bool threads_can_be_made(void)
{
	pthread_t thread;

	return !pthread_create(&thread, NULL, nothing, NULL) && !pthread_join(thread, NULL);
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
	if (!threads_can_be_made()) {
		*why = "the process can make no thread";
		return false;
	}
	return l0_loader_load(why, &report.loader);
}

static void open_deep(void *data)
{
	(void)data;
	const char *why = failure;

	l0_process_begin();
	report = (struct l0_report){ "", "", driver_path, choice.gpu, choice.virtual_, failure };
	if (prepare(&why)) {
		devices = find_undisturbed(failure, sizeof(failure));
	} else if (why != failure) {
		snprintf(failure, sizeof(failure), "%s", why);
	}
	report.wanted = choice.wanted;
	find_driver_path();
	for (struct l0_device *device = devices; device; device = device->next)
		util_log(UTIL_LOG_INFO, "l0", "device %s", device->info.name);
	if (devices)
		return;
	l0_process_cancel();
	if (choice.gpu[0] && !choice.is_virtual) {
		l0_probe_note("");
		size_t used = strlen(failure);
		snprintf(failure + used, sizeof(failure) - used,
			" (%s; ZEROCL_DEVICE=vgpu asks for the virtual device)", choice.gpu);
	}
	util_log(UTIL_LOG_INFO, "l0", "no device: %s", failure);
}

static void open_once(void)
{
	l0_stack_run(open_deep, NULL);
}

static struct l0_device *find_place(struct l0_device *list, size_t index)
{
	while (list && index--)
		list = list->next;
	return list;
}

struct l0_device *l0_device_open(size_t index)
{
	pthread_once(&once, open_once);
	return find_place(devices, index);
}

struct l0_device *l0_device_tile(const struct l0_device *device, size_t index)
{
	return find_place(device->tiles, index);
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

bool l0_device_has_driver_of(const struct l0_device *device, const struct l0_device *other)
{
	return device->driver == other->driver;
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

/*
 * A driver need not know of its GPU's loss when it is asked, before a call has met it: that call is
 * believed, too, if there is no other device that it may have been for.
 */
static void ask_status(struct l0_device *device)
{
	unsigned told = l0_losses_told(), losses = l0_device_losses(device);
	bool news = atomic_exchange(&device->told, told) != told;
	uint64_t now = l0_host_clock();

	if (!news && now - atomic_load(&device->asked) < STATUS_NS)
		return;
	atomic_store(&device->asked, now);
	bool gone = l0_ze.zeDeviceGetStatus(device->ze) == ZE_RESULT_ERROR_DEVICE_LOST;
	gone |= news && device == devices && !device->next;
	atomic_store(&device->is_gone, gone);
	if (gone)
		l0_device_lost(device, losses, "the kernel driver has reset the GPU");
}

/* The first virtual device is number 2 on the PCI bus. */
static unsigned vgpu_number(const struct l0_device *device)
{
	const uint32_t slot = device->info.has_pci ? device->info.pci_device : 0;

	return slot > 2 ? slot - 2 : 0;
}

bool l0_device_doze(const struct l0_device *device, uint64_t *seen, uint64_t timeout_ns)
{
	return device->vgpu.wait && device->vgpu.wait(vgpu_number(device), seen, timeout_ns);
}

void l0_device_check(struct l0_device *device)
{
	const unsigned number = vgpu_number(device);
	char text[sizeof(device->loss_report)];

	if (!device->vgpu.take_fault) {
		ask_status(device);
		return;
	}
	pthread_mutex_lock(&device->lock);
	/* Once a report is taken, the work that was stopped is finished without having been done:
	 * who sees it finished must see the count raised. */
	atomic_store(&device->taking, true);
	while (device->vgpu.take_fault(number, text, sizeof(text)))
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
