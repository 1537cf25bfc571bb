// SPDX-License-Identifier: MIT
/* Program binaries of any kind: opened, reflected, made into another one, and that opened again. */
#include "compile/build/compile.h"
#include "compile/zebin/buffer_image_mark.h"
#include "compile/zebin/dwarf_lines.h"
#include "compile/base/reflection.h"
#include "compile/zebin/reflect.h"
#include "compile/zebin/zebin_patch.h"
#include "compile/spirv/lower_buffer_image.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void remake(const struct compile_binary *binary)
{
	struct compile_binary again;
	size_t size;
	void *made = compile_binary_make(binary, "tgllp", &size);

	if (made)
		compile_binary_open_for(made, size, "tgllp", &again);
	free(made);
}

/* As it is loaded. */
static void load(const struct compile_binary *binary)
{
	struct reflection reflection = { 0 };
	struct zebin_patched patched;
	struct dwarf_lines lines;

	zebin_patch(binary->native, binary->native_size, false, &reflection, &patched);
	zebin_patched_finish(&patched);
	dwarf_lines_read(&lines, binary->native, binary->native_size, "one");
	dwarf_lines_finish(&lines);
}

/* The facts of a cache's entry, and what is around patch tokens, of the bytes as they are. */
static void take_as_parts(const unsigned char *data, size_t size)
{
	struct reflection facts;
	struct compile_binary binary;
	size_t made_size = 0;
	volatile size_t sum = 0;
	void *made;

	if (reflection_read(data, size, &facts))
		for (size_t i = 0; i < facts.n_kernels; i++)
			sum += strlen(facts.kernels[i].name);
	reflection_finish(&facts);
	made = compile_binary_add_tokens(data, size, data, size, &made_size);
	if (made)
		compile_binary_open_for(made, made_size, "tgllp", &binary);
	free(made);
}

/* As what has images of buffers; then back. */
static void mark(const struct compile_binary *binary)
{
	unsigned char *copy = malloc(binary->native_size + 1);

	if (!copy || !binary->native_size)
		abort();
	memcpy(copy, binary->native, binary->native_size);
	/* the number may lie over the file's head */
	buffer_image_mark(copy, binary->native_size, true);
	buffer_image_is_marked(copy, binary->native_size);
	buffer_image_mark(copy, binary->native_size, false);
	free(copy);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct reflection reflection;
	struct compile_binary binary;
	char text[64];

	take_as_parts(data, size);
	if (compile_binary_open_for(data, size, "tgllp", &binary) != COMPILE_OK)
		return 0;
	compile_reflect(binary.spirv, binary.spirv_size, binary.native, binary.native_size,
		&reflection, text, sizeof text);
	reflection_finish(&reflection);
	compile_reflect(NULL, 0, binary.native, binary.native_size, &reflection, text, sizeof text);
	reflection_finish(&reflection);
	if (binary.native) {
		load(&binary);
		mark(&binary);
	}
	remake(&binary);
	return 0;
}
