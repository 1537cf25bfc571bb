# SPDX-License-Identifier: MIT
# tool_case.sh, to be read by tests of commands, which have set `zerocl`: a folder of their own,
# what counts failures, and a browser. A test ends with [ $failures = 0 ].
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# tool STATUS COMMAND WORD…: runs a command of zerocl; what it reports goes to $folder/out, messages
# to $folder/log.
tool() {
	local want=$1 command=$2
	shift 2
	"$zerocl" "$command" --output "$folder/out" "$@" >"$folder/log" 2>&1
	local got=$?
	[ $got = "$want" ] || fail "zerocl $command $*: status $got, not $want: $(cat "$folder/log")"
}

# has PATTERN, has -F TEXT: in what was reported.
has() {
	local kind=-E
	[ "$1" != -F ] || { kind=-F && shift; }
	grep -q $kind -- "$1" "$folder/out" || fail "no \"$1\" in: $(head -c 3000 "$folder/out")"
}

# said PATTERN: among the messages.
said() {
	grep -qE -- "$1" "$folder/log" || fail "no \"$1\" in: $(cat "$folder/log")"
}

# Ends the test (77) where there is no browser.
need_browser() {
	browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
	[ -n "$browser" ] && return
	echo "skipped: no Chromium (Debian: apt install chromium): the page is not opened"
	exit 77
}

# page FILE: opens a copy of the page, wide and narrow, without a window, with a script behind it that
# standard input has. It calls check(is, what), and what is wrong comes to stand in the copy's title.
# The page may name nothing outside of itself, and load nothing.
page() {
	local width dom title
	if grep -nE '(src|href)="[^#]|url\(|@import|https?:' "$1"; then
		fail "the page names something outside of itself"
	fi
	{
		cat "$1"
		echo "<script>const wrong = [], check = (is, what) => { if (!is) wrong.push(what); };"
		cat
		echo "check(performance.getEntriesByType('resource').length == 0, 'something was loaded');"
		echo "document.title = wrong.length ? 'wrong: ' + wrong.join('; ') : 'all is right';</script>"
	} >"$folder/checked.html"
	for width in 1300 700; do
		dom=$(timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
			--user-data-dir="$folder/profile" --host-resolver-rules="MAP * ~NOTFOUND" \
			--window-size=$width,900 --dump-dom "file://$folder/checked.html" 2>"$folder/errors")
		title=$(grep -oE '<title>[^<]*' <<<"$dom" | head -n 1)
		echo "$width: ${title#<title>}"
		[ "$title" = "<title>all is right" ] || fail "the page: $(head -n 5 "$folder/errors")"
	done
}
