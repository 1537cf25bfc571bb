#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_package_test.sh CMAKE BUILD: packs a build and looks into its packages: what each holds, that no
# file is in two of them, what it depends on, what lintian says (where it is). With ZEROCL_TEST_ROOT, the
# folder of a Debian root, and as root: installs them there, runs them, and removes them.
set -u
cmake=$1 build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
	echo "$*"
	failures=$((failures + 1))
}

mkdir "$folder/of" && cd "$folder" || exit 1
"$(dirname "$cmake")/cpack" -G DEB --config "$build/CPackConfig.cmake" -B "$folder" >cpack.log 2>&1 ||
	{ cat cpack.log; exit 1; }

# package NAME FILE… -- DEPENDENCY…: a package has these files, and names these packages.
package() {
	local name=$1 file depends
	file=$(echo "$folder/$name"_*.deb)
	shift
	dpkg-deb -x "$file" "$folder/of/$name" || fail "$name: dpkg-deb -x"
	while [ "$1" != -- ]; do
		[ -e "$folder/of/$name/$1" ] || [ -h "$folder/of/$name/$1" ] || fail "$name has no $1"
		shift
	done
	shift
	depends=$(dpkg-deb -f "$file" Depends Recommends | tr '\n' ' ')
	for package; do
		[[ "$depends" =~ [\ ,]"$package"(t64)?[\ ,] ]] || fail "$name: no $package in $depends"
	done
}

share=usr/share
package zerocl-opencl-icd usr/lib/libzerocl.so.1 usr/libexec/zerocl/zerocl-cc usr/libexec/zerocl/ready/v1 \
	etc/OpenCL/vendors/zerocl.icd -- libc6 libelf1 libyaml-0-2 libze1 intel-opencl-icd libigc1 \
	libigdfcl1 libzerocl-vgpu1 ocl-icd-libopencl1
package libzerocl-vgpu1 usr/lib/libzerocl-vgpu.so.1 -- libc6 libze1 libigc1 intel-opencl-icd
package zerocl-tools usr/bin/zerocl $share/man/man1/zerocl.1.gz $share/man/man1/zerocl-check.1.gz \
	$share/doc/zerocl/ARCHITECTURE.md $share/bash-completion/completions/zerocl -- libc6 \
	ocl-icd-libopencl1 zerocl-opencl-icd libzerocl-vgpu1
package libzerocl-vgpu-dev usr/include/zerocl_vgpu.h usr/lib/libzerocl-vgpu.so \
	usr/lib/pkgconfig/zerocl.pc -- libzerocl-vgpu1
names=$(ls "$folder/of")
packages=(./*.deb)
[ ${#packages[@]} = 4 ] || fail "packages: ${packages[*]}"

# Together they are what `cmake --install` gives, and each file is in one of them.
(cd of && for name in $names; do (cd "$name" && find . -type f -o -type l); done | sort) >in_packages
uniq -d <in_packages | grep . && fail "in two packages"
DESTDIR=$folder/whole "$cmake" --install "$build" --prefix /usr >/dev/null || fail "cmake --install"
(cd whole && find . -type f -o -type l) | sort | diff - in_packages | grep '^<' && fail "in no package"
grep -q '^/usr/lib/libzerocl.so.1$' of/zerocl-opencl-icd/etc/OpenCL/vendors/zerocl.icd || fail "the ICD file"
[ "$(dpkg-deb -I zerocl-opencl-icd_*.deb conffiles)" = /etc/OpenCL/vendors/zerocl.icd ] || fail conffiles

# What lintian may say: the developers have no address; libraries that are found by path, not by name,
# have no package or version of their own; CPack's scripts call ldconfig beside the trigger; libraries
# are not of several architectures; versions of packages are read out of dpkg's database.
if command -v lintian >/dev/null; then
	may='bogus-mail-host|package-name-doesnt-match-sonames libzerocl(1|-layer)|maintscript-calls-ldconfig'
	may+='|shared-library-lacks-version|pkg-config-unavailable-for-cross|uses-dpkg-database-directly'
	lintian --allow-root ./*.deb 2>&1 | grep -vE "$may" |
		grep -E '^[EW]: ' && fail lintian
else
	echo "skipped: no lintian (Debian: apt install lintian): the packages are not judged"
fi

if [ -n "${ZEROCL_TEST_ROOT:-}" ]; then
	inside() {
		chroot "$ZEROCL_TEST_ROOT" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
			DEBIAN_FRONTEND=noninteractive "$@"
	}
	mkdir -p "$ZEROCL_TEST_ROOT/packages"
	cp ./*.deb "$ZEROCL_TEST_ROOT/packages/"
	inside apt-get install -q -y --no-install-recommends "${packages[@]/#.//packages}" ||
		fail "apt-get install"
	inside zerocl doctor || fail "zerocl doctor"
	inside zerocl demo | grep '^demo: .* checks passed$' || fail "zerocl demo"
	inside apt-get purge -q -y '?name(zerocl)' || fail "apt-get purge"
	inside find /etc/OpenCL /usr/lib /usr/libexec -name '*zerocl*' | grep . && fail "left behind"
fi
[ $failures = 0 ]
