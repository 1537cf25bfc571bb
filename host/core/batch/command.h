// SPDX-License-Identifier: MIT
#ifndef COMMAND_H
#define COMMAND_H

#include "core/memory/box.h"
#include "core/memory/image_format.h"
#include "core/kernel/kernel.h"
#include "core/memory/mem.h"
#include "core/kernel/ndrange.h"

/* What a clEnqueue* asks for: the description of a command that queue_submit gets. */

#define COMMAND_MAX_PATTERN 128

struct command_fill {
	char *to;
	size_t size;
	size_t pattern_size;
	unsigned char pattern[COMMAND_MAX_PATTERN];
};

enum command_image_op {
	COMMAND_IMAGE_READ,  /* `image` to `memory` */
	COMMAND_IMAGE_WRITE, /* `memory` to `image` */
	COMMAND_IMAGE_COPY,  /* `image` to `to` */
	COMMAND_IMAGE_FILL   /* `pixel` to `image` */
};

/* What is done with pixels that only the device reaches; a fill also with those of buffers. */
struct command_image {
	enum command_image_op op;
	struct image *image, *to; /* of objects in command->mems */
	size_t origin[3], to_origin[3], region[3];
	struct box memory; /* of a FILL: the pixels of an image of a buffer */
	bool is_host;	   /* the memory is the application's */
	unsigned char pixel[IMAGE_FORMAT_MAX_SIZE];
};

struct command_launch {
	struct kernel *kernel;
	struct ndrange range;
	bool is_chosen;		 /* its group size was left to the runtime */
	struct kernel_arg *args; /* a snapshot; NULL: the kernel's own, as they are now */
};

enum command_kind {
	COMMAND_NOTHING, /* markers, barriers, migrations, zero-sized work: a place in the queue */
	COMMAND_COPY,
	COMMAND_FILL,
	COMMAND_IMAGE,
	COMMAND_LAUNCH,
	COMMAND_REPLAY
};

/* Who may do a copy or a fill. */
enum command_where {
	COMMAND_ANYWHERE,
	COMMAND_ON_DEVICE, /* the host does not reach all of the memory */
	COMMAND_ON_HOST	   /* the device does not */
};

#define COMMAND_MAX_MEMS 2

struct command {
	enum command_kind kind;
	cl_command_type type; /* what CL_EVENT_COMMAND_TYPE says */
	bool blocking;
	enum command_where where;
	/* Objects that must live until the command is done (a launch adds its arguments'). */
	struct mem *mems[COMMAND_MAX_MEMS];
	/* What a map makes the host's, or (size 0) an unmap takes from it; NULL: nothing. */
	struct {
		char *address; /* of the device */
		size_t size;
		bool writes;
	} map;
	union {
		struct box_copy copy;
		struct command_fill fill;
		struct command_image image;
		struct command_launch launch;
		struct recording *recording; /* REPLAY: of a command buffer */
	};
};

/* Copies *command to the heap so that it can wait: its own references, arguments as they are now.
 */
cl_int command_keep(const struct command *command, struct command **out);
/* Gives back what command_keep made. NULL is allowed. */
void command_drop(struct command *command);

/* Whether kernels of it print into a buffer of their batch, on the context's device at `place`. */
bool command_prints(const struct command *command, unsigned place);

/* Fills with the processor. */
void command_fill_run(const struct command_fill *fill);

#endif
