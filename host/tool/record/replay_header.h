// SPDX-License-Identifier: MIT
#ifndef REPLAY_HEADER_H
#define REPLAY_HEADER_H

#include "tool/record/replay_object.h"

/* Writes the file below a folder of our own. */
void replay_header(struct replay *replay, struct record_entry *entry);
/* Options of a build, with our folders for those of the record. NULL: as they are. */
char *replay_options(struct replay *replay, struct record_memory *memory, const char *options);
void replay_headers_finish(struct replay *replay);

#endif
