# SPDX-License-Identifier: MIT
# Completion of zerocl in bash, from what `zerocl --help` and `zerocl COMMAND --help` print.
_zerocl() {
	local zerocl=${COMP_WORDS[0]} command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]}
	local before=${COMP_WORDS[COMP_CWORD - 1]} words i

	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		if [ "${COMP_WORDS[i]}" = -- ]; then
			declare -F _command_offset >/dev/null && _command_offset $((i + 1))
			return
		fi
	done
	if [ "$COMP_CWORD" = 1 ]; then
		words="$("$zerocl" --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p') --help --version"
	elif [[ $current == -* ]]; then
		words=$("$zerocl" "$command" --help 2>/dev/null | grep -oE -- '(^|[[ ])--[a-z][a-z-]*' | tr -d '[ ')
	elif [[ $before == --* || $COMP_CWORD == 2 ]]; then
		# What the usage gives as a choice: --width 8|16|32, or [list|clear|verify].
		[[ $before == --* ]] || before='usage: zerocl [a-z]+'
		words=$("$zerocl" "$command" --help 2>/dev/null |
			sed -nE "s/.*$before \\[?([a-z0-9]+(\\|[a-z0-9]+)+).*/\\1/p" | head -n 1 | tr '|' ' ')
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _zerocl zerocl
