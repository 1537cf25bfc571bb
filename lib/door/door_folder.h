// SPDX-License-Identifier: MIT
#ifndef DOOR_FOLDER_H
#define DOOR_FOLDER_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>

#include "door/door_tree.h"

/*
 * Open folders of the virtual tree. A DIR * that door_folder_open gave is one of ours and none that
 * the C library knows; the other functions say so for every DIR * that they are asked about.
 */

/* 0 and *out, DOOR_PASS, or a negative errno. */
int door_folder_open(const char *path, DIR **out);

/* Whether the stream is ours; then *entry is the next entry, NULL at the end. */
bool door_folder_read(DIR *stream, struct dirent **entry);

/* Whether the stream is ours; then *position is where it stands, or where it goes on. */
bool door_folder_tell(DIR *stream, long *position);
bool door_folder_seek(DIR *stream, long position);

/* Whether the stream was ours; it is closed then. */
bool door_folder_close(DIR *stream);

/*
 * Descriptors of folders. They are memory files, so that a system call that is not replaced says
 * -ENOTDIR. Asking about a descriptor costs one load while there are none.
 */

/* A new descriptor of the folder, or a negative errno. */
int door_folder_descriptor(const struct door_node *folder, bool close_on_exec);

/* The folder behind a descriptor, NULL when it is none of ours. */
const struct door_node *door_folder_of(int fd);

/* Notes that `fd` is a new descriptor of what `old` is, if that is a folder; gives whether. */
bool door_folder_duplicate(int old, int fd);

/* Notes that the descriptor was closed. Nothing when it is not ours. */
void door_folder_forget(int fd);

/* fdopendir(3): 0 and *out, which owns the descriptor then; DOOR_PASS, or a negative errno. */
int door_folder_adopt(int fd, DIR **out);

/* dirfd(3) of a stream: its descriptor, which is made when there is none; DOOR_PASS. */
int door_folder_fd(DIR *stream);

/*
 * What `path` means, to the kernel too: itself, or an absolute path in `room` when it is relative
 * to the folder behind `fd`, which is ours, or leads out of the tree.
 */
const char *door_folder_resolve(int fd, const char *path, char room[PATH_MAX]);

#endif
