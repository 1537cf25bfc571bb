// SPDX-License-Identifier: MIT
#ifndef L0_CHOOSE_H
#define L0_CHOOSE_H

#include "l0/l0_device.h"

struct zerocl_vgpu_code;

/*
 * Decides between a GPU of this machine and the virtual device, before zeInit. Private to host/l0.
 */

/* Functions of the virtual device; zerocl_vgpu.h; all NULL on a real GPU. */
struct l0_vgpu {
	size_t (*take_fault)(unsigned number, char *report, size_t size);
	int (*wait)(unsigned number, uint64_t *seen, uint64_t timeout_ns);
	int (*wants_names)(void);
	int (*name_code)(uint64_t address, size_t size, const struct zerocl_vgpu_code *code);
	void (*forget_code)(uint64_t address);
	int (*name_memory)(uint64_t address, size_t size);
	void (*clear_memory)(uint64_t address);
	void (*write_memory)(uint64_t address, size_t size);
	void (*forget_memory)(uint64_t address);
	void (*own_memory)(uint64_t address);
	uint32_t (*order_command)(
		const char *name, uint32_t chain, const uint32_t *after, size_t n_after);
	void (*see_command)(uint32_t command);
	void (*enter_command)(uint32_t command);
	void (*touch_memory)(uint32_t command, uint64_t address, size_t size, int writes);
};

struct l0_choice {
	bool is_virtual;
	struct l0_vgpu vgpu;
	const char *wanted;
	char gpu[512];	    /* what is under /dev/dri, and what to do about it */
	char virtual_[768]; /* the virtual device's library, "" if it was not loaded */
	char failure[1024]; /* why neither can be used; "" */
};

/*
 * Fills *choice from ZEROCL_DEVICE and the machine, and installs the virtual device if that is what
 * shall compute. False when there is nothing to try.
 */
bool l0_choose(struct l0_choice *choice);

/*
 * Looks for a render node of an Intel GPU below the two roots (normally "/dev/dri" and
 * "/sys/class/drm"): true if one can be opened; `text` says what was found either way.
 */
bool l0_choose_render_node(const char *dev, const char *sys, char *text, size_t size);

#endif
