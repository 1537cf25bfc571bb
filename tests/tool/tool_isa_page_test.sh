#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_isa_page_test.sh ZEROCL: opens the page of `zerocl isa --html` for three kernels in a
# browser without a window, and checks there that both panes are filled, that links lead from one to
# the other and back, and that nothing is loaded. Skipped (77) without Chromium, which
# `ci/setup tests` installs.
set -u
zerocl=$1
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
	echo "skipped: no Chromium (Debian: apt install chromium): the page is not opened"
	exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$zerocl" isa --html --output "$folder/page.html" "$(dirname "$0")/isa_kernels.cl" || exit 1
if grep -nE '(src|href)="[^#]|url\(|@import|https?:' "$folder/page.html"; then
	echo "the page names something outside of itself"
	exit 1
fi

# The checks run in a copy of the page, where they leave what is wrong in its title.
cp "$folder/page.html" "$folder/checked.html"
cat >>"$folder/checked.html" <<'END'
<script>
const wrong = [];
const check = (is, what) => { if (!is) wrong.push(what); };
const source = document.getElementById('source'), native = document.getElementById('native');
const lines = source.querySelectorAll('li'), code = native.querySelectorAll('li');
check(lines.length == 26, lines.length + ' lines of source');
check(code.length > 60, code.length + ' instructions');
check(native.querySelectorAll('h2').length == 3, 'kernels');
check(source.textContent.includes('l[i ^ 1] < 3 ? 1'), 'escaped source');
check(native.textContent.includes('sync.bar'), 'a barrier');
const box = [source, native].map(pane => pane.getBoundingClientRect());
check(box[0].width > 300 && box[1].width > 300 && box[0].right <= box[1].left + 1, 'side by side');
let there = 0, back = 0;
for (const link of document.querySelectorAll('a[href]')) {
	const target = document.getElementById(link.getAttribute('href').slice(1));
	check(target, 'dangling ' + link.getAttribute('href'));
	if (!target) continue;
	const from = source.contains(link), to = source.contains(target);
	check(from != to, 'link within a pane ' + link.getAttribute('href'));
	if (from) there++; else back++;
	const line = link.parentElement.dataset.line;
	if (line) check(line == target.dataset.line, 'link to another line ' + line);
}
check(there >= 8 && back >= 40, there + ' links there, ' + back + ' back');
const barrier = [...lines].find(li => li.textContent.includes('\tbarrier('));
location.hash = barrier.querySelector('a').getAttribute('href');
const shown = document.querySelector('li:target');
check(shown && native.contains(shown) && shown.dataset.line == barrier.dataset.line, 'following');
barrier.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
check(native.querySelectorAll('li.same').length >= 3, 'lines are shown together');
check(performance.getEntriesByType('resource').length == 0, 'something was loaded');
document.title = wrong.length ? 'wrong: ' + wrong.join('; ') : 'all is right';
</script>
END
dom=$(timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
	--user-data-dir="$folder/profile" --host-resolver-rules="MAP * ~NOTFOUND" \
	--window-size=1400,900 --dump-dom "file://$folder/checked.html" 2>"$folder/errors")
title=$(grep -oE '<title>[^<]*' <<<"$dom" | head -n 1)
echo "${title#<title>}"
[ "$title" = "<title>all is right" ] || { head -n 5 "$folder/errors"; exit 1; }
