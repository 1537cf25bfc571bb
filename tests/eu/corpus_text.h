// SPDX-License-Identifier: MIT
#ifndef CORPUS_TEXT_H
#define CORPUS_TEXT_H

/* The text of a program that a test writes, one at a time. */

/* Forgets what was put. */
void corpus_begin(void);

/* Puts some more, as printf does. */
void corpus_put(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Builds it, for the group's device. */
void corpus_build(const char *options);

#endif
