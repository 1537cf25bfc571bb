// SPDX-License-Identifier: MIT
#ifndef L0_PROBE_H
#define L0_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether Level Zero lists an Intel GPU that answers. A process can start the driver only once, for
 * the GPUs or for the virtual device, so a child process tries. When it succeeds, that and `gpu`,
 * which describes the GPUs, are noted in $XDG_RUNTIME_DIR, and later processes need not try. `why`
 * gets a sentence if it does not. Private to host/l0.
 */
bool l0_probe(const char *gpu, char *why, size_t size);

/* Notes that what `gpu` describes works; "": that it does not, after all. */
void l0_probe_note(const char *gpu);

/* The same of any function that looks and says why not; a child that hangs or dies says no. */
bool l0_probe_by(bool (*look)(char *why, size_t size), char *why, size_t size);

#endif
