// SPDX-License-Identifier: MIT
/* What native code says of its kernels. */
#include "compile/zebin/ze_info.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct reflection reflection = { 0 };
	struct pool *pool = NULL;
	char why[64];

	ze_info_read(data, size, &reflection, &pool, why, sizeof why);
	pool_free(pool);
	return 0;
}
