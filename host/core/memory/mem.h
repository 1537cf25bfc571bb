// SPDX-License-Identifier: MIT
#ifndef MEM_H
#define MEM_H

#include "core/device/context.h"
#include "core/device/device_ext.h"
#include "core/base/obj.h"

struct l0_slab;
struct image;
struct image_shadow;
struct mem_destructor;

#define MEM_ACCESS_FLAGS   (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define MEM_HOST_PTR_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)
#define MEM_HOST_ACCESS_FLAGS                                                                      \
	(CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)
/* What forbids the host to read, and to write. */
#define MEM_NO_READ  (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)
#define MEM_NO_WRITE (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_IMMUTABLE_EXT)

/* One live mapping. The same pointer may be mapped several times. */
struct mem_map {
	struct mem_map *next;
	char *pointer; /* what the application got */
	size_t offset; /* into the buffer that was mapped */
	size_t size;
	cl_map_flags flags;
	size_t origin[3], region[3]; /* of an image in pixels, of a buffer bytes in a line */
	size_t stride[2];   /* of an image: bytes from one row, slice or layer to the next */
	struct mem *memory; /* a reference; of the map alone, or NULL */
};

/*
 * A buffer. Its bytes are one allocation that the host and the device see at the same address
 * (shared USM: zero-copy on an integrated device).
 *
 * CL_MEM_USE_HOST_PTR: the application's memory (host_ptr) is a second copy, as the specification
 * allows. It is made current in the mapped region by a map for reading, and carried to `address`
 * by the unmap of a map for writing. Nothing else touches it after creation.
 *
 * If that memory is of clSVMAlloc or the like, it is the buffer itself, and there is no second
 * copy.
 *
 * A sub-buffer shares its parent's bytes; address and host_ptr are already moved by its origin.
 */
struct mem {
	struct obj base;
	/* what a launch looks at comes first, so that it is in few cache lines */
	struct context *context;
	struct image *image; /* NULL: a buffer */
	char *address;	     /* for host and device; never NULL once created */
	struct mem *parent;  /* of a sub-buffer, else NULL */
	cl_mem_object_type type;
	cl_mem_flags flags; /* as CL_MEM_FLAGS reports them: inherited ones included */
	size_t size;
	size_t origin;	      /* of a sub-buffer in its parent */
	char *host_ptr;	      /* of CL_MEM_USE_HOST_PTR, else NULL */
	struct l0_slab *slab; /* of which `address` is a piece; NULL if it is an allocation */
	char *borrowed;	      /* `address`, if that is the application's: host_ptr is NULL then */
	bool is_svm;	      /* borrowed from clSVMAlloc */
	/* NULL, or memory of another API: the device that reaches `address`; the host does not */
	struct device *only;
	bool has_device_address;
	bool is_kept;		       /* by l0_memory_keep */
	cl_mem_properties *properties; /* as given, with the 0 at the end; NULL if none */
	size_t n_properties;

	void (*finish)(struct mem *mem); /* frees what an image has besides; NULL for buffers */
	pthread_mutex_t lock;
	struct mem_map *maps;		    /* under lock */
	cl_uint map_count;		    /* under lock */
	struct image_shadow *shadows;	    /* of linear images of its bytes; under lock */
	struct mem_destructor *destructors; /* under lock; the newest first */
};

OBJ_DEFINE(mem, cl_mem, OBJ_MEM)

/* What images share. An object without bytes, owned by the caller; NULL when out of memory. */
struct mem *mem_new(struct context *context, cl_mem_object_type type, size_t size);
/* CL_INVALID_VALUE for flags that are not allowed or contradict each other. */
cl_int mem_check_flags(cl_mem_flags flags, cl_mem_flags allowed);
/* CL_INVALID_VALUE if the object would be immutable and nothing gave it its contents. */
cl_int mem_check_contents(cl_mem_flags flags, bool has_others);
/* CL_INVALID_OPERATION if the object has one of the flags, which forbid what a command wants. */
cl_int mem_check_access(const struct mem *mem, cl_mem_flags forbidding);
/* CL_INVALID_VALUE for flags that no map has, or the same if the object (NULL: none) forbids it. */
#define MEM_MAP_WRITES ((cl_map_flags)CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)
cl_int mem_check_map(const struct mem *mem, cl_map_flags flags);
/* The flags of an object on its parent's bytes: what is not given comes from the parent … */
cl_mem_flags mem_inherit_flags(cl_mem_flags flags, cl_mem_flags parent);
/* … and whether they grant what the parent's deny. */
bool mem_flags_widen(cl_mem_flags flags, cl_mem_flags parent);

/* clCreateBufferWithProperties, section 5.2.1; properties may be NULL. */
cl_int mem_create_buffer(struct context *context, const cl_mem_properties *properties,
	cl_mem_flags flags, size_t size, void *host_ptr, struct mem **out);

/* clCreateSubBuffer, section 5.2.1. */
cl_int mem_create_sub_buffer(struct mem *parent, cl_mem_flags flags, cl_buffer_create_type type,
	const void *info, struct mem **out);

cl_int mem_info(struct mem *mem, cl_mem_info param, const struct info *info);

cl_int mem_add_destructor(struct mem *mem, void(CL_CALLBACK *call)(cl_mem, void *), void *data);

/*
 * Records a mapping (at the enqueue), whose reference it takes over when it succeeds.
 * CL_INVALID_OPERATION if it is for writing and so is one that overlaps it; CL_OUT_OF_HOST_MEMORY.
 */
cl_int mem_map_record(struct mem *mem, const struct mem_map *map);

/*
 * Takes the newest mapping with that pointer off the record and gives it to *out.
 * CL_INVALID_VALUE when there is none (what clEnqueueUnmapMemObject says then).
 */
cl_int mem_map_take(struct mem *mem, const void *pointer, struct mem_map *out);

#endif
