// SPDX-License-Identifier: MIT
#include "test.h"

#include "l0/l0_import.h"
#include "l0_fake.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 8192 };

static struct l0_context *contexts[2];

/* What the fake takes for a dma_buf. */
static int make_file(void)
{
	int fd = memfd_create("import", MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, SIZE), 0);
	return fd;
}

static int setup(void **state)
{
	(void)state;
	l0_fake_install();
	for (int i = 0; i < 2; i++)
		if (l0_context_create(1, &(struct l0_device *){ l0_device_open(0) }, &contexts[i]))
			return -1;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	l0_context_destroy(contexts[0]);
	l0_context_destroy(contexts[1]);
	return 0;
}

/* The smallest descriptor that is free. */
static int next_descriptor(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

static void shares_one_allocation(void **state)
{
	int fd = make_file(), other = make_file(), free_fd = next_descriptor();
	int live = l0_fake.live;
	void *first, *second, *third;

	(void)state;
	assert_int_equal(l0_import(contexts[0], fd, SIZE, &first), CL_SUCCESS);
	assert_int_equal(l0_import(contexts[0], fd, 1, &second), CL_SUCCESS);
	assert_int_equal(l0_import(contexts[0], other, SIZE, &third), CL_SUCCESS);
	assert_ptr_equal(first, second);
	assert_ptr_not_equal(first, third);
	assert_int_equal(l0_fake.live, live + 2);
	assert_int_equal(l0_import(contexts[1], fd, SIZE, &second), CL_OUT_OF_RESOURCES);
	l0_import_free(contexts[0], first);
	assert_int_equal(l0_fake.live, live + 2);
	assert_int_equal(l0_import(contexts[1], fd, SIZE, &second), CL_OUT_OF_RESOURCES);
	l0_import_free(contexts[0], first);
	assert_int_equal(l0_fake.live, live + 1);
	assert_int_equal(l0_import(contexts[1], fd, SIZE, &second), CL_SUCCESS);
	l0_import_free(contexts[1], second);
	l0_import_free(contexts[0], third);
	assert_int_equal(l0_fake.live, live);
	assert_int_equal(next_descriptor(), free_fd);
	assert_int_equal(l0_fake.errors, 0);
	close(fd);
	close(other);
}

static void refuses(void **state)
{
	int fd = make_file(), plain = open("/proc/self/exe", O_RDONLY), ends[2];
	int live = l0_fake.live, free_fd;
	void *address = NULL;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	free_fd = next_descriptor();
	assert_int_equal(l0_import(contexts[0], fd, SIZE + 1, &address), CL_INVALID_BUFFER_SIZE);
	assert_int_equal(l0_import(contexts[0], free_fd, SIZE, &address), CL_INVALID_PROPERTY);
	assert_int_equal(l0_import(contexts[0], ends[0], SIZE, &address), CL_INVALID_PROPERTY);
	/* a file, which Level Zero does not import */
	assert_int_equal(l0_import(contexts[0], plain, SIZE, &address), CL_INVALID_PROPERTY);
	l0_fake.fail_after = 1;
	assert_int_not_equal(l0_import(contexts[0], fd, SIZE, &address), CL_SUCCESS);
	assert_null(address);
	assert_int_equal(next_descriptor(), free_fd);
	assert_int_equal(l0_fake.live, live);
	/* none of it left a trace */
	assert_int_equal(l0_import(contexts[0], fd, SIZE, &address), CL_SUCCESS);
	l0_import_free(contexts[0], address);
	close(fd);
	close(plain);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_one_allocation),
		cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
