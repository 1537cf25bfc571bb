// SPDX-License-Identifier: MIT
#include "tool/machine/machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define VENDOR_INTEL 0x8086

/* A hexadecimal number in a file of sysfs, 0 if it cannot be read. */
static unsigned read_id(const char *sysfs, const char *node, const char *name)
{
	char path[PATH_MAX];
	unsigned id = 0;

	snprintf(path, sizeof(path), "%s/%.64s/device/%s", sysfs, node, name);
	FILE *file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%x", &id) != 1)
			id = 0;
		fclose(file);
	}
	return id;
}

/* The kernel driver of the node's device: i915, xe; "?" if sysfs does not say. */
static const char *kernel_driver(const char *sysfs, const char *node, char path[PATH_MAX])
{
	char link[PATH_MAX];

	snprintf(link, sizeof(link), "%s/%.64s/device/driver", sysfs, node);
	ssize_t length = readlink(link, path, PATH_MAX - 1);
	path[length > 0 ? length : 0] = 0;
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : "?";
}

/* Says who may open the node, and how to become one of them. */
static void print_remedy(FILE *file, const char *path)
{
	struct stat status;

	if (errno != EACCES || stat(path, &status)) {
		fprintf(file, "%s\n", strerror(errno));
		return;
	}
	const struct group *group = getgrgid(status.st_gid);
	const char *name = group ? group->gr_name : "?";
	fprintf(file,
		"permission denied: it belongs to group %s; do `sudo usermod -aG %s $USER` "
		"and log in again\n",
		name, name);
}

/* Whether the node can be opened and is Intel's. */
static unsigned print_node(FILE *file, const char *dri, const char *sysfs, const char *node)
{
	char path[PATH_MAX], link[PATH_MAX];
	unsigned vendor = read_id(sysfs, node, "vendor");
	unsigned device = read_id(sysfs, node, "device");

	snprintf(path, sizeof(path), "%s/%.64s", dri, node);
	fprintf(file, "  %s: %04x:%04x, ", path, vendor, device);
	if (vendor != VENDOR_INTEL) {
		fprintf(file, "not Intel's\n");
		return 0;
	}
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		print_remedy(file, path);
		return 0;
	}
	close(fd);
	fprintf(file, "Intel's, kernel driver %s, can be opened\n",
		kernel_driver(sysfs, node, link));
	return 1;
}

static int is_render_node(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "renderD", 7);
}

unsigned info_dri_print(FILE *file, const char *dri, const char *sysfs)
{
	struct dirent **nodes = NULL;
	int count = scandir(dri, &nodes, is_render_node, alphasort);
	unsigned usable = 0;

	if (count < 0)
		fprintf(file, "  no %s: no GPU driver in the kernel, or a container without it\n",
			dri);
	else if (count == 0)
		fprintf(file, "  no render node in %s\n", dri);
	for (int i = 0; i < count; i++) {
		usable += print_node(file, dri, sysfs, nodes[i]->d_name);
		free(nodes[i]);
	}
	free(nodes);
	return usable;
}
