// SPDX-License-Identifier: MIT
#include "compile/cc/cc_llvm.h"

#include <dlfcn.h>
#include <string.h>

bool compile_llvm_load(void *handle, struct compile_llvm *llvm)
{
	static const struct {
		const char *name;
		size_t offset;
	} rows[] = {
#define ROW(name, field) { name, offsetof(struct compile_llvm, field) }
		ROW("LLVMContextCreate", context_create),
		ROW("LLVMCreateMemoryBufferWithMemoryRange", buffer_over),
		ROW("LLVMParseBitcodeInContext2", parse),
		ROW("LLVMGetFirstFunction", first_function),
		ROW("LLVMGetNextFunction", next_function),
		ROW("LLVMGetValueName2", name),
		ROW("LLVMIsDeclaration", is_declaration),
		ROW("LLVMGetFirstUse", first_use),
		ROW("LLVMDeleteFunction", delete_function),
		ROW("LLVMWriteBitcodeToMemoryBuffer", write),
		ROW("LLVMGetBufferStart", buffer_start),
		ROW("LLVMGetBufferSize", buffer_size),
#undef ROW
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		void *function = dlsym(handle, rows[i].name);

		if (!function)
			return false;
		memcpy((char *)llvm + rows[i].offset, &function, sizeof function);
	}
	return true;
}
