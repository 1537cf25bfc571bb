#!/bin/bash
# SPDX-License-Identifier: MIT
# hashcat finds a word of a list by its digest, which others computed.
. "$(dirname "$0")/cases.sh"
command -v hashcat >/dev/null || missing "hashcat is not installed"
echo "version $(hashcat --version | tr -d v)"
export HOME=$work
printf '%s\n' apple orange ZeroCL2026 plum cherry quince >words

# crack MODE DIGEST
crack() {
	printf '%s\n' "$2" >"digest$1"
	hashcat -m "$1" -a 0 -D 1,2 --potfile-disable --quiet --outfile "found$1" --force "digest$1" words >log 2>&1 || true
	grep -q ':ZeroCL2026$' "found$1" 2>/dev/null || { tail -n 2 log; false; }
}

check MD5 crack 0 "$(printf ZeroCL2026 | md5sum | cut -c 1-32)"
check SHA-1 crack 100 "$(printf ZeroCL2026 | sha1sum | cut -c 1-40)"
check SHA-256 crack 1400 "$(printf ZeroCL2026 | sha256sum | cut -c 1-64)"
check SHA-512 crack 1700 "$(printf ZeroCL2026 | sha512sum | cut -c 1-128)"
check "NT hash" crack 1000 "$(printf ZeroCL2026 | iconv -t UTF-16LE | openssl dgst -md4 -provider legacy -r | cut -c 1-32)"
