// SPDX-License-Identifier: MIT
#include "compile/compile.h"
#include "compile/compile_elf.h"
#include "compile/compile_spirv.h"

enum compile_status compile_binary_open(
	const void *data, size_t size, struct compile_binary *binary)
{
	struct compile_elf elf;

	*binary = (struct compile_binary){ 0 };
	if (!data)
		return COMPILE_ERROR;
	if (compile_elf_open(data, size, &elf)) {
		*binary = (struct compile_binary){
			.native = data,
			.native_size = size,
			.spirv = elf.spirv.data,
			.spirv_size = elf.spirv.size,
			.options = elf.options.data,
			.options_size = elf.options.size,
		};
		return COMPILE_OK;
	}
	if (!compile_spirv_check(data, size, NULL, 0))
		return COMPILE_ERROR;
	binary->spirv = data;
	binary->spirv_size = size;
	return COMPILE_OK;
}
