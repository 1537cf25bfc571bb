// SPDX-License-Identifier: MIT
#ifndef CORPUS_ROWS_H
#define CORPUS_ROWS_H

/*
 * Notes that a built-in of OpenCL C was run for a type ("half", "int4"; "-" if it has none), in a
 * way ("simd8", "cl-opt-disable", "vector" …), and that its results were right: a line of the file
 * that ZEROCL_CORPUS_ROWS names, if it is set. eu_builtins compares them with corpus/builtins.txt.
 * Of `builtin` what stands before "__" counts: there may be several tests of one.
 */
void corpus_row(const char *builtin, const char *type, const char *way);

#endif
