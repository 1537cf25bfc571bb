#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_prof_page_test.sh ZEROCL PROF_RUN: opens the page of `zerocl prof --format html` in a browser
# without a window, wide and narrow, and checks what it shows and that nothing is loaded. Skipped
# (77) without Chromium, which `ci/setup tests` installs.
zerocl=$1 run=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$here/profile.cl
. "$here/../tool/tool_case.sh"
need_browser
tool 3 prof --format html --source "$source" -- "$run" "$source" 2048 64 16 strided banks loops
page "$folder/out" <<'END'
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
END
[ $failures = 0 ]
