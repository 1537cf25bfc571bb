// SPDX-License-Identifier: MIT
#ifndef TAP_MEMORY_H
#define TAP_MEMORY_H

#include "layer/tap/tap_record.h"

/* Memory of the host that commands read and write: mapped, shared, or a target of reads. */

/* Shared memory. `is_visible`: the host may touch it at any time. */
void tap_shared_add(uint64_t id, uint64_t base, uint64_t size, bool is_visible);
void tap_shared_remove(uint64_t base);
/* The allocation that holds the address: its id, and the offset in it; 0: none. */
uint64_t tap_shared_find(uint64_t address, uint64_t *offset);
/*
 * Writes what has changed in shared memory since it was looked at last: by the host, or, with the
 * number of a call, by the time its command has ended.
 */
void tap_shared_scan(uint32_t number);
/* The same of one allocation that the host maps. */
void tap_shared_scan_one(uint64_t address, uint32_t number);
bool tap_shared_any(void);

/* A mapped address. */
void tap_mapped_add(uint64_t id, uint64_t address, const struct call_box *box, bool is_written);
/* Writes what it holds, if the host may have written there. The id, or 0. */
uint64_t tap_mapped_end(uint64_t address);

/* What is to be done when a command has ended. */
enum tap_wish { TAP_RESULT = 1, TAP_TIMES = 2, TAP_SCAN = 4 };
/* `event` belongs to us then. */
void tap_pending_add(cl_event event, uint32_t number, unsigned wishes, uint64_t address,
	const struct call_box *box);
/* Does what is to be done for commands that have ended. */
void tap_pending_poll(void);
/* Of two commands that write to the same memory, the result of the first is lost. */
void tap_pending_drop(uint64_t address, size_t size);
/* The same as poll, and waits for those that write to that memory of the host. */
void tap_pending_settle(uint64_t address, size_t size);
/* Waits for a command, but not for ever; the lock is left meanwhile. False if it has not ended. */
bool tap_wait(cl_event event);
/* Writes what a command has written to the host. */
void tap_result(uint32_t number, uint64_t address, const struct call_box *box);

size_t tap_pixel(uint64_t image, bool *is_array_1d);

#endif
