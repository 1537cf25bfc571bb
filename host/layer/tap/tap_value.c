// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "layer/tap/tap_value.h"
#include "layer/tap/tap_memory.h"

static const void *pointer(uint64_t word)
{
	return (const void *)(uintptr_t)word;
}

static uint64_t *numbers(struct tap_call *call, struct record_value *value, size_t n)
{
	value->numbers = record_allocate(&call->memory, n, sizeof *value->numbers);
	value->tag = value->numbers ? RECORD_NUMBERS : RECORD_NULL;
	value->count = value->numbers ? (uint32_t)n : 0;
	return value->numbers;
}

static struct record_content *contents(struct tap_call *call, struct record_value *value, size_t n)
{
	value->contents = record_allocate(&call->memory, n, sizeof *value->contents);
	value->tag = value->contents ? RECORD_CONTENTS : RECORD_NULL;
	value->count = value->contents ? (uint32_t)n : 0;
	return value->contents;
}

static void content(struct tap_call *call, struct record_value *value, const void *bytes, size_t n)
{
	if (contents(call, value, 1))
		tap_content(&call->memory, bytes, n, value->contents);
}

static void handles(struct tap_call *call, struct record_value *value, const uint64_t *array,
	char letter, size_t n)
{
	if (numbers(call, value, n))
		for (size_t i = 0; i < n; i++)
			value->numbers[i] = array[i] ? tap_id(call_element(letter), array[i]) : 0;
}

static void sizes(
	struct tap_call *call, struct record_value *value, const uint64_t *array, size_t n)
{
	if (numbers(call, value, n))
		memcpy(value->numbers, array, n * sizeof *array);
}

static void sync_points(
	struct tap_call *call, struct record_value *value, const uint32_t *array, size_t n)
{
	if (numbers(call, value, n))
		for (size_t i = 0; i < n; i++)
			value->numbers[i] = array[i];
}

/* Pairs up to a zero, which is left out. Of their handles, platforms and devices are ours. */
static void properties(struct tap_call *call, struct record_value *value, const uint64_t *array)
{
	size_t n = 0;

	while (array[n])
		n += 2;
	if (!numbers(call, value, n))
		return;
	memcpy(value->numbers, array, n * sizeof *array);
	for (size_t i = 0; i < n; i += 2)
		if (array[i] == CL_CONTEXT_PLATFORM)
			value->numbers[i + 1] = tap_id('P', array[i + 1]);
		else if (array[i] == CALL_PROPERTY_OF_DEVICE)
			value->numbers[i + 1] = tap_id('D', array[i + 1]);
}

/* Strings with lengths (0: up to their NUL), with the NUL (`lengths` absent), or binaries. */
static void strings(struct tap_call *call, struct record_value *value, char letter,
	const void *const *array, const size_t *lengths, size_t n)
{
	if (!contents(call, value, n))
		return;
	for (size_t i = 0; i < n; i++) {
		size_t length = lengths ? lengths[i] : 0;
		if (array[i] && letter != 'b' && !length)
			length = strlen(array[i]) + (letter == 'N');
		tap_content(&call->memory, array[i], array[i] ? length : 0, &value->contents[i]);
	}
}

static void image_desc(struct tap_call *call, struct record_value *value, const cl_image_desc *desc)
{
	const uint64_t fields[] = { desc->image_type, desc->image_width, desc->image_height,
		desc->image_depth, desc->image_array_size, desc->image_row_pitch,
		desc->image_slice_pitch, desc->num_mip_levels, desc->num_samples,
		desc->mem_object ? tap_id('M', (uintptr_t)desc->mem_object) : 0 };

	sizes(call, value, fields, sizeof fields / sizeof *fields);
}

/* An address in shared memory; false if it is elsewhere. */
static bool shared(struct record_value *value, uint64_t word)
{
	value->number = tap_shared_find(word, &value->offset);
	value->tag = value->number ? RECORD_SHARED : RECORD_ADDRESS;
	return value->number;
}

/* Bytes of the host that are read (h) or written (o). */
static void host(struct tap_call *call, struct record_value *value, unsigned i)
{
	uint64_t word = call->words[i];
	struct call_box box;

	if (shared(value, word) || !tap_wishes.contents ||
		!call_box_find(call->call, call->words, i, tap_pixel, &box))
		return;
	if (call->params[i].letter == 'o') {
		tap_pending_drop(word, call_box_span(&box));
		return;
	}
	size_t size = call_box_packed(&box);
	void *packed = size < SIZE_MAX ? malloc(size + 1) : NULL;
	if (!packed)
		return;
	tap_pending_settle(word, call_box_span(&box));
	call_box_gather(&box, pointer(word), packed);
	content(call, value, packed, size);
	free(packed);
}

/* An argument of a kernel: an object, bytes, or (NULL) the size of local memory. */
static void argument(struct tap_call *call, struct record_value *value, unsigned i)
{
	const uint64_t *bytes = pointer(call->words[i]);
	uint64_t size = call->words[i - 1];

	if (size == sizeof *bytes && *bytes)
		value->number = tap_id_known("MSQ", *bytes);
	value->tag = value->number ? RECORD_NUMBER : RECORD_ADDRESS;
	if (!value->number && tap_wishes.contents)
		content(call, value, bytes, size);
}

static void shared_array(
	struct tap_call *call, struct record_value *value, const uint64_t *array, size_t n)
{
	if (numbers(call, value, 2 * n))
		for (size_t i = 0; i < n; i++)
			value->numbers[2 * i] =
				tap_shared_find(array[i], &value->numbers[2 * i + 1]);
}

/* `count` is the last number of elements. */
static void read_value(struct tap_call *call, unsigned i, size_t count)
{
	struct record_value *value = &call->record.values[i];
	char letter = call->params[i].letter;
	uint64_t word = call->words[i];

	if (strchr("iBlzn", letter)) {
		*value = (struct record_value){ .tag = RECORD_NUMBER, .number = word };
		return;
	}
	if (!word || strchr("erfuptTjO", letter))
		return;
	if (strchr("PDCQMSGKEH", letter))
		*value = (struct record_value){ .tag = RECORD_NUMBER,
			.number = tap_id(letter, word) };
	else if (letter == 'X')
		shared_array(call, value, pointer(word), count);
	else if (strchr("dqmgw", letter))
		handles(call, value, pointer(word), letter, count);
	else if (strchr("x23", letter))
		sizes(call, value, pointer(word), letter == 'x' ? count : (size_t)(letter - '0'));
	else if (letter == 'W')
		sync_points(call, value, pointer(word), count);
	else if (letter == 'y')
		properties(call, value, pointer(word));
	else if (letter == 'F')
		sizes(call, value,
			(uint64_t[]){ ((const cl_uint *)pointer(word))[0],
				((const cl_uint *)pointer(word))[1] },
			2);
	else if (letter == 'I')
		image_desc(call, value, pointer(word));
	else if (letter == 'c')
		content(call, value, pointer(word), strlen(pointer(word)) + 1);
	else if (strchr("sbN", letter) && tap_wishes.contents)
		strings(call, value, letter, pointer(word),
			letter == 's'	? pointer(call->words[i + 1])
			: letter == 'b' ? pointer(call->words[i - 1])
					: NULL,
			count);
	else if (letter == 'h' || letter == 'o')
		host(call, value, i);
	else if (letter == 'a')
		shared(value, word);
	else if (letter == 'U')
		*value = (struct record_value){ .tag = RECORD_SHARED,
			.number = tap_mapped_end(word) };
	else if (letter == 'k')
		argument(call, value, i);
}

void tap_values(struct tap_call *call)
{
	size_t count = 0;

	for (unsigned i = 0; i < call->n; i++) {
		read_value(call, i, count);
		if (call->params[i].letter == 'n')
			count = (uint32_t)call->words[i];
	}
	call->record.n = call->n;
}

/* The kernels of a program, by name. */
static void kernels(struct tap_call *call, struct record_value *value, const uint64_t *array)
{
	cl_uint n = (cl_uint)call->words[1], all = 0;
	char name[256];

	tap_next->clCreateKernelsInProgram((cl_program)(uintptr_t)call->words[0], 0, NULL, &all);
	n = all < n ? all : n;
	if (!numbers(call, value, n))
		return;
	for (cl_uint i = 0; i < n; i++) {
		value->numbers[i] = tap_id_new('K', array[i]);
		if (!tap_next->clGetKernelInfo((cl_kernel)(uintptr_t)array[i],
			    CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL)) {
			tap_write(&(struct record_entry){ .type = RECORD_KERNEL,
				.numbers = { value->numbers[i] },
				.texts = { name } });
		}
	}
}

void tap_values_created(struct tap_call *call)
{
	char letter = call->call->signature[0];

	if (call->record.error)
		return;
	if (strchr("CQMSGKEHAV", letter) && call->result)
		call->record.result = tap_id_new(letter, call->result);
	for (unsigned i = 0; i < call->n; i++) {
		struct record_value *value = &call->record.values[i];
		if (call->params[i].letter == 'j' && call->words[i])
			kernels(call, value, pointer(call->words[i]));
		if (call->params[i].letter == 'O' && call->words[i])
			*value = (struct record_value){ .tag = RECORD_NUMBER,
				.number = *(const uint32_t *)pointer(call->words[i]) };
		if (call->params[i].letter == 'e' && call->asked[i])
			*value = (struct record_value){ .tag = RECORD_NUMBER,
				.number = tap_id_new(
					'E', *(const uint64_t *)pointer(call->asked[i])) };
	}
}
