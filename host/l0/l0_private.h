// SPDX-License-Identifier: MIT
#ifndef L0_PRIVATE_H
#define L0_PRIVATE_H

/* Private to host/l0: what its files know of each other's objects. */

#include "l0/l0_choose.h"
#include "l0/l0_event.h"
#include "l0/l0_list.h"
#include "l0/l0_loader.h"
#include "l0/l0_module.h"

#include <pthread.h>
#include <stdatomic.h>

#define L0_MAX_DRIVERS 16
#define L0_MAX_DEVICES 64 /* of one driver */

struct l0_device {
	struct l0_device *next;	 /* as Level Zero lists them */
	struct l0_device *tiles; /* a list; NULL: it is not made of such */
	ze_driver_handle_t driver;
	ze_device_handle_t ze;
	uint32_t ordinal; /* of the compute queue group */
	bool is_virtual;
	struct l0_vgpu vgpu;
	struct l0_device_info info;

	atomic_uint losses;
	atomic_bool taking; /* a fault report is being taken */
	atomic_uint told;   /* l0_losses_told when the status of a real GPU was asked last … */
	_Atomic uint64_t asked; /* … at this time */
	atomic_bool is_gone;	/* the answer */
	pthread_mutex_t lock;
	char loss_report[8192]; /* under lock */
};

#define L0_MAX_IDLE_LISTS 64
#define L0_SLAB_CLASSES	  6 /* sizes of pieces: 128 bytes, twice as much each time, to 4096 */

struct l0_event_pool;
struct l0_slab;

/* Free events, to which those that were drawn from it return: one for each queue. */
struct l0_event_stock {
	struct l0_context *context;
	struct l0_event_stock *next; /* of the context's idle ones */
	pthread_mutex_t lock;
	struct l0_event *free_events[2]; /* under lock; not timed, timed */
};

struct l0_context {
	struct l0_device *device;
	ze_context_handle_t ze;
	struct l0_context *owner; /* of `ze`, if that is another context's; else NULL */
	bool is_shared;		  /* several contexts have `ze` */
	bool is_mapped;		  /* their host memory is the process's: see l0_memory.c */

	pthread_mutex_t lock;
	struct l0_event_pool *pools; /* under lock */
	struct l0_event_stock *idle; /* under lock; of queues that are gone */

	ze_command_list_handle_t idle_lists[L0_MAX_IDLE_LISTS]; /* under lock; open and empty */
	unsigned n_idle_lists;

	pthread_mutex_t slab_lock;
	struct l0_slab *slabs[L0_SLAB_CLASSES]; /* under slab_lock; with free pieces */
};

struct l0_module {
	struct l0_context *context;
	ze_module_handle_t ze;
	uint64_t *named; /* addresses of code that the virtual device was told of */
	size_t n_named;
};

struct l0_kernel {
	struct l0_device *device;
	ze_kernel_handle_t ze;
	struct l0_kernel_info info;
	size_t group_size[3];	 /* as last set */
	size_t offset[3];	 /* as last set */
	size_t suggested_for[3]; /* the global size … */
	uint32_t suggested[3];	 /* … and what was suggested for it */
};

struct l0_event {
	struct l0_event_stock *stock;
	ze_event_handle_t ze;
	atomic_uint refs;
	bool timed;
	struct l0_event *next; /* in free_events */
};

/* Whether host memory in the context shall be the process's, see l0_memory.c. */
bool l0_memory_maps(struct l0_context *context);

/* Where the next command is appended. */
ze_command_list_handle_t l0_list_target(struct l0_list *list);

/* Frees all slabs; no piece may be in use. */
void l0_slabs_destroy(struct l0_context *context);

/* Frees what lists left behind for others. */
void l0_idle_lists_destroy(struct l0_context *context);

/* Frees all pools and idle stocks; no event may be in use. */
void l0_event_pools_destroy(struct l0_context *context);

/* One that no queue has; NULL when memory is short. */
struct l0_event_stock *l0_event_stock_take(struct l0_context *context);
/* It may still have events outside. NULL is allowed. */
void l0_event_stock_leave(struct l0_event_stock *stock);
cl_int l0_event_draw(struct l0_event_stock *stock, bool timed, struct l0_event **out);

/*
 * Finds the Intel GPUs of all drivers and fills their info. Returns a list, for l0_devices_free;
 * NULL if there is none, and then `why` is a sentence.
 */
struct l0_device *l0_devices_find(char *why, size_t size);
void l0_devices_free(struct l0_device *list);

/* Fills device->info; the handles are set. */
cl_int l0_device_gather(struct l0_device *device);

/* Records that the device was lost, if `losses` is still the count. */
void l0_device_lost(struct l0_device *device, unsigned losses, const char *report);

#endif
