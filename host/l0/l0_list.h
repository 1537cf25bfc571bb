// SPDX-License-Identifier: MIT
#ifndef L0_LIST_H
#define L0_LIST_H

#include "l0/l0_event.h"
#include "l0/l0_module.h"

/*
 * Command lists and queues. A list is open (being appended to), then submitted, then done; then it
 * is reset and open again. Commands of a list may overlap unless a barrier stands between them;
 * lists of one queue run one after the other. Not thread-safe: the owner serialises.
 */
struct l0_list;
struct l0_queue;

/* A hint: 22.43 has the kernel driver prefer others to a queue of low priority, and that is all. */
enum l0_priority { L0_PRIORITY_NORMAL, L0_PRIORITY_LOW, L0_PRIORITY_HIGH };

cl_int l0_queue_create(
	struct l0_context *context, enum l0_priority priority, struct l0_queue **out);
/* Its lists must be gone. NULL is allowed. */
void l0_queue_destroy(struct l0_queue *queue);
/*
 * Has the driver do what it still has to do for lists that are done: print what their kernels
 * printed. False while a list is not done; then the kernels of those that are must not go yet.
 */
bool l0_queue_settle(struct l0_queue *queue);

/*
 * With one reference, not signalled; `timed` if l0_event_times will be asked for, which costs the
 * device something. From events of the queue's own: it takes no lock that another queue takes.
 * CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY.
 */
cl_int l0_queue_event(struct l0_queue *queue, bool timed, struct l0_event **out);

cl_int l0_list_create(struct l0_queue *queue, struct l0_list **out);
/* It must not be on the device. NULL is allowed. */
void l0_list_destroy(struct l0_list *list);
/*
 * Empties a list that is done, lost or was never submitted, and opens it. When it fails, a lost
 * list has not come back from the device: destroy it.
 */
cl_int l0_list_reset(struct l0_list *list);

/*
 * Has a list that is done, and that neither waited for events nor called a recording, ready to be
 * submitted once more as it is; nothing can be appended. On an error it is as it was.
 */
cl_int l0_list_renew(struct l0_list *list);

/* `signal` may be NULL; it comes when the command is done and its writes are seen by the host. */
cl_int l0_list_launch(struct l0_list *list, struct l0_kernel *kernel, const uint32_t groups[3],
	struct l0_event *signal);
cl_int l0_list_copy(
	struct l0_list *list, void *to, const void *from, size_t size, struct l0_event *signal);
/* All that comes after starts when all that came before is done and its writes are seen. */
cl_int l0_list_barrier(struct l0_list *list, struct l0_event *signal);
/*
 * All that comes after starts when the events are signalled. They are of lists that were submitted
 * under the count `losses` (l0_list_losses): should the device be lost before this list is
 * submitted, its submission fails with CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST. `n` may be 0.
 */
cl_int l0_list_wait(
	struct l0_list *list, uint32_t n, struct l0_event *const *events, unsigned losses);

/* Whether its submission is bound to fail: the device was lost since. */
bool l0_list_is_doomed(const struct l0_list *list);

/* A copy of a box of bytes, rows, slices; pitches in bytes, never 0. */
struct l0_box {
	void *to;
	const void *from;
	uint32_t region[3];
	uint32_t to_row_pitch, to_slice_pitch;
	uint32_t from_row_pitch, from_slice_pitch;
};
cl_int l0_list_copy_box(struct l0_list *list, const struct l0_box *box, struct l0_event *signal);

/*
 * Closes the list for good: it is a recording now, which is never submitted but executed by
 * l0_list_call, by lists of any queue of the context. Level Zero forbids to execute a list that the
 * device may still reference: call it again, or destroy it, only when the list that called it last
 * is done.
 */
cl_int l0_list_seal(struct l0_list *list);
/*
 * All of the recording comes after what was appended before and before what is appended next; a
 * barrier is implied at neither end.
 */
cl_int l0_list_call(struct l0_list *list, const struct l0_list *recorded);

/*
 * Closes the list and gives it to the device, after all lists submitted to the queue before. On an
 * error it is as never submitted; reset it.
 */
cl_int l0_list_submit(struct l0_list *list);

/*
 * Of a submitted list: L0_DONE when everything in it is done and it may be reset, or, if `event` is
 * not NULL, when that event of the list was signalled. Does not block.
 */
enum l0_progress l0_list_status(struct l0_list *list, struct l0_event *event);

/* The device's count of losses when the list was submitted. */
unsigned l0_list_losses(const struct l0_list *list);

/*
 * Waits until the list, or the event in it if `event` is not NULL, is not L0_PENDING; `timeout_ns`
 * at most. Spins for as long as a sleep costs (50 us) if the queue's last waits were about that
 * short, less if they were not, then sleeps: until the virtual device tells that a batch has ended,
 * or, of a GPU or an event, longer and longer, so that it ends an eighth or some tens of
 * microseconds too late at most.
 */
enum l0_progress l0_list_wait_host(
	struct l0_list *list, struct l0_event *event, uint64_t timeout_ns);
/* The same for the list and a thread that is in no hurry: it never spins. */
enum l0_progress l0_list_doze(struct l0_list *list, uint64_t timeout_ns);

#endif
