// SPDX-License-Identifier: MIT
#include "core/device/svm_type.h"

#include "core/base/info.h"
#include "core/device/device.h"
#include "core/device/platform.h"

enum {
	DEVICE_READS_AND_WRITES =
		CL_SVM_CAPABILITY_DEVICE_READ_KHR | CL_SVM_CAPABILITY_DEVICE_WRITE_KHR,
	HOST_READS_AND_WRITES = CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR,
	OF_ALL_DEVICES =
		CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR,
};

/* Besides one address for host and devices, what each type is defined by. */
static const struct type {
	enum usm_type memory;
	bool is_fine;
	cl_svm_capabilities_khr capabilities;
} types[] = {
	{ USM_SVM, false,
		OF_ALL_DEVICES | DEVICE_READS_AND_WRITES | CL_SVM_CAPABILITY_HOST_MAP_KHR |
			CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR },
	{ USM_SVM, true,
		OF_ALL_DEVICES | DEVICE_READS_AND_WRITES | HOST_READS_AND_WRITES |
			CL_SVM_CAPABILITY_HOST_MAP_KHR |
			CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR |
			CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR },
	{ USM_DEVICE, false,
		CL_SVM_CAPABILITY_DEVICE_OWNED_KHR | DEVICE_READS_AND_WRITES |
			CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR |
			CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR },
	{ USM_HOST, false,
		OF_ALL_DEVICES | CL_SVM_CAPABILITY_HOST_OWNED_KHR | DEVICE_READS_AND_WRITES |
			HOST_READS_AND_WRITES | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR },
	{ USM_SHARED, false,
		DEVICE_READS_AND_WRITES | HOST_READS_AND_WRITES |
			CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR },
};

/* A bit of what Level Zero says of memory, and what it allows. */
struct access {
	cl_bitfield bit;
	cl_svm_capabilities_khr allows;
};

static const struct access of_memory[] = {
	{ CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL,
		CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR },
	{ CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL,
		CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR },
	{ CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL,
		CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR },
};

cl_bitfield usm_capabilities(const struct device *device, enum usm_type memory)
{
	const struct l0_device_info *hw = device->hw;

	/* the bits of all but the last are the same */
	return memory == USM_HOST     ? hw->host_access
	       : memory == USM_DEVICE ? hw->device_access
	       : memory == USM_SHARED ? hw->shared_access
				      : device->svm;
}

static cl_svm_capabilities_khr capabilities_of(const struct device *device, const struct type *type)
{
	const cl_bitfield access = usm_capabilities(device, type->memory);
	cl_svm_capabilities_khr all =
		CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | type->capabilities;

	if (type->memory == USM_SVM) {
		if (!(access & (type->is_fine ? CL_DEVICE_SVM_FINE_GRAIN_BUFFER
					      : CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)))
			return 0;
		if (type->is_fine && access & CL_DEVICE_SVM_ATOMICS)
			all |= CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR;
		return all;
	}
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(of_memory); i++)
		all |= access & of_memory[i].bit ? of_memory[i].allows : 0;
	return access & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL ? all : 0;
}

static const struct device *all_devices(void)
{
	return platform_device(platform_default(), NULL);
}

static bool is_there(const struct type *type)
{
	for (const struct device *device = all_devices(); device; device = device->next)
		if (capabilities_of(device, type))
			return true;
	return false;
}

/* NULL: the index is of none. */
static const struct type *type_at(cl_uint index)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(types); i++)
		if (is_there(&types[i]) && index-- == 0)
			return &types[i];
	return NULL;
}

cl_uint svm_type_count(void)
{
	cl_uint count = 0;

	while (type_at(count))
		count++;
	return count;
}

/* What all devices can do that have the type. */
static cl_svm_capabilities_khr common(const struct type *type)
{
	cl_svm_capabilities_khr all = ~(cl_svm_capabilities_khr)0;

	for (const struct device *device = all_devices(); device; device = device->next) {
		cl_svm_capabilities_khr one = capabilities_of(device, type);

		all &= one ? one : all;
	}
	return all;
}

cl_svm_capabilities_khr svm_type_capabilities(const struct device *device, cl_uint index)
{
	const struct type *type = type_at(index);

	return !type ? 0 : device ? capabilities_of(device, type) : common(type);
}

bool svm_type_memory(cl_uint index, enum usm_type *memory, bool *is_fine)
{
	const struct type *type = type_at(index);

	if (type) {
		*memory = type->memory;
		*is_fine = type->is_fine;
	}
	return type;
}

cl_uint svm_type_find(enum usm_type memory, bool is_fine)
{
	const struct type *type;

	for (cl_uint i = 0; (type = type_at(i)); i++)
		if (type->memory == memory && type->is_fine == is_fine)
			return i;
	return CL_UINT_MAX;
}

cl_int svm_type_answer(const struct device *device, const struct info *info)
{
	cl_svm_capabilities_khr list[UTIL_ARRAY_SIZE(types)];
	const cl_uint n = svm_type_count();

	for (cl_uint i = 0; i < n; i++)
		list[i] = svm_type_capabilities(device, i);
	return info_bytes(info, list, n * sizeof *list);
}
