// SPDX-License-Identifier: MIT
#include "i915/i915_folder.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "i915/i915_path.h"
#include "i915/i915_tree.h"

struct folder {
	struct folder *next;
	const struct i915_node *node;
	unsigned dots; /* entries "." and ".." given so far */
	size_t position;
	struct dirent entry;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct folder *folders; /* open ones, under lock */

int i915_folder_open(const char *path, DIR **out)
{
	const struct i915_node *node;
	struct folder *folder;
	int error = 0;

	switch (i915_tree_find(path, true, &node, &error, NULL)) {
	case I915_ELSEWHERE:
		return I915_PASS;
	case I915_ABSENT:
		return error;
	default:
		break;
	}
	if (node->kind != I915_NODE_DIRECTORY)
		return -ENOTDIR;
	folder = calloc(1, sizeof *folder);
	if (!folder)
		return -ENOMEM;
	folder->node = node;
	pthread_mutex_lock(&lock);
	folder->next = folders;
	folders = folder;
	pthread_mutex_unlock(&lock);
	*out = (DIR *)(void *)folder;
	return 0;
}

/* The link that points to the stream's folder, NULL when it is not ours. With the lock held. */
static struct folder **locate(DIR *stream)
{
	for (struct folder **link = &folders; *link; link = &(*link)->next) {
		if ((void *)*link == (void *)stream)
			return link;
	}
	return NULL;
}

int i915_folder_read(DIR *stream, struct dirent **entry)
{
	static const unsigned char types[] = {
		[I915_NODE_DIRECTORY] = DT_DIR,
		[I915_NODE_FILE] = DT_REG,
		[I915_NODE_LINK] = DT_LNK,
		[I915_NODE_DEVICE] = DT_CHR,
	};
	const struct i915_node *child = NULL;
	const char *name = NULL;
	struct folder **link;
	struct folder *folder;

	pthread_mutex_lock(&lock);
	link = locate(stream);
	folder = link ? *link : NULL;
	pthread_mutex_unlock(&lock);
	if (!folder)
		return 0;
	*entry = NULL;
	if (folder->dots < 2)
		name = &".."[1 - folder->dots++];
	else
		child = i915_tree_next(folder->node, &folder->position, &name);
	if (!name)
		return 1;
	folder->entry.d_ino = folder->position + 1;
	folder->entry.d_reclen = sizeof folder->entry;
	folder->entry.d_type = child ? types[child->kind] : DT_DIR;
	snprintf(folder->entry.d_name, sizeof folder->entry.d_name, "%s", name);
	*entry = &folder->entry;
	return 1;
}

int i915_folder_close(DIR *stream)
{
	struct folder **link;
	struct folder *folder = NULL;

	pthread_mutex_lock(&lock);
	link = locate(stream);
	if (link) {
		folder = *link;
		*link = folder->next;
	}
	pthread_mutex_unlock(&lock);
	free(folder);
	return folder != NULL;
}
