// SPDX-License-Identifier: MIT
#include "queue_fixture.h"
#include "core/base/info.h"
#include "test_random.h"

#include "compile/zebin/reflect.h"
#include "core/memory/image.h"
#include "core/command/image_copy.h"
#include "core/memory/image_upload.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const cl_image_format rgba8 = { CL_RGBA, CL_UNORM_INT8 };
static const cl_image_format r16 = { CL_R, CL_UNSIGNED_INT16 };
static const cl_image_format rg32 = { CL_RG, CL_FLOAT };

#define OK(call) assert_int_equal((call), CL_SUCCESS)

/* An image beside what it should hold: `pixels` has its extents, packed. */
struct model {
	struct mem *mem;
	size_t extent[3];
	size_t size; /* of a pixel */
	uint8_t *pixels;
	uint8_t *host; /* of CL_MEM_USE_HOST_PTR, or NULL */
};

static uint64_t seed = 1;

static uint32_t dice(uint32_t n)
{
	return test_random_below(&seed, n);
}

static uint8_t *pixel(struct model *m, size_t x, size_t y, size_t z)
{
	return m->pixels + ((z * m->extent[1] + y) * m->extent[0] + x) * m->size;
}

static size_t bytes_of(const struct model *m)
{
	return m->extent[0] * m->extent[1] * m->extent[2] * m->size;
}

static cl_image_desc desc_of(cl_mem_object_type type, size_t w, size_t h, size_t d, size_t layers)
{
	return (cl_image_desc){ .image_type = type,
		.image_width = w,
		.image_height = h,
		.image_depth = d,
		.image_array_size = layers };
}

static void finish(struct model *m)
{
	mem_put(m->mem);
	free(m->pixels);
	free(m->host);
}

static void make(struct queue_fixture *f, struct model *m, cl_mem_flags flags,
	const cl_image_format *format, const cl_image_desc *desc)
{
	OK(image_create(f->context, NULL, flags, format, desc, m->host, &m->mem));
	memcpy(m->extent, m->mem->image->extent, sizeof(m->extent));
	m->size = m->mem->image->format->size;
	m->pixels = malloc(bytes_of(m));
}

static void random_region(const struct model *m, size_t origin[3], size_t region[3])
{
	for (int i = 0; i < 3; i++) {
		origin[i] = dice((uint32_t)m->extent[i]);
		region[i] = 1 + dice((uint32_t)(m->extent[i] - origin[i]));
	}
}

static bool has_slices(const struct model *m)
{
	return m->mem->image->slice_pitch != 0;
}

/* Pitches that are too wide, and where pixel (x, y, z) of the region is then. */
struct layout {
	size_t row, slice, steps[2], size;
};

static struct layout random_layout(const struct model *m, const size_t region[3])
{
	bool lines = m->mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	struct layout l = { .row = region[0] * m->size + dice(3) * m->size };

	l.slice = lines ? l.row : l.row * region[1];
	l.slice += dice(2) * 2 * m->size;
	if (!has_slices(m))
		l.slice = l.row * region[1];
	l.steps[0] = lines ? l.slice : l.row;
	l.steps[1] = l.slice;
	l.size = l.steps[0] * region[1] + l.steps[1] * region[2];
	return l;
}

/* Writes a random region with random pitches, into the image and the model. */
static void do_write(struct queue_fixture *f, struct model *m)
{
	size_t o[3], r[3];

	random_region(m, o, r);
	struct layout l = random_layout(m, r);
	uint8_t *memory = malloc(l.size);
	for (size_t i = 0; i < l.size; i++)
		memory[i] = (uint8_t)dice(256);
	const struct image_span span = { o, r, l.row, has_slices(m) ? l.slice : 0 };
	OK(image_write(f->queue, m->mem, CL_TRUE, &span, memory, NO_EVENTS));
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++)
			memcpy(pixel(m, o[0], o[1] + y, o[2] + z),
				memory + z * l.steps[1] + y * l.steps[0], r[0] * m->size);
	free(memory);
}

static void do_read(struct queue_fixture *f, struct model *m)
{
	size_t o[3], r[3];

	random_region(m, o, r);
	struct layout l = random_layout(m, r);
	uint8_t *memory = malloc(l.size), *want = malloc(l.size);
	memset(memory, 0xee, l.size);
	memset(want, 0xee, l.size);
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++)
			memcpy(want + z * l.steps[1] + y * l.steps[0],
				pixel(m, o[0], o[1] + y, o[2] + z), r[0] * m->size);
	const struct image_span span = { o, r, l.row, has_slices(m) ? l.slice : 0 };
	OK(image_read(f->queue, m->mem, CL_FALSE, &span, memory, NO_EVENTS));
	OK(queue_finish(f->queue));
	assert_memory_equal(memory, want, l.size);
	free(memory);
	free(want);
}

static void do_fill(struct queue_fixture *f, struct model *m)
{
	const uint32_t color[4] = { dice(256), dice(256), dice(256), dice(256) };
	unsigned char packed[IMAGE_FORMAT_MAX_SIZE];
	size_t o[3], r[3];

	random_region(m, o, r);
	const struct image_span span = { o, r, 0, 0 };
	image_format_pack(m->mem->image->format, color, packed);
	OK(image_fill(f->queue, m->mem, color, &span, NO_EVENTS));
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++)
			for (size_t x = 0; x < r[0]; x++)
				memcpy(pixel(m, o[0] + x, o[1] + y, o[2] + z), packed, m->size);
}

/* Through a map: what is read must be right, what is written must arrive. */
static void do_map(struct queue_fixture *f, struct model *m)
{
	bool invalidate = dice(2);
	size_t o[3], r[3], row, slice = 0;
	void *pointer;

	random_region(m, o, r);
	const struct image_span span = { o, r, 0, 0 };
	OK(image_map(f->queue, m->mem, CL_TRUE,
		invalidate ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ | CL_MAP_WRITE, &span,
		&row, &slice, NO_EVENTS, &pointer));
	bool lines = m->mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++) {
			uint8_t *at = (uint8_t *)pointer + z * slice + y * (lines ? slice : row);
			uint8_t *want = pixel(m, o[0], o[1] + y, o[2] + z);

			if (!invalidate)
				assert_memory_equal(at, want, r[0] * m->size);
			for (size_t i = 0; i < r[0] * m->size; i++)
				at[i] = want[i] = (uint8_t)dice(256);
		}
	OK(copy_unmap(f->queue, m->mem, pointer, NO_EVENTS));
}

static void do_copy(struct queue_fixture *f, struct model *from, struct model *to)
{
	size_t a[3], b[3], r[3];

	for (int i = 0; i < 3; i++) {
		size_t least = from->extent[i] < to->extent[i] ? from->extent[i] : to->extent[i];
		r[i] = 1 + dice((uint32_t)least);
		a[i] = dice((uint32_t)(from->extent[i] - r[i] + 1));
		b[i] = dice((uint32_t)(to->extent[i] - r[i] + 1));
	}
	OK(image_copy(f->queue, from->mem, to->mem, a, b, r, NO_EVENTS));
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++)
			memcpy(pixel(to, b[0], b[1] + y, b[2] + z),
				pixel(from, a[0], a[1] + y, a[2] + z), r[0] * to->size);
}

/* Out to a buffer and in again at another place. */
static void do_buffer(struct queue_fixture *f, struct model *m)
{
	size_t a[3], b[3], r[3], offset = dice(8) * m->size;

	random_region(m, a, r);
	for (int i = 0; i < 3; i++)
		b[i] = dice((uint32_t)(m->extent[i] - r[i] + 1));
	const struct image_span out = { a, r, 0, 0 }, in = { b, r, 0, 0 };
	OK(image_copy_to_buffer(f->queue, m->mem, f->a, &out, offset, NO_EVENTS));
	OK(image_copy_from_buffer(f->queue, f->a, m->mem, &in, offset, NO_EVENTS));
	uint8_t *packed = malloc(bytes_of(m)), *at = packed;
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++, at += r[0] * m->size)
			memcpy(at, pixel(m, a[0], a[1] + y, a[2] + z), r[0] * m->size);
	at = packed;
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++, at += r[0] * m->size)
			memcpy(pixel(m, b[0], b[1] + y, b[2] + z), at, r[0] * m->size);
	free(packed);
}

/* All operations in random order on two images must do what they do to plain memory. */
static void run(struct queue_fixture *f, struct model *a, struct model *b)
{
	const size_t zero[3] = { 0 };
	struct model *both[] = { a, b };

	for (int i = 0; i < 2; i++) {
		const struct image_span all = { zero, both[i]->extent, 0, 0 };

		for (size_t j = 0; j < bytes_of(both[i]); j++)
			both[i]->pixels[j] = (uint8_t)dice(256);
		OK(image_write(f->queue, both[i]->mem, CL_TRUE, &all, both[i]->pixels, NO_EVENTS));
	}
	for (int i = 0; i < 150; i++) {
		struct model *m = both[dice(2)];

		switch (dice(6)) {
		case 0:
			do_write(f, m);
			break;
		case 1:
			do_read(f, m);
			break;
		case 2:
			do_fill(f, m);
			break;
		case 3:
			do_map(f, m);
			break;
		case 4:
			do_copy(f, m, m == a ? b : a);
			break;
		default:
			do_buffer(f, m);
		}
	}
	for (int i = 0; i < 20; i++)
		do_read(f, both[i % 2]);
	finish(a);
	finish(b);
}

static void test_types(void **state)
{
	const struct {
		cl_image_desc desc;
		const cl_image_format *format;
	} rows[] = {
		{ desc_of(CL_MEM_OBJECT_IMAGE1D, 37, 0, 0, 0), &rgba8 },
		{ desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 11, 0, 0, 5), &r16 },
		{ desc_of(CL_MEM_OBJECT_IMAGE2D, 13, 7, 0, 0), &rg32 },
		{ desc_of(CL_MEM_OBJECT_IMAGE2D, 5, 9, 0, 0), &r16 },
		{ desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 6, 5, 0, 4), &rgba8 },
		{ desc_of(CL_MEM_OBJECT_IMAGE3D, 5, 6, 7, 0), &rgba8 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct model a = { 0 }, b = { 0 };

		make(*state, &a, 0, rows[i].format, &rows[i].desc);
		make(*state, &b, CL_MEM_ALLOC_HOST_PTR, rows[i].format, &rows[i].desc);
		run(*state, &a, &b);
	}
}

/* A 3D image beside flat ones: regions of one go to the other. */
static void test_mixed(void **state)
{
	const cl_image_desc deep = desc_of(CL_MEM_OBJECT_IMAGE3D, 5, 6, 7, 0);
	const cl_image_desc flat = desc_of(CL_MEM_OBJECT_IMAGE2D, 8, 3, 0, 0);
	struct model a = { 0 }, b = { 0 };

	make(*state, &a, 0, &rgba8, &deep);
	make(*state, &b, 0, &rgba8, &flat);
	run(*state, &a, &b);
}

/* The application's memory is what maps give, with its pitches. */
static void test_host_ptr(void **state)
{
	cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE3D, 5, 4, 3, 0);
	struct model a = { .host = malloc(4096) }, b = { 0 };
	const size_t zero[3] = { 0 };
	struct queue_fixture *f = *state;
	size_t row, slice;
	void *pointer;

	desc.image_row_pitch = 28;
	desc.image_slice_pitch = 28 * 5;
	for (int i = 0; i < 4096; i++)
		a.host[i] = (uint8_t)(i * 7);
	make(f, &a, CL_MEM_USE_HOST_PTR, &rgba8, &desc);
	uint8_t got[4];
	const size_t place[3] = { 4, 3, 2 }, one[3] = { 1, 1, 1 };
	const struct image_span last = { place, one, 0, 0 };
	OK(image_read(f->queue, a.mem, CL_TRUE, &last, got, NO_EVENTS));
	assert_memory_equal(got, a.host + 2 * 140 + 3 * 28 + 16, 4);
	const struct image_span all = { zero, a.extent, 0, 0 };
	OK(image_map(
		f->queue, a.mem, CL_TRUE, CL_MAP_READ, &all, &row, &slice, NO_EVENTS, &pointer));
	assert_ptr_equal(pointer, a.host);
	assert_int_equal(row, 28);
	assert_int_equal(slice, 140);
	OK(copy_unmap(f->queue, a.mem, pointer, NO_EVENTS));

	desc.image_row_pitch = desc.image_slice_pitch = 0;
	uint8_t *bytes = calloc(1, 5 * 4 * 3 * 4);
	OK(image_create(f->context, NULL, CL_MEM_COPY_HOST_PTR, &rgba8, &desc, bytes, &b.mem));
	mem_put(b.mem);
	free(bytes);
	make(f, &b, 0, &rgba8, &desc);
	run(f, &a, &b);
}

/* Images of buffers are the buffers. */
static void test_of_buffer(void **state)
{
	cl_image_desc flat = desc_of(CL_MEM_OBJECT_IMAGE2D, 9, 8, 0, 0);
	cl_image_desc line = desc_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 200, 0, 0, 0);
	struct queue_fixture *f = *state;
	struct model a = { 0 }, b = { 0 };

	flat.mem_object = mem_handle(f->b);
	flat.image_row_pitch = 64;
	make(f, &a, 0, &rgba8, &flat);
	make(f, &b, 0, &rgba8,
		&(cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE2D,
			.image_width = 6,
			.image_height = 10 });
	assert_ptr_equal(a.mem->address, f->b->address);
	memset(f->b->address, 0x11, FIXTURE_BYTES);
	run(f, &a, &b);
	for (int y = 0; y < 8; y++)
		for (int x = 36; x < 64; x++)
			assert_int_equal(f->b->address[y * 64 + x], 0x11);

	struct model c = { 0 }, d = { 0 };
	line.mem_object = mem_handle(f->b);
	make(f, &c, CL_MEM_READ_WRITE, &rgba8, &line);
	make(f, &d, 0, &rgba8,
		&(cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 70 });
	struct mem *parent = NULL;
	OK(image_info(c.mem, CL_IMAGE_BUFFER, INFO(sizeof parent, &parent, NULL)));
	assert_ptr_equal(parent, f->b);
	run(f, &c, &d);
}

/* A kernel's argument: the device's image is filled before, and carried back behind. */
static void test_shadow(void **state)
{
	static const struct {
		cl_kernel_arg_access_qualifier access;
		unsigned appends; /* with the launch; each transfer goes through packed memory */
	} rows[] = {
		{ CL_KERNEL_ARG_ACCESS_READ_ONLY, 3 },
		{ CL_KERNEL_ARG_ACCESS_WRITE_ONLY, 5 },
		{ CL_KERNEL_ARG_ACCESS_READ_WRITE, 5 },
	};
	cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0);
	struct queue_fixture *f = *state;
	struct compile_arg args[2] = { 0 };
	struct compile_kernel info = { .args = args, .n_args = 2 };
	struct model a = { 0 };

	desc.mem_object = mem_handle(f->b);
	desc.image_row_pitch = 32;
	make(f, &a, 0, &rgba8, &desc);
	for (size_t i = 0; i < FIXTURE_BYTES; i++)
		f->b->address[i] = (char)(i * 3);
	f->copy->info = f->copy->forms->info = &info;
	f->copy->has_images = true;
	f->copy->args[0].kind = KERNEL_ARG_BUFFER;
	f->copy->args[1].kind = KERNEL_ARG_IMAGE;
	f->copy->args[1].mem = a.mem;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct command command = { .kind = COMMAND_LAUNCH,
			.type = CL_COMMAND_NDRANGE_KERNEL };
		unsigned appends = l0_fake.appends;
		cl_event event;

		/* no items: what it would do with an image, the fake does not know */
		command.launch.kernel = f->copy;
		command.launch.range = (struct ndrange){ .dims = 1,
			.global = { 1, 1, 1 },
			.local = { 1, 1, 1 },
			.groups = { 0, 1, 1 } };
		args[1].access = rows[i].access;
		f->copy->args[0].mem = f->a;
		kernel_touch(f->copy);
		f->copy->args[0].state = f->copy->args[1].state = f->copy->state;
		OK(queue_submit(f->other, &command, &(struct event_args){ 0, NULL, &event }));
		OK(queue_finish(f->other));
		assert_int_equal(queue_fixture_status(event), CL_COMPLETE);
		queue_fixture_release(event);
		assert_int_equal(l0_fake.appends, appends + rows[i].appends);
		for (size_t j = 0; j < FIXTURE_BYTES; j++)
			assert_int_equal((uint8_t)f->b->address[j], (uint8_t)(j * 3));
	}
	f->copy->args[1].kind = KERNEL_ARG_VALUE;
	finish(&a);
}

static void test_pack(void **state)
{
	static const struct {
		cl_image_format format;
		float color[4];
		unsigned char want[8];
	} rows[] = {
		{ { CL_RGBA, CL_UNORM_INT8 }, { 0, 1, 0.5f, -3 }, { 0, 255, 128, 0 } },
		{ { CL_BGRA, CL_UNORM_INT8 }, { 0, 1, 0.2f, 2 }, { 51, 255, 0, 255 } },
		{ { CL_RGBA, CL_SNORM_INT8 }, { -1, 1, -0.5f, -9 }, { 0x81, 0x7f, 0xc0, 0x81 } },
		{ { CL_R, CL_SNORM_INT8 }, { 62.5f / 127.0f },
			{ 62 } }, /* more in double precision */
		{ { CL_R, CL_UNORM_INT16 }, { 0.5f }, { 0x00, 0x80 } },
		{ { CL_R, CL_HALF_FLOAT }, { 1 }, { 0x00, 0x3c } },
		{ { CL_R, CL_HALF_FLOAT }, { 65519.0f }, { 0xff, 0x7b } },
		{ { CL_R, CL_HALF_FLOAT }, { 65520.0f }, { 0x00, 0x7c } },
		{ { CL_R, CL_HALF_FLOAT }, { -0x1p-24f }, { 0x01, 0x80 } },
		{ { CL_R, CL_HALF_FLOAT }, { 0x1.ffcp-15f }, { 0x00, 0x04 } },
		{ { CL_R, CL_HALF_FLOAT }, { 1.00048828125f }, { 0x00, 0x3c } },
		{ { CL_R, CL_HALF_FLOAT }, { 1.00146484375f }, { 0x02, 0x3c } },
		{ { CL_RG, CL_HALF_FLOAT }, { 2, -2 }, { 0x00, 0x40, 0x00, 0xc0 } },
		{ { CL_R, CL_FLOAT }, { 1 }, { 0, 0, 0x80, 0x3f } },
		{ { CL_DEPTH, CL_UNORM_INT16 }, { 1 }, { 0xff, 0xff } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		unsigned char pixel[IMAGE_FORMAT_MAX_SIZE];
		cl_int rc = CL_SUCCESS;
		const struct image_format *format =
			image_format_find(&rows[i].format, CL_MEM_OBJECT_IMAGE2D, &rc);

		assert_non_null(format);
		memset(pixel, 0xee, sizeof(pixel));
		image_format_pack(format, rows[i].color, pixel);
		assert_memory_equal(pixel, rows[i].want, format->size);
		assert_int_equal(pixel[format->size < 16 ? format->size : 15], 0xee);
	}
	const cl_int whole[4] = { -300, 5, 300, -7 };
	unsigned char pixel[IMAGE_FORMAT_MAX_SIZE];
	cl_int rc;
	image_format_pack(image_format_find(&(cl_image_format){ CL_RGBA, CL_SIGNED_INT8 },
				  CL_MEM_OBJECT_IMAGE3D, &rc),
		whole, pixel);
	assert_memory_equal(pixel, ((unsigned char[]){ 0x80, 5, 0x7f, 0xf9 }), 4);
}

/* Every path out of a creation that fails leaves nothing behind. */
static void test_failures(void **state)
{
	const cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0);
	struct queue_fixture *f = *state;
	uint8_t bytes[64] = { 0 };
	int live = l0_fake.live;
	unsigned n_failed = 0;

	l0_fake.mode = L0_FAKE_AT_SUBMIT;
	for (unsigned n = 1; n < 40; n++) {
		cl_device_id device = device_handle(f->context->devices[0]);
		struct context *context;
		struct mem *mem = NULL;

		assert_int_equal(
			context_create(NULL, 1, &device, NULL, NULL, &context), CL_SUCCESS);
		l0_fake.failed = false;
		l0_fake.fail_after = n;
		cl_int rc = image_create(
			context, NULL, CL_MEM_COPY_HOST_PTR, &rgba8, &desc, bytes, &mem);
		l0_fake.fail_after = 0;
		/* what fails when the copy is done spoils nothing */
		assert_true(l0_fake.failed || !rc);
		assert_int_equal(mem != NULL, rc == CL_SUCCESS);
		n_failed += rc != CL_SUCCESS;
		mem_put(mem);
		context_put(context);
		assert_int_equal(l0_fake.live, live);
		if (!l0_fake.failed) {
			assert_true(n > 5 && n_failed > 5);
			return;
		}
	}
	fail();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_types),
		TEST(test_mixed),
		TEST(test_host_ptr),
		TEST(test_of_buffer),
		TEST(test_shadow),
		TEST(test_pack),
		TEST(test_failures),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
