#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_pages_test.sh ZEROCL MAN: each command has a manual page in the folder MAN that says what its
# --help says, and bash, zsh and fish complete commands and options.
set -u
zerocl=$1 man=$2
pages=$(cd "$(dirname "$0")/../../host/tool/help" && pwd)
failures=0

# says WHAT TEXT WORD…: the text has each of the words.
says() {
	local what=$1 text=$2 word
	shift 2
	for word; do
		grep -qF -- "$word" <<<"$text" || {
			echo "$what: no \"$word\" in: $text"
			failures=$((failures + 1))
		}
	done
}

commands=$("$zerocl" --help | sed -nE 's/^  ([a-z]+) .*/\1/p')
says commands "$commands" info demo check isa
mapfile -t words < <("$zerocl" --help | sed -nE 's/^  ([a-z]+) +(.*)/zerocl-\1(1)\2/p' | tr -d ' ')
# plain PAGE: its text without what man makes of it, and without blanks.
plain() {
	zcat "$man/$1.1.gz" | sed -E '/^\.(TP|nf|fi|PP|br)/d; s/^\.(B|SH) //; s/\\-/-/g; s/\\&//; s/\\e/\\/g; s/^\.BR //' |
		tr -d ' \n'
}
says zerocl.1 "$(plain zerocl)" "${words[@]}"
for command in $commands; do
	mapfile -t words < <("$zerocl" "$command" --help | sed -E 's/^usage: //; s/ //g' | grep .)
	says "zerocl-$command.1" "$(plain "zerocl-$command")" "${words[@]}"
	if command -v mandoc >/dev/null; then
		mandoc -Tlint -W error "$man/zerocl-$command.1.gz" || failures=$((failures + 1))
	fi
done
[ "$(ls "$man" | wc -l)" = $(($(wc -l <<<"$commands") + 1)) ] || { ls "$man"; failures=$((failures + 1)); }

PATH=$(dirname "$zerocl"):$PATH
# in_bash WORD…: what bash offers for the last of the words.
in_bash() {
	# shellcheck disable=SC2016
	bash --norc -c '. "$0"; COMP_WORDS=(zerocl "$@"); COMP_CWORD=$#; _zerocl; echo "${COMPREPLY[*]}"' \
		"$pages/zerocl.bash" "$@"
}
[ "$(in_bash inf)" = info ] || says bash "$(in_bash inf)" "info alone"
says bash "$(in_bash '')" $commands --version
says bash "$(in_bash check --)" --tools --suppressions
[ "$(in_bash isa --width '')" = "8 16 32" ] || says bash "$(in_bash isa --width '')" "8 16 32"
says bash "$(in_bash cache c)" clear
[ -z "$(in_bash check -- inf)" ] || says bash "$(in_bash check -- inf)" "nothing behind --"

if command -v zsh >/dev/null; then
	in_zsh() {
		# What it calls of zsh's completion, printed.
		# shellcheck disable=SC2016
		zsh -f -c '_describe() { print -rl -- ${(P)2} }; _call_program() { shift; "$@" }
			_files() { print files }; _normal() { print normal $CURRENT $words }
			complete_in() { words=(zerocl "$@"); CURRENT=$#words; . $page }
			page=$0; complete_in "$@"' "$pages/_zerocl" "$@"
	}
	says zsh "$(in_zsh inf)" "info:what ZeroCL found" cache:
	says zsh "$(in_zsh check --)" "--tools:races" "--output:"
	says zsh "$(in_zsh check -- prog a)" "normal 2 prog a"
	says zsh "$(in_zsh isa k)" files
else
	echo "skipped: no zsh (Debian: apt install zsh): its completion is not tried"
fi
if command -v fish >/dev/null; then
	in_fish() {
		HOME=/nonexistent fish --no-config -c "source $pages/zerocl.fish; complete -C '$*'"
	}
	says fish "$(in_fish zerocl ch)" check
	says fish "$(in_fish zerocl isa --w)" --width
else
	echo "skipped: no fish (Debian: apt install fish): its completion is not tried"
fi
[ $failures = 0 ]
