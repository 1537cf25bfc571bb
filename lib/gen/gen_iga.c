// SPDX-License-Identifier: MIT
#include "gen/gen_iga.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "util/util_bits.h"

struct iga iga;

static bool load_symbol(void *library, const char *name, void *slot)
{
	void *symbol = dlsym(library, name);

	memcpy(slot, &symbol, sizeof(symbol));
	return symbol != NULL;
}

/* Learns the number of the general registers from an instruction whose destination is one. */
static bool learn_grf(void)
{
	/* mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f, in the encoding of Gen12LP */
	static const uint32_t mov[4] = { 0x00030061, 0x01050aa0, 0x00460205, 0x00000000 };
	int status = 0;
	struct kv *kv = iga.kv_create(0x01000000, mov, sizeof(mov), &status, NULL, 0, 0);
	bool known;

	if (!kv)
		return false;
	iga.grf = iga.kv_get_destination_register_type(kv, 0);
	known = status == 0 &&
		(iga.grf == IGA_FIRST_GRF_NAME || iga.grf == IGA_FIRST_GRF_NAME + 1) &&
		iga.kv_get_destination_register(kv, 0) == 1 &&
		iga.kv_get_source_register(kv, 0, 0) == 2 &&
		iga.kv_get_destination_data_type(kv, 0) == IGA_TYPE_F;
	iga.kv_delete(kv);
	return known;
}

static void iga_load(void)
{
	static const char *const names[] = { "libiga64.so.1", "libiga64.so.2" };
	void *library = NULL;
	bool complete = true;

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(names) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!library) {
		snprintf(iga.problem, sizeof(iga.problem),
			"the decoder of machine code, libiga64.so.1 or .so.2, cannot be loaded: %s",
			dlerror());
		return;
	}
#define IGA(result, name, parameters)                                                              \
	complete = load_symbol(library, #name, (void *)&iga.name) && complete;
	IGA_FUNCTIONS
#undef IGA
	iga.complete = complete && learn_grf();
	if (!iga.complete)
		snprintf(iga.problem, sizeof(iga.problem),
			"the libiga64 that is installed is of an unknown version");
}

bool iga_open(struct gen_fault *fault)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, iga_load);
	if (!iga.complete)
		gen_fault_add(fault, GEN_FAULT_BAD_INSTRUCTION, "%s", iga.problem);
	return iga.complete;
}
