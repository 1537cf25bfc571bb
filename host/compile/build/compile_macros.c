// SPDX-License-Identifier: MIT
#include "compile/build/compile_macros.h"

#include "compile/build/compile_builtins.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Intel's front end must be given all extensions that it knows for a family, or its own headers do
 * not compile. So it defines the macros of all of them; those that the device does not report are
 * taken away again before the application's first line.
 */
static const char *const extensions[] = {
	"cl_ext_float_atomics",
	"cl_intel_accelerator",
	"cl_intel_advanced_motion_estimation",
	"cl_intel_command_queue_families",
	"cl_intel_device_attribute_query",
	"cl_intel_device_side_avc_motion_estimation",
	"cl_intel_driver_diagnostics",
	"cl_intel_media_block_io",
	"cl_intel_mem_force_host_memory",
	"cl_intel_motion_estimation",
	"cl_intel_packed_yuv",
	"cl_intel_planar_yuv",
	"cl_intel_required_subgroup_size",
	"cl_intel_simultaneous_sharing",
	"cl_intel_spirv_device_side_avc_motion_estimation",
	"cl_intel_spirv_media_block_io",
	"cl_intel_spirv_subgroups",
	"cl_intel_split_work_group_barrier",
	"cl_intel_subgroup_local_block_io",
	"cl_intel_subgroups",
	"cl_intel_subgroups_char",
	"cl_intel_subgroups_long",
	"cl_intel_subgroups_short",
	"cl_intel_unified_shared_memory",
	"cl_khr_3d_image_writes",
	"cl_khr_byte_addressable_store",
	"cl_khr_create_command_queue",
	"cl_khr_depth_images",
	"cl_khr_device_uuid",
	"cl_khr_expect_assume",
	"cl_khr_extended_bit_ops",
	"cl_khr_fp16",
	"cl_khr_fp64",
	"cl_khr_gl_depth_images",
	"cl_khr_gl_msaa_sharing",
	"cl_khr_global_int32_base_atomics",
	"cl_khr_global_int32_extended_atomics",
	"cl_khr_icd",
	"cl_khr_il_program",
	"cl_khr_image2d_from_buffer",
	"cl_khr_int64_base_atomics",
	"cl_khr_int64_extended_atomics",
	"cl_khr_integer_dot_product",
	"cl_khr_local_int32_base_atomics",
	"cl_khr_local_int32_extended_atomics",
	"cl_khr_mipmap_image",
	"cl_khr_mipmap_image_writes",
	"cl_khr_pci_bus_info",
	"cl_khr_priority_hints",
	"cl_khr_spir",
	"cl_khr_spirv_no_integer_wrap_decoration",
	"cl_khr_subgroup_ballot",
	"cl_khr_subgroup_clustered_reduce",
	"cl_khr_subgroup_extended_types",
	"cl_khr_subgroup_non_uniform_arithmetic",
	"cl_khr_subgroup_non_uniform_vote",
	"cl_khr_subgroup_shuffle",
	"cl_khr_subgroup_shuffle_relative",
	"cl_khr_subgroups",
	"cl_khr_suggested_local_work_size",
	"cl_khr_throttle_hints",
};

static const char *const features[] = {
	"__opencl_c_3d_image_writes",
	"__opencl_c_atomic_order_acq_rel",
	"__opencl_c_atomic_order_seq_cst",
	"__opencl_c_atomic_scope_all_devices",
	"__opencl_c_atomic_scope_device",
	"__opencl_c_device_enqueue",
	"__opencl_c_ext_fp16_global_atomic_add",
	"__opencl_c_ext_fp16_global_atomic_load_store",
	"__opencl_c_ext_fp16_global_atomic_min_max",
	"__opencl_c_ext_fp16_local_atomic_add",
	"__opencl_c_ext_fp16_local_atomic_load_store",
	"__opencl_c_ext_fp16_local_atomic_min_max",
	"__opencl_c_ext_fp32_global_atomic_add",
	"__opencl_c_ext_fp32_global_atomic_min_max",
	"__opencl_c_ext_fp32_local_atomic_add",
	"__opencl_c_ext_fp32_local_atomic_min_max",
	"__opencl_c_ext_fp64_global_atomic_add",
	"__opencl_c_ext_fp64_global_atomic_min_max",
	"__opencl_c_ext_fp64_local_atomic_add",
	"__opencl_c_ext_fp64_local_atomic_min_max",
	"__opencl_c_fp64",
	"__opencl_c_generic_address_space",
	"__opencl_c_images",
	"__opencl_c_int64",
	"__opencl_c_integer_dot_product_input_4x8bit",
	"__opencl_c_integer_dot_product_input_4x8bit_packed",
	"__opencl_c_pipes",
	"__opencl_c_program_scope_global_variables",
	"__opencl_c_read_write_images",
	"__opencl_c_subgroups",
	"__opencl_c_work_group_collective_functions",
};

/* Whether the list holds the name as a whole word. */
static bool lists(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}

/* The application may define such a macro itself; that is its business. */
static bool is_defined_by(const char *options, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = options; (at = strstr(at, name)); at += length) {
		char after = at[length];
		if (at == options || (after && !strchr(" \t=\"", after)))
			continue;
		if (at[-1] == 'D' || at[-1] == ' ' || at[-1] == '"')
			return true;
	}
	return false;
}

static void hide(
	FILE *out, const char *list, const char *name, const char *macro, const char *options)
{
	if (!lists(list, name) && !is_defined_by(options, macro))
		fprintf(out, "#undef %s\n", macro);
}

char *compile_macros_prefix(const struct compile_request *request)
{
	const char *options = request->options ? request->options : "";
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; request->extensions && i < sizeof extensions / sizeof *extensions; i++)
		hide(out, request->extensions, extensions[i], extensions[i], options);
	for (size_t i = 0; request->features && i < sizeof features / sizeof *features; i++)
		hide(out, request->features, features[i], features[i], options);
	if (request->features)
		hide(out, request->features, "__opencl_c_images", "__IMAGE_SUPPORT__", options);
	compile_builtins_put(out, request);
	if (ftell(out) > 0)
		fputs("#line 1\n", out);
	bool failed = ferror(out);
	if (fclose(out) || failed) {
		free(text);
		return NULL;
	}
	return text;
}
