// SPDX-License-Identifier: MIT
#include "compile/compile_elf.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

/* Section types of a zebin. */
#define SHT_ZEBIN_SPIRV	  0xff000009u
#define SHT_ZEBIN_ZE_INFO 0xff000011u
#define SHT_ZEBIN_OPTIONS 0xff000014u

#ifndef EM_INTELGT
#define EM_INTELGT 205
#endif

static struct compile_bytes *place(struct compile_elf *elf, uint32_t type)
{
	switch (type) {
	case SHT_ZEBIN_SPIRV:
		return &elf->spirv;
	case SHT_ZEBIN_ZE_INFO:
		return &elf->ze_info;
	case SHT_ZEBIN_OPTIONS:
		return &elf->options;
	default:
		return NULL;
	}
}

static bool is_zebin(const Elf64_Ehdr *head)
{
	return !memcmp(head->e_ident, ELFMAG, SELFMAG) && head->e_ident[EI_CLASS] == ELFCLASS64 &&
	       head->e_ident[EI_DATA] == ELFDATA2LSB && head->e_machine == EM_INTELGT;
}

bool compile_elf_open(const void *data, size_t size, struct compile_elf *elf)
{
	const unsigned char *bytes = data;
	Elf64_Ehdr head;

	*elf = (struct compile_elf){ 0 };
	if (size < sizeof head)
		return false;
	memcpy(&head, bytes, sizeof head);
	if (!is_zebin(&head) || head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shoff > size ||
		head.e_shnum > (size - head.e_shoff) / sizeof(Elf64_Shdr))
		return false;
	for (unsigned i = 0; i < head.e_shnum; i++) {
		Elf64_Shdr section;
		memcpy(&section, bytes + head.e_shoff + i * sizeof section, sizeof section);
		if (section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS)
			continue;
		if (section.sh_offset > size || section.sh_size > size - section.sh_offset)
			return false;
		struct compile_bytes *found = place(elf, section.sh_type);
		if (found && !found->data)
			*found = (struct compile_bytes){ bytes + section.sh_offset,
				section.sh_size };
	}
	return true;
}
