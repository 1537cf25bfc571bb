// SPDX-License-Identifier: MIT
#include "compile/zebin/buffer_image_mark.h"

#include "compile/zebin/elf_file.h"

#include <elf.h>
#include <string.h>

/* In the number of the product. */
#define MARK 0x40000000u

/* The product's number in the file, 0 if it has none; *place is where. */
static uint32_t product_of(const void *native, size_t size, size_t *place)
{
	struct elf_file file;
	uint32_t product = 0;

	*place = 0;
	if (elf_file_read(&file, native, size) != COMPILE_OK)
		return 0;
	const unsigned char *at = elf_file_product(&file);
	if (at) {
		*place = (size_t)(at - (const unsigned char *)native);
		memcpy(&product, at, sizeof(product));
	}
	elf_file_finish(&file);
	return product;
}

bool buffer_image_is_marked(const void *native, size_t size)
{
	size_t place;

	return product_of(native, size, &place) & MARK;
}

bool buffer_image_mark(void *native, size_t size, bool is_marked)
{
	size_t place;
	uint32_t product = product_of(native, size, &place);

	if (!place)
		return false;
	product = is_marked ? product | MARK : product & ~MARK;
	memcpy((unsigned char *)native + place, &product, sizeof(product));
	return true;
}

/* The module's place in the file; the file is a zebin. */
static bool exchange(unsigned char *bytes, const void *spirv, size_t spirv_size)
{
	Elf64_Ehdr head;
	Elf64_Shdr section;

	memcpy(&head, bytes, sizeof(head));
	for (unsigned i = 0; i < head.e_shnum; i++) {
		unsigned char *at = bytes + head.e_shoff + i * sizeof(section);

		memcpy(&section, at, sizeof(section));
		if (section.sh_type != ELF_FILE_SPIRV)
			continue;
		if (section.sh_size < spirv_size)
			return false;
		memcpy(bytes + section.sh_offset, spirv, spirv_size);
		section.sh_size = spirv_size;
		memcpy(at, &section, sizeof(section));
	}
	return true;
}

bool buffer_image_finish(void *native, size_t size, const void *spirv, size_t spirv_size)
{
	return buffer_image_mark(native, size, true) && exchange(native, spirv, spirv_size);
}
