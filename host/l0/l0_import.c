// SPDX-License-Identifier: MIT
#include "l0/l0_import.h"
#include "l0/l0_private.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

struct import {
	struct import *next;
	const struct l0_context *context;
	dev_t file_system; /* of the dma_buf; with … */
	ino_t inode;
	void *address;
	int fd; /* our own: the driver may remember its number */
	unsigned refs;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct import *imports; /* under lock */

/* Stores what identifies the dma_buf, and checks that it has so many bytes. */
static cl_int identify(int fd, size_t size, struct stat *status)
{
	struct statfs system;
	off_t end = lseek(fd, 0, SEEK_END);

	if (end < 0 || fstat(fd, status) || fstatfs(fd, &system))
		return CL_INVALID_PROPERTY;
	/* before Linux 5.3 all had one inode */
	if (system.f_type == ANON_INODE_FS_MAGIC)
		return CL_OUT_OF_RESOURCES;
	if (size > (size_t)end)
		return CL_INVALID_BUFFER_SIZE;
	status->st_size = end;
	return CL_SUCCESS;
}

static struct import *find(const struct l0_device *device, const struct stat *status)
{
	struct import *import = imports;

	while (import && !(import->context->device == device && import->inode == status->st_ino &&
				 import->file_system == status->st_dev))
		import = import->next;
	return import;
}

static cl_int make(struct l0_context *context, int fd, const struct stat *status, void **out)
{
	ze_external_memory_import_fd_t desc = {
		.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD,
		.flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF,
		.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0),
	};
	ze_device_mem_alloc_desc_t device = { .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
		.pNext = &desc };
	struct import *import = malloc(sizeof(*import));
	cl_int rc = CL_OUT_OF_HOST_MEMORY;

	if (!import || desc.fd < 0)
		goto fail;
	rc = L0_CALL(zeMemAllocDevice, context->ze, &device, (size_t)status->st_size, 0,
		context->device->ze, out);
	if (rc && rc != CL_OUT_OF_HOST_MEMORY && rc != CL_OUT_OF_RESOURCES)
		rc = CL_INVALID_PROPERTY;
	if (rc)
		goto fail;
	*import = (struct import){ imports, context, status->st_dev, status->st_ino, *out, desc.fd,
		1 };
	imports = import;
	return CL_SUCCESS;
fail:
	if (desc.fd >= 0)
		close(desc.fd);
	free(import);
	return rc;
}

cl_int l0_import(struct l0_context *context, int fd, size_t size, void **out)
{
	struct stat status;
	cl_int rc = identify(fd, size, &status);

	if (rc)
		return rc;
	pthread_mutex_lock(&lock);
	struct import *import = find(context->device, &status);
	if (!import) {
		rc = make(context, fd, &status, out);
	} else if (import->context == context) {
		import->refs++;
		*out = import->address;
	} else {
		rc = CL_OUT_OF_RESOURCES;
	}
	pthread_mutex_unlock(&lock);
	return rc;
}

void l0_import_free(struct l0_context *context, void *address)
{
	struct import **link = &imports;

	pthread_mutex_lock(&lock);
	while (*link && ((*link)->context != context || (*link)->address != address))
		link = &(*link)->next;
	struct import *import = *link;
	if (import && !--import->refs) {
		*link = import->next;
		(void)L0_CALL(zeMemFree, context->ze, address);
		close(import->fd);
		free(import);
	}
	pthread_mutex_unlock(&lock);
}
