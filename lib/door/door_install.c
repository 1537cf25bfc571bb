// SPDX-License-Identifier: MIT
#include "zerocl_vgpu.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "eu/watch/eu_watch.h"
#include "eu/watch/eu_allocation.h"
#include "eu/watch/eu_command.h"
#include "eu/watch/eu_race.h"
#include "eu/watch/eu_writes.h"
#include "eu/debug/eu_debug.h"
#include "eu/ops/eu_symbols.h"
#include "eu/profile/eu_profile.h"
#include "door/door_entry.h"
#include "door/door_file.h"
#include "drm/schedule/drm_fault.h"
#include "drm/memory/drm_raw.h"
#include "drm/memory/drm_timeline.h"
#include "util/util_settings.h"
#include "util/util_thread.h"

#define DRIVER "libze_intel_gpu.so.1"

#if defined(__x86_64__)
enum {
	RELOC_SLOT = R_X86_64_JUMP_SLOT,
	RELOC_DATA = R_X86_64_GLOB_DAT,
	RELOC_POINTER = R_X86_64_64, /* in a variable of the library */
};
#elif defined(__aarch64__)
enum {
	RELOC_SLOT = R_AARCH64_JUMP_SLOT,
	RELOC_DATA = R_AARCH64_GLOB_DAT,
	RELOC_POINTER = R_AARCH64_ABS64,
};
#endif

/* What the dynamic section of a loaded library says about its imports. */
struct imports {
	uintptr_t base;
	const ElfW(Sym) * symbols;
	const char *names;
	const ElfW(Rela) * tables[2];
	size_t counts[2];
	uintptr_t relro, relro_end; /* pages that the linker made read-only */
};

static void read_dynamic(const struct link_map *map, struct imports *imports)
{
	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
		switch (d->d_tag) {
		case DT_SYMTAB:
			imports->symbols = (const void *)d->d_un.d_ptr;
			break;
		case DT_STRTAB:
			imports->names = (const void *)d->d_un.d_ptr;
			break;
		case DT_JMPREL:
			imports->tables[0] = (const void *)d->d_un.d_ptr;
			break;
		case DT_PLTRELSZ:
			imports->counts[0] = d->d_un.d_val / sizeof(ElfW(Rela));
			break;
		case DT_RELA:
			imports->tables[1] = (const void *)d->d_un.d_ptr;
			break;
		case DT_RELASZ:
			imports->counts[1] = d->d_un.d_val / sizeof(ElfW(Rela));
			break;
		default:
			break;
		}
	}
	imports->base = map->l_addr;
}

/* dl_iterate_phdr: finds the library's read-only-after-relocation pages. */
static int read_relro(struct dl_phdr_info *info, size_t size, void *data)
{
	struct imports *imports = data;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;

	(void)size;
	if (info->dlpi_addr != imports->base)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		if (header->p_type != PT_GNU_RELRO)
			continue;
		imports->relro = (imports->base + header->p_vaddr) & ~page;
		imports->relro_end = (imports->base + header->p_vaddr + header->p_memsz) & ~page;
	}
	return 1;
}

/* 0 when the name is none of the table's. */
static uintptr_t replacement_of(const char *name)
{
	size_t count;
	const struct door_replacement *table = door_entry_table(&count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(table[i].symbol, name) == 0)
			return (uintptr_t)table[i].function;
	}
	return 0;
}

/* Counts the imports that have replacements, and points them there if `write`. Returns the count.
 */
static unsigned redirect(const struct imports *imports, bool write)
{
	unsigned found = 0;

	for (int t = 0; t < 2; t++) {
		for (size_t i = 0; imports->tables[t] && i < imports->counts[t]; i++) {
			const ElfW(Rela) *entry = &imports->tables[t][i];
			unsigned type = ELF64_R_TYPE(entry->r_info);
			const char *name = imports->names +
					   imports->symbols[ELF64_R_SYM(entry->r_info)].st_name;
			uintptr_t *slot = (uintptr_t *)(imports->base + entry->r_offset);
			uintptr_t function;
			if ((type != RELOC_SLOT && type != RELOC_DATA && type != RELOC_POINTER) ||
				(type == RELOC_POINTER && entry->r_addend))
				continue;
			function = replacement_of(name);
			if (!function)
				continue;
			found++;
			if (write)
				__atomic_store_n(slot, function, __ATOMIC_RELEASE);
		}
	}
	return found;
}

static int redirect_driver(void *driver, char *reason, size_t size)
{
	struct imports imports = { 0 };
	struct link_map *map = NULL;
	size_t length;
	int rc = 0;

	if (dlinfo(driver, RTLD_DI_LINKMAP, &map) || !map) {
		snprintf(reason, size, "%s: its link map cannot be read", DRIVER);
		return -ENOEXEC;
	}
	read_dynamic(map, &imports);
	dl_iterate_phdr(read_relro, &imports);
	if (!imports.symbols || !imports.names || redirect(&imports, false) == 0) {
		snprintf(reason, size, "%s: it imports none of the kernel's entry points", DRIVER);
		return -ENOEXEC;
	}
	length = imports.relro_end - imports.relro;
	if (length)
		rc = drm_raw_mprotect((void *)imports.relro, length, PROT_READ | PROT_WRITE);
	if (rc) {
		snprintf(reason, size, "%s: its import table cannot be written", DRIVER);
		return rc;
	}
	redirect(&imports, true);
	if (length)
		drm_raw_mprotect((void *)imports.relro, length, PROT_READ);
	return 0;
}

static bool names_devices(char *reason, size_t size)
{
	util_settings_read();
	for (unsigned i = 0; i < door_tree_devices(); i++)
		if (!door_gen(i)) {
			snprintf(reason, size, "ZEROCL_VGPU names no virtual device");
			return false;
		}
	return true;
}

/* Loads the driver, which is never closed, because its import table leads here from now on. */
static int install(char *reason, size_t size)
{
	void *driver = dlopen(DRIVER, RTLD_NOW | RTLD_LOCAL);

	if (!driver) {
		snprintf(reason, size, "%s cannot be loaded: %s", DRIVER, dlerror());
		return -ENOENT;
	}
	int rc = redirect_driver(driver, reason, size);
	if (rc)
		dlclose(driver);
	return rc;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 0)

int zerocl_vgpu_install_into(void *driver, char *reason, size_t reason_size)
{
	static bool installed; /* under lock */
	char ignored[1];
	int rc = 0;

	if (!reason || !reason_size) {
		reason = ignored;
		reason_size = sizeof(ignored);
	}
	reason[0] = '\0';
	pthread_mutex_lock(&lock);
	if ((driver || !installed) && !names_devices(reason, reason_size))
		rc = -ENODEV;
	else if (driver)
		rc = redirect_driver(driver, reason, reason_size);
	else if (!installed && !(rc = install(reason, reason_size)))
		installed = true;
	pthread_mutex_unlock(&lock);
	return rc;
}

int zerocl_vgpu_install(char *reason, size_t reason_size)
{
	return zerocl_vgpu_install_into(NULL, reason, reason_size);
}

size_t zerocl_vgpu_take_fault(unsigned number, char *report, size_t size)
{
	struct drm_device *device = door_device(number);

	if (report && size)
		report[0] = '\0';
	return device ? drm_fault_take(device, report, size) : 0;
}

int zerocl_vgpu_wait(unsigned number, uint64_t *seen, uint64_t timeout_ns)
{
	const uint64_t most = 100000000; /* ns; who waits looks for faults in between */
	struct drm_device *device = door_device(number);

	if (!device)
		return 0;
	drm_timeline_await(device, seen,
		drm_timeline_now() + (int64_t)(timeout_ns < most ? timeout_ns : most));
	return 1;
}

int zerocl_vgpu_wants_names(void)
{
	unsigned checks = EU_WATCH_CHECK | EU_WATCH_MEMORY | EU_WATCH_RACES | EU_WATCH_NANS |
			  EU_WATCH_WRITES | EU_WATCH_GDB;

	/* Two devices may have the same addresses. */
	if (door_tree_devices() != 1)
		return 0;
	if (eu_watch_wanted() & checks)
		return ZEROCL_VGPU_NAMES_CODE | ZEROCL_VGPU_NAMES_MEMORY |
		       (eu_watch_wanted() & EU_WATCH_RACES ? ZEROCL_VGPU_NAMES_COMMANDS : 0);
	return eu_profile_wanted() ? ZEROCL_VGPU_NAMES_CODE : 0;
}

int zerocl_vgpu_name_code(uint64_t address, size_t size, const struct zerocl_vgpu_code *code)
{
	_Static_assert(sizeof(struct zerocl_vgpu_line) == sizeof(struct eu_name_line) &&
			       offsetof(struct zerocl_vgpu_line, line) ==
				       offsetof(struct eu_name_line, line),
		"both are {offset, line, column}");
	const struct eu_name name = { .kernel = code->kernel,
		.lines = (const struct eu_name_line *)(const void *)code->lines,
		.count = code->n_lines,
		.source = code->source,
		.has_sub_group_barriers = code->has_sub_group_barriers,
		.hidden_first = code->hidden_first,
		.hidden_end = code->hidden_end };

	if (eu_debug_wanted() && !eu_debug_code_add(address, size, code->kernel, code->binary,
					 code->binary_size, code->source))
		return -ENOMEM;
	return eu_name_add(address, size, &name) ? 0 : -ENOMEM;
}

void zerocl_vgpu_forget_code(uint64_t address)
{
	eu_debug_code_remove(address);
	eu_name_remove(address);
}

int zerocl_vgpu_name_memory(uint64_t address, size_t size)
{
	return eu_allocation_add(address, size) ? 0 : -ENOMEM;
}

#define FORWARD(name, parameters, call)                                                            \
	void zerocl_vgpu_##name parameters                                                         \
	{                                                                                          \
		call;                                                                              \
	}
FORWARD(read_environment, (void), util_settings_read())
FORWARD(own_memory, (uint64_t address), eu_allocation_own(address))
FORWARD(clear_memory, (uint64_t address), eu_allocation_clear(address))
FORWARD(write_memory, (uint64_t address, size_t size), eu_allocation_write(address, size))
FORWARD(forget_memory, (uint64_t address), eu_allocation_remove(address))
FORWARD(watch_byte, (uint64_t address), eu_writes_watch(address))
FORWARD(enter_command, (uint32_t command), eu_command_enter(command))
FORWARD(see_command, (uint32_t command), eu_command_see(command))
FORWARD(touch_memory, (uint32_t command, uint64_t address, size_t size, int writes),
	eu_race_touch(command, address, size, writes != 0))

uint32_t zerocl_vgpu_order_command(
	const char *name, uint32_t chain, const uint32_t *after, size_t n_after)
{
	return eu_command_add(name, chain, after, n_after);
}

/* At exit nothing may still run: the process's memory is about to go away. */
__attribute__((destructor)) static void leave(void)
{
	struct drm_device *device;

	for (unsigned i = 0; i < DOOR_MAX_DEVICES; i++)
		if ((device = door_device(i)))
			drm_device_quiesce(device, 2000);
}
