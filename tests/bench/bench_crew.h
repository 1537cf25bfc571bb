// SPDX-License-Identifier: MIT
#ifndef BENCH_CREW_H
#define BENCH_CREW_H

/*
 * Has n threads call work(0) … work(n - 1) at the same time, some times over, and prints medians of
 * what passes from the start until the last is done, and of what all of them compute, divided by
 * `per`.
 */
void bench_crew(const char *row, void (*work)(int), int n, int per);

#endif
