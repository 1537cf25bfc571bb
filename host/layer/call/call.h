// SPDX-License-Identifier: MIT
#ifndef CALL_H
#define CALL_H

#include <ffi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The calls of OpenCL and their parameters, from call.def, which defines kinds and letters. */

enum call_kind { CALL_QUERY, CALL_IGNORED, CALL_UNKNOWN, CALL_STATE, CALL_ENQUEUE, CALL_WAIT };

/* A property whose value is a device: CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, which not all
   headers have. */
enum { CALL_PROPERTY_OF_DEVICE = 0x2078 };

enum { CALL_MOST_PARAMS = 16, CALL_NO_SLOT = 0xffff };

struct call {
	const char *name;
	enum call_kind kind;
	const char *signature;
	uint16_t slot; /* of the dispatch table; CALL_NO_SLOT: an extension */
};

struct call_param {
	char letter;
	char rule; /* of h and o: where their size is */
};

extern const struct call calls[];
extern const unsigned call_count;

/* NULL if no row has that name. */
const struct call *call_find(const char *name);

/* Whether a replay makes this call again. */
bool call_is_recorded(const struct call *call);

/* Whether it makes a command that runs a kernel, or a command buffer. */
bool call_runs_kernels(const struct call *call);

/* Reads the signature; returns the number of parameters. */
unsigned call_params(const struct call *call, struct call_param params[CALL_MOST_PARAMS]);

/* Bits of a parameter or result: 32 or 64; 0 for v. */
unsigned call_bits(char letter);

/* The letter of the handles in an array of that letter; 0: it is of something else. */
char call_element(char letter);

/* The index of the first parameter with that letter, or -1. */
int call_param_find(const struct call *call, char letter);

/*
 * Which bytes of the host a call reads or writes: `depth` slices of `height` rows of `width` bytes,
 * the first of them `offset` bytes behind the pointer.
 */
struct call_box {
	size_t offset, width, height, depth, row, slice;
};

/* Bytes without the gaps between rows; from the pointer to the last byte. SIZE_MAX: too many. */
size_t call_box_packed(const struct call_box *box);
size_t call_box_span(const struct call_box *box);
void call_box_gather(const struct call_box *box, const void *host, void *packed);
void call_box_scatter(const struct call_box *box, void *host, const void *packed);

/* Bytes of a pixel of an image, given by its handle; 0: not known. */
typedef size_t call_pixel(uint64_t image, bool *is_array_1d);

/*
 * The box of parameter `index`, which is h or o. `words` are the arguments, addresses included.
 * False if the arguments are not valid; the call then fails, or reads nothing.
 */
bool call_box_find(const struct call *call, const uint64_t *words, unsigned index,
	call_pixel *pixel, struct call_box *box);

/*
 * The box of what clEnqueueMapBuffer or clEnqueueMapImage has mapped, from the arguments after the
 * call. False if it is not known.
 */
bool call_box_mapped(
	const struct call *call, const uint64_t *words, call_pixel *pixel, struct call_box *box);

/* A call, with arguments as words, through libffi. */
struct call_frame {
	ffi_cif cif;
	ffi_type *types[CALL_MOST_PARAMS];
};

typedef void (*call_function)(void);

/* Describes the call to libffi, in memory that must stay where it is. */
bool call_frame_init(struct call_frame *frame, const struct call *call);
/* Returns the result as a word. */
uint64_t call_invoke(struct call_frame *frame, const struct call *call, call_function function,
	const uint64_t *words);

/* Bytes of a pixel of a format; 0: not known. */
size_t call_pixel_size(uint32_t channel_order, uint32_t channel_type);

#endif
