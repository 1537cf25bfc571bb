// SPDX-License-Identifier: MIT
#include "compile/cc/cc_import.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the dynamic section of a library says. */
struct tables {
	const ElfW(Sym) * symbols;
	const char *names;
	const ElfW(Rela) * relocations[2]; /* for calls bound late, and all others */
	size_t sizes[2];		   /* bytes */
};

static void read_tables(const ElfW(Dyn) * entry, struct tables *tables)
{
	for (; entry->d_tag != DT_NULL; entry++) {
		const uintptr_t address = entry->d_un.d_ptr;

		if (entry->d_tag == DT_SYMTAB)
			tables->symbols = (const ElfW(Sym) *)address;
		else if (entry->d_tag == DT_STRTAB)
			tables->names = (const char *)address;
		else if (entry->d_tag == DT_JMPREL)
			tables->relocations[0] = (const ElfW(Rela) *)address;
		else if (entry->d_tag == DT_PLTRELSZ)
			tables->sizes[0] = entry->d_un.d_val;
		else if (entry->d_tag == DT_RELA)
			tables->relocations[1] = (const ElfW(Rela) *)address;
		else if (entry->d_tag == DT_RELASZ)
			tables->sizes[1] = entry->d_un.d_val;
	}
}

/* The page may have been made read-only once the library was bound. */
static bool write_slot(void **slot, void *function)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *start = (void *)((uintptr_t)slot & ~(page - 1));

	if (mprotect(start, page, PROT_READ | PROT_WRITE))
		return false;
	*slot = function;
	return true;
}

static bool is_address(uint64_t info)
{
#ifdef __x86_64__
	return ELF64_R_TYPE(info) == R_X86_64_JUMP_SLOT || ELF64_R_TYPE(info) == R_X86_64_GLOB_DAT;
#else
	return ELF64_R_TYPE(info) && false;
#endif
}

bool compile_import_replace(void *handle, const char *name, void *function)
{
	struct tables tables = { 0 };
	struct link_map *map;
	bool any = false;

	if (dlinfo(handle, RTLD_DI_LINKMAP, &map))
		return false;
	read_tables(map->l_ld, &tables);
	for (int k = 0; k < 2 && tables.symbols && tables.names; k++)
		for (size_t i = 0; i < tables.sizes[k] / sizeof(ElfW(Rela)); i++) {
			const ElfW(Rela) *entry = &tables.relocations[k][i];
			const ElfW(Sym) *symbol = &tables.symbols[ELF64_R_SYM(entry->r_info)];

			if (!is_address(entry->r_info) ||
				strcmp(tables.names + symbol->st_name, name) != 0)
				continue;
			if (!write_slot((void **)(map->l_addr + entry->r_offset), function))
				return false;
			any = true;
		}
	return any;
}
