// SPDX-License-Identifier: MIT
#ifndef EU_WRITES_H
#define EU_WRITES_H

#include <stdint.h>

/*
 * ZEROCL_VGPU_CHECK=writes: of each walker, the last access that writes the byte at that GPU
 * address is a finding, the rule "write". 0: of none. From any thread.
 */
void eu_writes_watch(uint64_t address);

#endif
