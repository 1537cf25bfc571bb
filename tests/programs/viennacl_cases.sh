#!/bin/bash
# SPDX-License-Identifier: MIT
# A program over ViennaCL, whose kernels are in its headers.
. "$(dirname "$0")/cases.sh"
[ -e /usr/include/viennacl/vector.hpp ] || missing "libviennacl-dev is not installed"
echo "version $(dpkg-query -W -f '${Version}' libviennacl-dev | cut -d + -f 1)"
c++ -std=c++17 -O1 -w -o cases "$(dirname "$0")/viennacl_cases.cpp" -lOpenCL
./cases
