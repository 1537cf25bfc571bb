#!/bin/sh
# SPDX-License-Identifier: MIT
# man.sh ZEROCL FOLDER: makes FOLDER anew with the manual pages zerocl.1 and zerocl-COMMAND.1, from what
# `zerocl --help` and `zerocl COMMAND --help` print: usage; paragraphs; rows of two blanks, a term, two
# blanks or more, and what it means, which lines of more blanks continue.
set -eu
zerocl=$1 folder=$2
version=$("$zerocl" --version)
rm -rf "$folder"
mkdir -p "$folder"

# page NAME WHAT: standard input, a help, as a page.
page() {
	awk -v name="$1" -v what="$2" -v version="$version" '
	function plain(text) {
		gsub(/\\/, "\\e", text)
		gsub(/-/, "\\-", text)
		return text ~ /^[.\x27]/ ? "\\&" text : text
	}
	function part(title) {
		if (title != at)
			print ".SH " title
		at = title
	}
	BEGIN {
		printf ".TH %s 1 \"\" \"%s\" \"ZeroCL\"\n", toupper(name), version
		print ".SH NAME\n" name " \\- " plain(what)
	}
	/^usage: / { part("SYNOPSIS"); sub(/^usage: /, ""); print ".nf\n" plain($0) "\n.fi"; next }
	at == "SYNOPSIS" && /^    / { sub(/^ +/, "    "); print ".nf\n" plain($0) "\n.fi"; next }
	/^  [^ ]/ {
		part(/^  -/ ? "OPTIONS" : name == "zerocl" ? "COMMANDS" : "WORDS")
		match(substr($0, 3), /   *|$/)
		term = substr($0, 3, RSTART - 1)
		text = substr($0, 3 + RSTART + RLENGTH - 1)
		columns = text ~ /[^ ]   *[^ ]/
		print ".TP"
		print name == "zerocl" ? ".BR zerocl\\-" term " (1)" : ".B " plain(term)
		print plain(text)
		next
	}
	/^    / { # more of the row; a line that has columns of its own stays one
		sub(/^ +/, "")
		columns = columns || /[^ ]   *[^ ]/
		print (columns ? ".br\n" : "") plain($0)
		next
	}
	/^$/ { if (at) print ".PP"; next }
	at { part(at ~ /^(SYNOPSIS|DESCRIPTION)$/ ? "DESCRIPTION" : "NOTES"); print plain($0) }
	END {
		if (name != "zerocl")
			print ".SH \"SEE ALSO\"\n.BR zerocl (1)"
	}' >"$folder/$1.1"
}

"$zerocl" --help | page zerocl "OpenCL for Intel Gen GPUs, real or virtual"
"$zerocl" --help | sed -nE 's/^  ([a-z]+) +(.*)/\1 \2/p' | while read -r command what; do
	"$zerocl" "$command" --help | page "zerocl-$command" "$what"
done
gzip -9n "$folder"/*.1
