// SPDX-License-Identifier: MIT
#include "door/door_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "door/door_path.h"
#include "drm/memory/drm_raw.h"
#include "util/util_thread.h"

/* An open folder: a stream, or a descriptor that may become one. */
struct folder {
	struct folder *next;
	const struct door_node *node;
	bool stream;
	int fd; /* -1: none */
	ino_t inode;
	unsigned dots; /* entries "." and ".." given so far */
	size_t position;
	struct dirent entry;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)
static struct folder *folders;	/* open ones, under lock */
static atomic_uint descriptors; /* how many of them have one */

static struct folder *create(const struct door_node *node)
{
	struct folder *folder = calloc(1, sizeof(*folder));

	if (!folder)
		return NULL;
	folder->node = node;
	folder->fd = -1;
	pthread_mutex_lock(&lock);
	folder->next = folders;
	folders = folder;
	pthread_mutex_unlock(&lock);
	return folder;
}

/* With the lock held. */
static void destroy(struct folder *folder)
{
	struct folder **link = &folders;

	while (*link != folder)
		link = &(*link)->next;
	*link = folder->next;
	if (folder->fd >= 0)
		atomic_fetch_sub(&descriptors, 1);
	free(folder);
}

int door_folder_open(const char *path, DIR **out)
{
	const struct door_node *node;
	struct folder *folder;
	int error = 0;

	switch (door_tree_find(path, true, &node, &error, NULL)) {
	case DOOR_ELSEWHERE:
		return DOOR_PASS;
	case DOOR_ABSENT:
		return error;
	default:
		break;
	}
	if (node->kind != DOOR_NODE_DIRECTORY)
		return -ENOTDIR;
	folder = create(node);
	if (!folder)
		return -ENOMEM;
	folder->stream = true;
	*out = (DIR *)(void *)folder;
	return 0;
}

/* The folder of the stream, NULL when it is not ours. With the lock held. */
static struct folder *locate(DIR *stream)
{
	struct folder *folder = folders;

	while (folder && (!folder->stream || (void *)folder != (void *)stream))
		folder = folder->next;
	return folder;
}

static struct folder *find(DIR *stream)
{
	struct folder *folder;

	pthread_mutex_lock(&lock);
	folder = locate(stream);
	pthread_mutex_unlock(&lock);
	return folder;
}

bool door_folder_read(DIR *stream, struct dirent **entry)
{
	static const unsigned char types[] = {
		[DOOR_NODE_DIRECTORY] = DT_DIR,
		[DOOR_NODE_FILE] = DT_REG,
		[DOOR_NODE_LINK] = DT_LNK,
		[DOOR_NODE_DEVICE] = DT_CHR,
	};
	const struct door_node *child = NULL;
	const char *name = NULL;
	struct folder *folder = find(stream);

	if (!folder)
		return false;
	*entry = NULL;
	if (folder->dots < 2)
		name = &".."[1 - folder->dots++];
	else
		child = door_tree_next(folder->node, &folder->position, &name);
	if (!name)
		return true;
	folder->entry.d_ino = folder->position + 1;
	folder->entry.d_off = (off_t)(folder->position + folder->dots);
	folder->entry.d_reclen = sizeof(folder->entry);
	folder->entry.d_type = child ? types[child->kind] : DT_DIR;
	snprintf(folder->entry.d_name, sizeof(folder->entry.d_name), "%s", name);
	*entry = &folder->entry;
	return true;
}

bool door_folder_tell(DIR *stream, long *position)
{
	const struct folder *folder = find(stream);

	if (folder)
		*position = (long)(folder->position + folder->dots);
	return folder != NULL;
}

bool door_folder_seek(DIR *stream, long position)
{
	struct folder *folder = find(stream);

	if (folder && position >= 0) {
		folder->dots = position < 2 ? (unsigned)position : 2;
		folder->position = (size_t)position - folder->dots;
	}
	return folder != NULL;
}

bool door_folder_close(DIR *stream)
{
	struct folder *folder;
	int fd = -1;

	pthread_mutex_lock(&lock);
	folder = locate(stream);
	if (folder) {
		fd = folder->fd;
		destroy(folder);
	}
	pthread_mutex_unlock(&lock);
	if (fd >= 0)
		drm_raw_close(fd);
	return folder != NULL;
}

static void set_fd(struct folder *folder, int fd, ino_t inode)
{
	door_folder_forget(fd); /* a number whose last owner closed it behind our back */
	folder->inode = inode;
	folder->fd = fd;
	atomic_fetch_add(&descriptors, 1);
}

/* Gives the folder a descriptor; 0 or a negative errno. */
static int open_fd(struct folder *folder, bool close_on_exec)
{
	struct stat status;
	int fd = drm_raw_memfd("i915-folder");
	int rc = fd < 0 ? fd : drm_raw_fstat(fd, &status);

	if (rc == 0 && !close_on_exec)
		rc = drm_raw_fcntl(fd, F_SETFD, 0);
	if (rc) {
		if (fd >= 0)
			drm_raw_close(fd);
		return rc;
	}
	set_fd(folder, fd, status.st_ino);
	return 0;
}

int door_folder_descriptor(const struct door_node *node, bool close_on_exec)
{
	struct folder *folder = create(node);
	int fd;
	int rc;

	if (!folder)
		return -ENOMEM;
	rc = open_fd(folder, close_on_exec);
	fd = folder->fd;
	if (rc) {
		pthread_mutex_lock(&lock);
		destroy(folder);
		pthread_mutex_unlock(&lock);
	}
	return rc ? rc : fd;
}

/* With the lock held. */
static struct folder *locate_fd(int fd)
{
	struct folder *folder = folders;
	struct stat status;

	while (folder && folder->fd != fd)
		folder = folder->next;
	if (folder && (drm_raw_fstat(fd, &status) || status.st_ino != folder->inode))
		return NULL;
	return folder;
}

const struct door_node *door_folder_of(int fd)
{
	const struct door_node *node = NULL;
	const struct folder *folder;

	if (fd < 0 || !atomic_load_explicit(&descriptors, memory_order_relaxed))
		return NULL;
	pthread_mutex_lock(&lock);
	folder = locate_fd(fd);
	if (folder)
		node = folder->node;
	pthread_mutex_unlock(&lock);
	return node;
}

bool door_folder_duplicate(int old, int fd)
{
	const struct door_node *node = door_folder_of(old);
	struct folder *folder = node ? create(node) : NULL;
	struct stat status;

	if (folder && drm_raw_fstat(fd, &status) == 0)
		set_fd(folder, fd, status.st_ino);
	return folder != NULL;
}

void door_folder_forget(int fd)
{
	struct folder *folder;

	if (fd < 0 || !atomic_load_explicit(&descriptors, memory_order_relaxed))
		return;
	pthread_mutex_lock(&lock);
	for (folder = folders; folder && folder->fd != fd;)
		folder = folder->next;
	if (folder && folder->stream) {
		folder->fd = -1;
		atomic_fetch_sub(&descriptors, 1);
	} else if (folder) {
		destroy(folder);
	}
	pthread_mutex_unlock(&lock);
}

int door_folder_adopt(int fd, DIR **out)
{
	struct folder *folder;

	if (fd < 0 || !atomic_load_explicit(&descriptors, memory_order_relaxed))
		return DOOR_PASS;
	pthread_mutex_lock(&lock);
	folder = locate_fd(fd);
	if (folder)
		folder->stream = true;
	pthread_mutex_unlock(&lock);
	*out = (DIR *)(void *)folder;
	return folder ? 0 : DOOR_PASS;
}

int door_folder_fd(DIR *stream)
{
	struct folder *folder = find(stream);
	int rc = 0;

	if (!folder)
		return DOOR_PASS;
	if (folder->fd < 0)
		rc = open_fd(folder, true);
	return rc ? rc : folder->fd;
}

const char *door_folder_resolve(int fd, const char *path, char room[PATH_MAX])
{
	const struct door_node *node;
	char absolute[PATH_MAX];

	if (path && path[0] == '/')
		return door_tree_leaves(path, room) ? room : path;
	if (fd < 0 || !path || path[0] == '\0')
		return path;
	node = door_folder_of(fd);
	if (!node || snprintf(absolute, PATH_MAX, "%s/%s", node->path, path) >= PATH_MAX)
		return path;
	if (!door_tree_leaves(absolute, room))
		strcpy(room, absolute);
	return room;
}
