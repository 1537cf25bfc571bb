// SPDX-License-Identifier: MIT
/* The table of calls, and which bytes of the host a call moves. */
#define CL_TARGET_OPENCL_VERSION 300
#include <string.h>

#include "layer/call/call.h"
#include "test.h"

#include <CL/cl_icd.h>

static void every_entry_point_has_a_row(void **state)
{
	static const char *const names[] = {
#define ICD_ENTRY(name)	 #name,
#define ICD_TAGGED(name) #name,
#define ICD_NEWER(name)
#define ICD_ABSENT(name)
#define ICD_EXTENSION(name, extension)
#define ICD_NAMED(name, function, extension)
#include "api/icd.def"
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct call *call = call_find(names[i]);
		if (!call)
			fail_msg("%s has no row", names[i]);
		assert_int_not_equal(call->slot, CALL_NO_SLOT);
	}
	assert_null(call_find("clNothing"));
}

static void signatures_are_valid(void **state)
{
	static const char letters[] = "iBlzPDCQMSGKEHaUndqmgwxX23stTbNcyFIhoWOkejrpfu";
	struct call_param params[CALL_MOST_PARAMS];

	(void)state;
	for (unsigned i = 0; i < call_count; i++) {
		const char *signature = calls[i].signature;
		assert_non_null(strchr("ivpPCQMSGKEHAV", signature[0]));
		assert_int_equal(signature[1], ':');
		unsigned n = call_params(&calls[i], params);
		for (unsigned p = 0; p < n; p++) {
			if (!strchr(letters, params[p].letter))
				fail_msg("%s: %c", calls[i].name, params[p].letter);
			if (params[p].rule >= '0' && params[p].rule <= '9')
				assert_int_equal(params[params[p].rule - '0'].letter, 'z');
			if (strchr("kb", params[p].letter))
				assert_true(strchr("zT", params[p - 1].letter));
		}
		assert_ptr_equal(call_find(calls[i].name), &calls[i]);
	}
}

static size_t four_bytes(uint64_t image, bool *is_array_1d)
{
	*is_array_1d = image == 1;
	return 4;
}

static void boxes_of_rectangles(void **state)
{
	const size_t origin[] = { 4, 1, 2 }, region[] = { 8, 3, 2 };
	const struct call *call = call_find("clEnqueueReadBufferRect");
	uint64_t words[CALL_MOST_PARAMS] = {
		[4] = (uintptr_t)origin, [5] = (uintptr_t)region, [8] = 16, [9] = 0
	};
	unsigned char host[16 * 3 * 4], packed[48], back[sizeof host] = { 0 };
	struct call_box box;

	(void)state;
	for (unsigned i = 0; i < sizeof host; i++)
		host[i] = (unsigned char)i;
	assert_true(call_box_find(call, words, 10, four_bytes, &box));
	assert_int_equal(call_box_packed(&box), 48);
	assert_int_equal(call_box_span(&box), 4 + 16 + 96 + 48 + 32 + 8);
	/* The slices are 48 bytes apart: three rows of 16. */
	box.offset = 4;
	call_box_gather(&box, host, packed);
	for (unsigned z = 0; z < 2; z++)
		for (unsigned y = 0; y < 3; y++)
			for (unsigned x = 0; x < 8; x++)
				assert_int_equal(
					packed[(z * 3 + y) * 8 + x], z * 48 + y * 16 + x + 4);
	call_box_scatter(&box, back, packed);
	assert_int_equal(back[4 + 16 + 7], host[4 + 16 + 7]);
	assert_int_equal(back[4 + 8], 0);
	/* Rows shorter than what is copied. */
	words[8] = 7;
	assert_false(call_box_find(call, words, 10, four_bytes, &box));
	const size_t huge[] = { SIZE_MAX / 2, 3, 2 };
	words[5] = (uintptr_t)huge;
	words[8] = 0;
	assert_true(call_box_find(call, words, 10, four_bytes, &box));
	assert_true(call_box_packed(&box) == SIZE_MAX && call_box_span(&box) == SIZE_MAX);
}

static void boxes_of_images(void **state)
{
	const size_t region[] = { 5, 3, 1 };
	const struct call *call = call_find("clEnqueueReadImage");
	uint64_t words[CALL_MOST_PARAMS] = { [4] = (uintptr_t)region, [6] = 100 };
	struct call_box box;

	(void)state;
	assert_true(call_box_find(call, words, 7, four_bytes, &box));
	assert_int_equal(box.row, 20);
	/* The images of an array of lines are slices. */
	words[1] = 1;
	assert_true(call_box_find(call, words, 7, four_bytes, &box));
	assert_int_equal(box.row, 100);
	const cl_image_format format = { CL_RG, CL_HALF_FLOAT };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
		.image_width = 6,
		.image_height = 4,
		.image_array_size = 3,
		.image_row_pitch = 32 };
	uint64_t image[CALL_MOST_PARAMS] = { [2] = (uintptr_t)&format, [3] = (uintptr_t)&desc };
	assert_true(call_box_find(call_find("clCreateImage"), image, 4, NULL, &box));
	assert_int_equal(call_box_packed(&box), 6 * 4 * 4 * 3);
	assert_int_equal(call_box_span(&box), 2 * 128 + 3 * 32 + 24);
	uint64_t old[CALL_MOST_PARAMS] = { [2] = (uintptr_t)&format, 6, 4, 3, 0, 200 };
	assert_true(call_box_find(call_find("clCreateImage3D"), old, 8, NULL, &box));
	assert_int_equal(call_box_span(&box), 2 * 200 + 4 * 24);
}

static void pixels_have_sizes(void **state)
{
	(void)state;
	assert_int_equal(call_pixel_size(CL_R, CL_UNORM_INT8), 1);
	assert_int_equal(call_pixel_size(CL_RA, CL_SIGNED_INT16), 4);
	assert_int_equal(call_pixel_size(CL_RGB, CL_UNORM_SHORT_565), 2);
	assert_int_equal(call_pixel_size(CL_sRGB, CL_UNORM_INT8), 3);
	assert_int_equal(call_pixel_size(CL_BGRA, CL_FLOAT), 16);
	assert_int_equal(call_pixel_size(CL_sBGRA, CL_UNORM_INT8), 4);
	assert_int_equal(call_pixel_size(CL_DEPTH, CL_FLOAT), 4);
	assert_int_equal(call_pixel_size(CL_R, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_entry_point_has_a_row),
		cmocka_unit_test(signatures_are_valid),
		cmocka_unit_test(boxes_of_rectangles),
		cmocka_unit_test(boxes_of_images),
		cmocka_unit_test(pixels_have_sizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
