# SPDX-License-Identifier: MIT
# Completion of zerocl in fish, from what `zerocl --help` and `zerocl COMMAND --help` print.
function __zerocl_commands
	zerocl --help | string replace -rf '^  ([a-z]+) +(.*)' '$1\t$2'
end
function __zerocl_options
	set -l words (commandline -opc)
	zerocl $words[2] --help | string replace -rf '^  (--[a-z-]+)( \S+)? +(.*)' '$1\t$3'
end
complete -c zerocl -n __fish_use_subcommand -f -a '(__zerocl_commands)'
complete -c zerocl -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' \
	-f -a '(__zerocl_options)'
