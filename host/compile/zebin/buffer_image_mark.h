// SPDX-License-Identifier: MIT
#ifndef BUFFER_IMAGE_MARK_H
#define BUFFER_IMAGE_MARK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Native code of a module that lower_buffer_image made is marked: the major version that its
 * notes name, 1 to this day, is more by 4. Intel's driver, given it as a program's binary, then
 * builds the SPIR-V in it, since its own images of buffers are others; another product would do
 * for 22.43, but not for 26.27. zebin_patch takes the mark off.
 */
bool buffer_image_is_marked(const void *native, size_t size);

/* Sets the mark, or takes it off. False: the code is no zebin that names a version. */
bool buffer_image_mark(void *native, size_t size, bool is_marked);

#endif
