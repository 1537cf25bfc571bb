# SPDX-License-Identifier: MIT
# The tests that also run over other families of the virtual device than the default one, as NAME.icl
# and so on. ci/test runs them all; `ctest -L family` only them.
set(families skl icl dg2)
# Intel's compilers since 2024 know nothing before Gen12: tests of other families are skipped there.
find_program(OCLOC ocloc REQUIRED)
set(compiled_families ${families})
foreach(family skl icl)
	string(REGEX REPLACE "^icl$" "icllp" acronym ${family})
	execute_process(COMMAND ${OCLOC} ids ${acronym} RESULT_VARIABLE unknown OUTPUT_QUIET ERROR_QUIET)
	if(unknown)
		list(REMOVE_ITEM compiled_families ${family})
	endif()
endforeach()
set(family_tests demo_on_zerocl demo_on_intel sg_matrix_test sg_barrier_test
	cl_compute_test cl_compute_test_on_intel cl_call_test cl_call_test_on_intel
	cl_sub_group_test cl_sub_group_test_on_intel
	cl_memory_test cl_image_test cl_image_block_test cl_image_command_test_on_intel
	cl_svm_test cl_program_test cl_spirv_test
	cl_printf_test cl_fault_test cl_bits_test cl_range_test cl_extension_test cl_capability_test
	cl_double_test cl_dnnl_test cl_matrix_test cl_matrix_test_on_intel gen_decode_test
	eu_engines_test tool_gdb_test check_test check_races_test check_memory_test check_init_test
	counts_reference_test)

# skip_family(name family): in place of a test whose family the compiler does not know.
function(skip_family name family)
	add_test(NAME ${name} COMMAND sh -c
		"echo 'skipped: the compiler does not know ${family}'; exit 77")
	set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# test_of_families(name COMMAND … PROPERTIES … ENVIRONMENT …): registers a test, and again for each
# of the other families that it is to run over, there without an argument "all".
function(test_of_families name)
	cmake_parse_arguments(PARSE_ARGV 1 T "" "" "COMMAND;PROPERTIES;ENVIRONMENT")
	add_test(NAME ${name} COMMAND ${T_COMMAND})
	set_tests_properties(${name} PROPERTIES ${T_PROPERTIES} ENVIRONMENT "${T_ENVIRONMENT}")
	if(name IN_LIST family_tests)
		list(REMOVE_ITEM T_COMMAND all)
		foreach(family ${families})
			if(NOT family IN_LIST compiled_families)
				skip_family(${name}.${family} ${family})
				continue()
			endif()
			add_test(NAME ${name}.${family} COMMAND ${T_COMMAND})
			set_tests_properties(${name}.${family} PROPERTIES ${T_PROPERTIES}
				ENVIRONMENT "${T_ENVIRONMENT};ZEROCL_VGPU=${family}")
			set_property(TEST ${name}.${family} APPEND PROPERTY LABELS family)
		endforeach()
	endif()
endfunction()
