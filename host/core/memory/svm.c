// SPDX-License-Identifier: MIT
#include "core/memory/svm.h"

#include "core/base/error.h"
#include "core/base/info.h"
#include "core/memory/usm.h"

#include <string.h>

/* A page. */
#define MAX_ALIGN 4096

static cl_int check_flags(struct context *context, cl_svm_mem_flags flags)
{
	const cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
	const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
	cl_bitfield can = usm_context_capabilities(context, USM_SVM);

	REQUIRE(can, CL_INVALID_OPERATION);
	REQUIRE(!(flags & ~(access | fine | CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL)),
		CL_INVALID_VALUE);
	REQUIRE(!(flags & access & ((flags & access) - 1)), CL_INVALID_VALUE);
	REQUIRE(!(flags & CL_MEM_SVM_ATOMICS) || flags & CL_MEM_SVM_FINE_GRAIN_BUFFER,
		CL_INVALID_VALUE);
	REQUIRE(!(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) || can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER,
		CL_INVALID_OPERATION);
	REQUIRE(!(flags & CL_MEM_SVM_ATOMICS) || can & CL_DEVICE_SVM_ATOMICS, CL_INVALID_OPERATION);
	return CL_SUCCESS;
}

cl_int svm_alloc(
	struct context *context, cl_svm_mem_flags flags, size_t size, cl_uint align, void **out)
{
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	if ((rc = check_flags(context, flags)))
		return rc;
	if ((rc = context_check_alloc_size(context, flags, size)))
		return rc;
	REQUIRE(!(align & (align - 1)) && align <= MAX_ALIGN, CL_INVALID_VALUE);

	struct usm_block block = { .type = USM_SVM, .size = size, .flags = flags, .is_svm = true };
	rc = usm_add(context, &block, align);
	if (!rc)
		*out = block.address;
	return rc;
}

void svm_free(struct context *context, void *pointer)
{
	if (context && pointer)
		(void)usm_remove(context, pointer, true);
}

/* ---- cl_khr_unified_svm ---- */

/* What a list of properties says. */
struct wanted {
	uint64_t device, access, align;
};

/* The device that is named, or NULL. */
static struct device *device_of(const struct wanted *wanted)
{
	return device_from((cl_device_id)(uintptr_t)wanted->device);
}

static cl_int read_wanted(struct context *context, const cl_svm_alloc_properties_khr *properties,
	struct wanted *wanted)
{
	const struct usm_property rows[] = {
		{ CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, &wanted->device, UINT64_MAX },
		{ CL_SVM_ALLOC_ACCESS_FLAGS_KHR, &wanted->access,
			CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR |
				CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR |
				CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR },
		{ CL_SVM_ALLOC_ALIGNMENT_KHR, &wanted->align, UINT64_MAX },
	};

	*wanted = (struct wanted){ 0 };
	cl_int rc = usm_read_properties(properties, rows, UTIL_ARRAY_SIZE(rows));
	if (rc)
		return rc;
	REQUIRE(!wanted->device || context_has_device(context, device_of(wanted)),
		error_say(CL_INVALID_DEVICE,
			"the memory is to be of a device that is not of the context"));
	REQUIRE(!(wanted->align & (wanted->align - 1)) && wanted->align <= MAX_ALIGN,
		error_say(CL_INVALID_VALUE,
			"an alignment of %llu is no power of two, or more than %d",
			(unsigned long long)wanted->align, MAX_ALIGN));
	return CL_SUCCESS;
}

/* What all devices can do that are to reach the memory: the one that is named, or each. */
static cl_svm_capabilities_khr capabilities(
	const struct context *context, const struct device *device, cl_uint type)
{
	cl_svm_capabilities_khr all =
		device ? svm_type_capabilities(device, type) : ~(cl_svm_capabilities_khr)0;

	for (cl_uint i = 0; !device && i < context->n_devices; i++)
		all &= svm_type_capabilities(context->devices[i], type);
	return all;
}

cl_int svm_alloc_of_type(struct context *context, const cl_svm_alloc_properties_khr *properties,
	cl_uint type, size_t size, void **out)
{
	struct usm_block block = { .size = size, .is_svm = true };
	struct wanted wanted;
	bool is_fine;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(svm_type_memory(type, &block.type, &is_fine),
		error_say(CL_INVALID_VALUE, "there are %u types of shared memory, and no type %u",
			svm_type_count(), type));
	if ((rc = read_wanted(context, properties, &wanted)))
		return rc;
	block.device = device_of(&wanted);
	const cl_svm_capabilities_khr can = capabilities(context, block.device, type);
	REQUIRE(can,
		error_say(CL_INVALID_OPERATION, "not every device has memory of type %u", type));
	REQUIRE(block.device || can & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR,
		error_say(CL_INVALID_DEVICE,
			"memory of type %u is of a device, which is to be named", type));
	*out = NULL;
	if (!size)
		return CL_SUCCESS;
	if ((rc = context_check_alloc_size(context, 0, size)))
		return rc;

	if (block.type == USM_SVM)
		block.flags = CL_MEM_READ_WRITE | (is_fine ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
	while (properties && properties[block.n_properties])
		block.n_properties += 2;
	block.n_properties += properties != NULL;
	for (size_t i = 0; i < block.n_properties; i++)
		block.properties[i] = properties[i];
	rc = usm_add(context, &block, wanted.align);
	if (!rc)
		*out = block.address;
	return rc;
}

cl_int svm_free_checked(struct context *context, const cl_svm_free_properties_khr *properties,
	cl_svm_free_flags_khr flags, void *pointer)
{
	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(!properties || !*properties,
		error_say(CL_INVALID_PROPERTY, "0x%llx is no property of a release",
			(unsigned long long)*properties));
	REQUIRE(!flags, error_say(CL_INVALID_VALUE, "there are no flags 0x%llx",
				(unsigned long long)flags));
	REQUIRE(!pointer || usm_remove(context, pointer, true),
		error_say(CL_INVALID_VALUE, "no shared memory of the context begins there"));
	return CL_SUCCESS;
}

cl_int svm_suggest_type(struct context *context, cl_svm_capabilities_khr required,
	cl_svm_capabilities_khr desired, const cl_svm_alloc_properties_khr *properties,
	cl_uint *type)
{
	struct wanted wanted;
	int best = -1;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(type, CL_INVALID_VALUE);
	if ((rc = read_wanted(context, properties, &wanted)))
		return rc;
	*type = CL_UINT_MAX;
	for (cl_uint i = 0; i < svm_type_count(); i++) {
		const cl_svm_capabilities_khr can = capabilities(context, device_of(&wanted), i);
		const int score = __builtin_popcountll(can & desired);

		if (!can || (can & required) != required || score <= best)
			continue;
		best = score;
		*type = i;
	}
	return CL_SUCCESS;
}

/* What is said of a pointer. */
struct pointer_facts {
	struct usm_block block;
	cl_uint type;
	cl_svm_capabilities_khr capabilities;
	struct wanted wanted;
};

static cl_int answer_properties(const void *object, const struct info *info)
{
	const struct pointer_facts *facts = object;

	return info_bytes(info, facts->block.properties,
		facts->block.n_properties * sizeof *facts->block.properties);
}

static const struct info_row rows[] = {
	INFO_FIELD(CL_SVM_INFO_TYPE_INDEX_KHR, struct pointer_facts, type),
	INFO_FIELD(CL_SVM_INFO_CAPABILITIES_KHR, struct pointer_facts, capabilities),
	INFO_FN(CL_SVM_INFO_PROPERTIES_KHR, answer_properties),
	INFO_FIELD(CL_SVM_INFO_ACCESS_FLAGS_KHR, struct pointer_facts, wanted.access),
	INFO_FIELD(CL_SVM_INFO_BASE_PTR_KHR, struct pointer_facts, block.address),
	INFO_FIELD(CL_SVM_INFO_SIZE_KHR, struct pointer_facts, block.size),
	INFO_FIELD(CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, struct pointer_facts, block.device),
};

cl_int svm_pointer_info(struct context *context, cl_device_id handle, const void *pointer,
	cl_svm_pointer_info_khr param, const struct info *info)
{
	struct pointer_facts facts = { .type = CL_UINT_MAX };
	struct device *device = device_from(handle);

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(!handle || context_has_device(context, device), CL_INVALID_DEVICE);
	if (usm_find(context, pointer, &facts.block)) {
		const bool is_fine = facts.block.type == USM_SVM &&
				     facts.block.flags & CL_MEM_SVM_FINE_GRAIN_BUFFER;

		facts.type = svm_type_find(facts.block.type, is_fine);
		facts.capabilities = svm_type_capabilities(device, facts.type);
		(void)read_wanted(context, facts.block.n_properties ? facts.block.properties : NULL,
			&facts.wanted);
	}
	return INFO_GET(rows, &facts, param, info);
}
