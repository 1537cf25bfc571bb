// SPDX-License-Identifier: MIT
#include "compile/base/request.h"

#include <stdlib.h>

void compile_result_finish(struct compile_result *result)
{
	free(result->spirv);
	free(result->native);
	free(result->facts);
	free(result->log);
	*result = (struct compile_result){ 0 };
}
