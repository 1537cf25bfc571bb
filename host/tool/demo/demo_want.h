// SPDX-License-Identifier: MIT
#ifndef DEMO_WANT_H
#define DEMO_WANT_H

#include "tool/demo/demo_case.h"

/*
 * What the samples must compute, in plain C, from the texts of barrier, sub_group_barrier and
 * cl_intel_subgroups. Each fills team->want for one team; see struct demo_case.
 */
void demo_want_reversed(const struct demo_case *row, struct demo_team *team);
void demo_want_rotated(const struct demo_case *row, struct demo_team *team);
void demo_want_running_sum(const struct demo_case *row, struct demo_team *team);
void demo_want_branch(const struct demo_case *row, struct demo_team *team);
void demo_want_queries(const struct demo_case *row, struct demo_team *team);
void demo_want_enqueued(const struct demo_case *row, struct demo_team *team);
void demo_want_all(const struct demo_case *row, struct demo_team *team);
void demo_want_any(const struct demo_case *row, struct demo_team *team);
void demo_want_broadcast(const struct demo_case *row, struct demo_team *team);
void demo_want_fold(const struct demo_case *row, struct demo_team *team);
void demo_want_shuffle(const struct demo_case *row, struct demo_team *team);
void demo_want_shuffle_down(const struct demo_case *row, struct demo_team *team);
void demo_want_shuffle_up(const struct demo_case *row, struct demo_team *team);
void demo_want_shuffle_xor(const struct demo_case *row, struct demo_team *team);
void demo_want_same(const struct demo_case *row, struct demo_team *team);

#endif
