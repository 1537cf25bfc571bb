# SPDX-License-Identifier: MIT
# Installation and packages. Parts install themselves where they are made, each for one of the
# components, which become one package each:
#
# icd          libzerocl.so.1, which loaders find by zerocl.icd, and the compiler's process zerocl-cc
# vgpu         libzerocl-vgpu.so.1, the virtual device
# tools        the command zerocl, its manual pages and completions, the documents; and what says nothing
# development  for programs that call the virtual device by its header: that, zerocl.pc
if(TARGET zerocl-vgpu)
	install(TARGETS zerocl-vgpu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT vgpu
		NAMELINK_COMPONENT development)
	install(FILES include/zerocl_vgpu.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
		COMPONENT development)
endif()
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools
	FILES_MATCHING PATTERN "*.md")

# The ICD file and zerocl.pc name files by their paths, which are known when the prefix is. Loaders
# look into /etc only, so that is where an installation for everybody puts it.
string(CONFIGURE [[
	set(vendors "${CMAKE_INSTALL_PREFIX}/etc/OpenCL/vendors")
	if("${CMAKE_INSTALL_PREFIX}" MATCHES "^/(usr|usr/local|opt|opt/.*)/?$")
		set(vendors /etc/OpenCL/vendors)
	endif()
	message(STATUS "Installing: $ENV{DESTDIR}${vendors}/zerocl.icd")
	file(WRITE "$ENV{DESTDIR}${vendors}/zerocl.icd"
		"${CMAKE_INSTALL_PREFIX}/@CMAKE_INSTALL_LIBDIR@/libzerocl.so.1\n")
	list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${vendors}/zerocl.icd")
]] install_icd @ONLY)
install(CODE "${install_icd}" COMPONENT icd)
string(CONFIGURE [[
	set(file "${CMAKE_INSTALL_PREFIX}/@CMAKE_INSTALL_LIBDIR@/pkgconfig/zerocl.pc")
	message(STATUS "Installing: $ENV{DESTDIR}${file}")
	file(WRITE "$ENV{DESTDIR}${file}" "prefix=${CMAKE_INSTALL_PREFIX}
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: zerocl
Description: The virtual Gen device of ZeroCL
Version: @PROJECT_VERSION@
Libs: -L\${libdir} -lzerocl-vgpu
Cflags: -I\${includedir}
")
	list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${file}")
]] install_pc @ONLY)
install(CODE "${install_pc}" COMPONENT development)

# `cpack -G DEB` in the build folder.
set(CPACK_PACKAGE_NAME zerocl)
set(CPACK_PACKAGE_CONTACT "The ZeroCL developers <zerocl@localhost>")
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL icd vgpu tools development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each has its own
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
	GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# package(component name section SUMMARY text DESCRIPTION text [DEPENDS …] [RECOMMENDS …]): what a
# package says of itself. Each has its copyright and its change log, as Debian wants them.
set(package_files ${PROJECT_BINARY_DIR}/package)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(MAKE_DIRECTORY ${package_files})
function(package component name section)
	cmake_parse_arguments(PARSE_ARGV 3 P "" "SUMMARY;DESCRIPTION;DEPENDS;RECOMMENDS" "")
	string(TOUPPER ${component} key)
	set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
	set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
	set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${P_DEPENDS}" PARENT_SCOPE)
	set(CPACK_DEBIAN_${key}_PACKAGE_RECOMMENDS "${P_RECOMMENDS}" PARENT_SCOPE)
	set(CPACK_DEBIAN_${key}_DESCRIPTION "${P_SUMMARY}\n${P_DESCRIPTION}" PARENT_SCOPE)
	set(files ${package_files}/${name})
	file(WRITE ${files}/changelog.Debian "${name} (${PROJECT_VERSION}) unstable; urgency=medium\n
  * This version.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
	execute_process(COMMAND gzip -9nf ${files}/changelog.Debian)
	install(FILES ${files}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
		RENAME changelog.gz COMPONENT ${component} EXCLUDE_FROM_ALL)
	install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME copyright
		COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

# Loaded when needed, so that no tool finds them: the driver, its loader and the compiler. Debian 12
# has the driver and the offline compiler in intel-opencl-icd.
set(driver "libze1, libigc2 | libigc1, libze-intel-gpu1 | intel-opencl-icd (<< 23.26)")
set(compiler "libigdfcl2 | libigdfcl1, intel-ocloc | intel-opencl-icd (<< 23.26)")
set(same "= ${PROJECT_VERSION}")
package(icd zerocl-opencl-icd libs SUMMARY "OpenCL 3.1 for Intel Gen GPUs, real or virtual"
	DESCRIPTION "An OpenCL platform on Intel's Level Zero driver and compiler. Where no GPU is,\n\
the virtual device of libzerocl-vgpu1 executes the same machine code."
	DEPENDS "${driver}, ${compiler}"
	RECOMMENDS "libzerocl-vgpu1 (${same}), ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_ICD_PACKAGE_PROVIDES opencl-icd)
package(vgpu libzerocl-vgpu1 libs SUMMARY "virtual Intel Gen GPU"
	DESCRIPTION "Gives a process an Intel GPU, Gen9 to Xe-HPG, below Intel's drivers and\n\
Mesa's. It executes machine code of kernels on the host's processor."
	DEPENDS "${driver}")
package(tools zerocl-tools devel SUMMARY "tools for OpenCL kernels on ZeroCL"
	DESCRIPTION "The command zerocl: runs programs on the virtual device, reports mistakes of\n\
kernels, shows native code beside its source, and says what a machine lacks."
	DEPENDS "zerocl-opencl-icd (${same}), libzerocl-vgpu1 (${same})" RECOMMENDS "clinfo")
package(development libzerocl-vgpu-dev libdevel SUMMARY "virtual Intel Gen GPU: header"
	DESCRIPTION "The header of libzerocl-vgpu1, by which programs install the device in\n\
themselves and learn of its faults."
	DEPENDS "libzerocl-vgpu1 (${same})")
# Which files an administrator may change, and that libraries come where the loader looks.
file(WRITE ${package_files}/conffiles "/etc/OpenCL/vendors/zerocl.icd\n")
file(WRITE ${package_files}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_ICD_PACKAGE_CONTROL_EXTRA ${package_files}/conffiles ${package_files}/triggers)
set(CPACK_DEBIAN_VGPU_PACKAGE_CONTROL_EXTRA ${package_files}/triggers)
if(TARGET zerocl-layer) # a library in the package of the tools
	set(CPACK_DEBIAN_TOOLS_PACKAGE_CONTROL_EXTRA ${package_files}/triggers)
endif()
include(CPack)
