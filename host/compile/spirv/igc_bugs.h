// SPDX-License-Identifier: MIT
#ifndef IGC_BUGS_H
#define IGC_BUGS_H

#include "compile/spirv/spirv_module.h"

/*
 * Modules for which IGC (1.0.12504, and maybe others) makes wrong code, or that clang's translator
 * to SPIR-V makes wrong, are changed so that the code is right:
 *
 *     A function that is not inlined gets a structure by value as a pointer to the caller's, not
 *     to a copy: what it changes, the caller sees. It makes the copy itself then.
 *
 *     get_local_size(i) and all the like give anything for an i beyond 2, constant or not: they
 *     give 1 for sizes then and 0 for others, as they should (section 6.15.1).
 *
 *     A conversion whose result an OpPhi names before it is made, as those in loops are, has lost
 *     its saturation or its rounding mode: they decorate an id that is not there. It gets them
 *     back.
 *
 *     All votes of a work-group are in one place of local memory, and the last work-item may still
 *     read it when the first one is in the next function that has a place there. A barrier follows
 *     each vote.
 *
 *     With -cl-opt-disable, a function that several kernels reach is made once, for sub-groups of
 *     8 and without room on the stack. It gets a name for which the compiler inlines it.
 *
 * What it does to pow is in spirv_lower.h.
 */

/*
 * Changes the module if there is something to change: *is_changed. Returns COMPILE_OK,
 * COMPILE_ERROR (no ids are left) or COMPILE_NO_MEMORY.
 */
enum compile_status igc_bugs_mend(struct spirv_module *module, bool is_optimised, bool *is_changed);

#endif
