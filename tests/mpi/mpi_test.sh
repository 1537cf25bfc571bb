#!/bin/bash
# SPDX-License-Identifier: MIT
# mpi_test.sh PROGRAM REFERENCE MPIRUN NAME: 1, 2 and 4 ranks, each with a device of its own, write the same
# bits, those of the reference.
set -eu
program=$1 reference=$2 mpirun=$3 name=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Ranks are processes of this machine; nothing of it but loopback is used, and root may run it.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader,tcp
export OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl_vader_single_copy_mechanism=none TMPDIR=$folder
# UCX would ask Level Zero for GPUs before the virtual device is there, and Level Zero keeps the answer.
export OMPI_MCA_pml=ob1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export ZEROCL_VGPU=tgllp,adls,tgllp,adls ZEROCL_VGPU_THREADS=1

for ranks in 1 2 4; do
	"$mpirun" -n $ranks "$program" "$folder/$ranks" >"$folder/log" 2>&1 || {
		cat "$folder/log"
		exit 1
	}
	grep -c "^rank .* of $ranks: .*(virtual)" "$folder/log" | grep -qx $ranks || { cat "$folder/log"; exit 1; }
	"$reference" "$name" "$folder/$ranks"
done
cmp "$folder/1" "$folder/2"
cmp "$folder/1" "$folder/4"
# Ranks have different devices: those of Alder Lake S and of Tiger Lake have different names.
[ "$(sed -n 's/^rank.*: \(.*\),.*/\1/p' "$folder/log" | sort -u | wc -l)" = 2 ] || { cat "$folder/log"; exit 1; }
