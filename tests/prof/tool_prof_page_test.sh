#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_prof_page_test.sh ZEROCL PROF_RUN: opens the page of `zerocl prof --format html` in a browser
# without a window, wide and narrow, and checks what it shows and that nothing is loaded. Skipped
# (77) without Chromium, which `ci/setup tests` installs.
set -u
zerocl=$1 run=$2
source=$(cd "$(dirname "$0")" && pwd)/profile.cl
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
	echo "skipped: no Chromium (Debian: apt install chromium): the page is not opened"
	exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$zerocl" prof --format html --output "$folder/page.html" --source "$source" -- \
	"$run" "$source" 2048 64 16 strided banks loops
[ $? = 3 ] || exit 1
if grep -nE '(src|href)="[^#]|url\(|@import|https?:' "$folder/page.html"; then
	echo "the page names something outside of itself"
	exit 1
fi
cp "$folder/page.html" "$folder/checked.html"
cat >>"$folder/checked.html" <<'END'
<script>
const wrong = [];
const check = (is, what) => { if (!is) wrong.push(what); };
const source = document.getElementById('source'), native = document.getElementById('native');
const table = document.getElementById('kernels'), names = () => [...table.tBodies[0].rows].map(r => r.cells[0].textContent);
check(names().length == 3, 'kernels ' + names());
// Tables sort by what a click chooses, and the other way by the next one.
const head = [...table.querySelectorAll('th')].find(th => th.textContent == 'conflicts');
head.click();
check(names()[0] == 'banks', 'not sorted by conflicts: ' + names());
head.click();
check(names()[2] == 'banks', 'not sorted the other way: ' + names());
const executed = [...table.querySelectorAll('th')].find(th => th.textContent == 'executed');
executed.click();
const sorted = [...table.tBodies[0].rows].map(r => +r.cells[6].dataset.v);
check(sorted[0] >= sorted[1] && sorted[1] >= sorted[2], 'numbers as text: ' + sorted);
// The roofline has a point for each kernel that touches memory.
check(document.querySelectorAll('#roofline .dot').length == 3, 'points');
check(document.querySelectorAll('#roofline .roof').length == 2, 'roofs');
const box = document.getElementById('roofline').getBoundingClientRect();
check(box.width > 200 && box.height > 80 && box.right <= innerWidth, 'the picture: ' + box.width);
// Source and code: the line's numbers, heat, partners, links.
const line = [...source.querySelectorAll('li')].find(li => li.textContent.includes('a[GID] = b[GID * n]'));
check(line && line.dataset.line && line.querySelector('.hot'), 'the hot line');
const partners = native.querySelectorAll(`li[data-line="${line.dataset.line}"]`);
check(partners.length > 5, partners.length + ' instructions of the line');
line.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
check(native.querySelectorAll('li.same').length == partners.length, 'shown together');
line.dispatchEvent(new MouseEvent('click', { bubbles: true }));
check(native.querySelectorAll('li.pinned').length == partners.length, 'pinned');
const sends = native.querySelectorAll('li.m'), flow = native.querySelectorAll('li.f');
check(sends.length > 8 && flow.length >= 3, 'messages and branches: ' + sends.length + ', ' + flow.length);
const colour = li => getComputedStyle(li.querySelector('.o')).color;
check(new Set([colour(sends[0]), colour(flow[0]), colour(native.querySelector('li.a'))]).size == 3, 'told apart');
for (const link of document.querySelectorAll('a[href]'))
	check(document.getElementById(link.getAttribute('href').slice(1)), 'dangling ' + link.getAttribute('href'));
check(flow[0].querySelectorAll('code a').length > 0 || flow[1].querySelectorAll('code a').length > 0, 'labels link');
// Two panes beside each other where there is room, below each other where there is not.
const panes = [source, native].map(pane => pane.getBoundingClientRect());
if (innerWidth > 800) check(panes[0].right <= panes[1].left + 1 && panes[0].width > 300, 'side by side');
else check(panes[0].bottom <= panes[1].top + 1 && panes[1].width > innerWidth * 0.9, 'one below the other');
check(document.documentElement.scrollWidth <= innerWidth, 'wider than the window: ' + document.documentElement.scrollWidth);
// Dark and light.
const back = () => getComputedStyle(document.body).backgroundColor, before = back();
document.getElementById('theme').click();
check(back() != before, 'one colour only: ' + before);
check(performance.getEntriesByType('resource').length == 0, 'something was loaded');
document.title = wrong.length ? 'wrong: ' + wrong.join('; ') : 'all is right';
</script>
END
failures=0
for width in 1300 700; do
	dom=$(timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--user-data-dir="$folder/profile" --host-resolver-rules="MAP * ~NOTFOUND" \
		--window-size=$width,900 --dump-dom "file://$folder/checked.html" 2>"$folder/errors")
	title=$(grep -oE '<title>[^<]*' <<<"$dom" | head -n 1)
	echo "$width: ${title#<title>}"
	[ "$title" = "<title>all is right" ] || { head -n 5 "$folder/errors"; failures=1; }
done
[ $failures = 0 ]
