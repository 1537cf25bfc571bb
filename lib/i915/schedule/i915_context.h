// SPDX-License-Identifier: MIT
#ifndef I915_CONTEXT_H
#define I915_CONTEXT_H

#include "i915/schedule/i915_ring.h"

enum { I915_CONTEXT_ENGINES = 64, I915_NO_ENGINE = 0xff };

/* A hardware context. Everything is under the device's lock. */
struct i915_context {
	struct i915_device *device;
	struct i915_context *next; /* of its file, destroyed ones that still run included */
	struct i915_file *file;	   /* NULL when that was closed */
	unsigned refs;		   /* its id, and rings that hold batches */
	uint32_t id;
	struct i915_vm *vm;
	bool persistent, recoverable, bannable, no_error_capture;
	int32_t priority;
	/* What the number in EXECBUFFER2 stands for: enum i915_engine_id or I915_NO_ENGINE. */
	uint8_t engines[I915_CONTEXT_ENGINES];
	unsigned engine_count;
	bool legacy_engines; /* no map was set: I915_EXEC_RENDER and so on */
	struct i915_ring *rings[I915_CONTEXT_ENGINES];
	bool used; /* has or had a ring: its address space and engines are settled */
};

struct i915_context *i915_context_get(struct i915_context *context);
void i915_context_put(struct i915_context *context);

/* The context of that id, 0 being the file's own; -ENOENT, -ENOMEM. No reference is taken. */
int i915_context_find(struct i915_file *file, uint64_t id, struct i915_context **out);

/* The ring that the engine bits of EXECBUFFER2's flags select; -EINVAL, -ENOMEM. */
int i915_context_ring(struct i915_context *context, uint64_t exec_flags, struct i915_ring **out);

/* Ends all that the file's contexts run and drops them; waits a little for it. */
void i915_context_close_file(struct i915_file *file);

#endif
