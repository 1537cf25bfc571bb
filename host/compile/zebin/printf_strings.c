// SPDX-License-Identifier: MIT
#include "compile/zebin/printf_strings.h"

#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.h>
#include <stdint.h>
#include <string.h>

#define FIRST 5 /* word of the first instruction */

static uint32_t word(const char *spirv, size_t at)
{
	uint32_t value;

	memcpy(&value, spirv + 4 * at, sizeof(value));
	return value;
}

bool compile_prints(const void *spirv, size_t size)
{
	static const char name[] = "OpenCL.std";
	size_t n = size / 4, at = FIRST;
	uint32_t set = 0;

	if (n < FIRST || word(spirv, 0) != SpvMagicNumber)
		return true;
	while (at < n) {
		uint32_t head = word(spirv, at), length = head >> SpvWordCountShift;

		if (!length || length > n - at)
			return true;
		if ((head & SpvOpCodeMask) == SpvOpExtInstImport && length >= 5 &&
			!memcmp((const char *)spirv + 4 * (at + 2), name, sizeof(name)))
			set = word(spirv, at + 1);
		if ((head & SpvOpCodeMask) == SpvOpExtInst && length >= 5 &&
			word(spirv, at + 3) == set && word(spirv, at + 4) == OpenCLstd_Printf)
			return true;
		at += length;
	}
	return false;
}
