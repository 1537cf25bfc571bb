// SPDX-License-Identifier: MIT
/*
 * Two handlers for eu-stencil-tool: one that jumps on, and one that calls what follows and comes
 * back, which cannot be a stencil.
 */
struct thread;
extern const void *eu_go_next(struct thread *t) __attribute__((visibility("hidden")));

typedef const void *handler(struct thread *t);

__attribute__((section(".text.jumps"))) static const void *jumps(struct thread *t)
{
	return eu_go_next(t);
}

__attribute__((section(".text.calls"))) static const void *calls(struct thread *t)
{
	return (const char *)eu_go_next(t) + 1;
}

extern handler *const eu_stencil_handlers[2];
handler *const eu_stencil_handlers[2] = { jumps, calls };
