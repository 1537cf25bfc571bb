#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_isa_page_test.sh ZEROCL: opens the page of `zerocl isa --html` for three kernels on three
# devices in a browser without a window, wide and narrow, and checks there that all panes are filled
# and compact, that links lead from one to the other and back, what a pointer shows, and that nothing
# is loaded. Skipped (77) without Chromium, which `ci/setup tests` installs.
zerocl=$1
here=$(dirname "$0")
. "$here/tool_case.sh"
need_browser
first=skl
ocloc ids $first >/dev/null 2>&1 || first=adls # newer compilers know Gen12 and later
tool 0 isa --html --device $first,tgllp,dg2 "$here/isa_kernels.cl"
page "$folder/out" <<END
const first = '$first';
$(cat <<'BODY'
const source = document.getElementById('source');
const natives = [0, 1, 2].map(d => document.getElementById('native' + d));
const lines = source.querySelectorAll('li'), panes = [source, ...natives].map(p => p.getBoundingClientRect());
check(lines.length == 26, lines.length + ' lines of source');
check(source.textContent.includes('l[i ^ 1] < 3 ? 1'), 'escaped source');
for (const [d, native] of natives.entries()) {
	const code = native.querySelectorAll('li:not(.l)');
	check(code.length > 40, d + ': ' + code.length + ' instructions');
	check(native.querySelectorAll('h3').length == 3, d + ': kernels');
	check(native.querySelectorAll('li.m').length >= 12, d + ': messages');
	check(native.querySelectorAll('li.s').length >= 1, d + ': a barrier');
	// Rows without gaps, a line each.
	const rows = [...code].slice(0, 12).map(li => li.getBoundingClientRect());
	check(rows.every(r => r.height > 10 && r.height < 20), d + ': height ' + rows[0].height);
	check(rows.every((r, i) => !i || Math.abs(r.top - rows[i - 1].bottom) < 1), d + ': gaps');
}
check(natives.map(n => n.querySelector('h2').textContent.split(' ')[0]).join() == first + ',tgllp,dg2', 'names');
check(natives[1].textContent.includes('sync.bar') && natives[0].textContent.includes(first == 'skl' ? 'wait' : 'sync.bar'), 'barriers');
if (innerWidth > 800)
	check(panes.every((p, i) => p.width > 150 && (!i || panes[i - 1].right <= p.left + 1)), 'side by side');
else
	check(panes[0].bottom <= panes[1].top + 1 && panes[1].width > innerWidth * 0.9, 'one below the other');
check(document.documentElement.scrollWidth <= innerWidth, 'wider than the window');
let there = 0, back = 0;
for (const link of document.querySelectorAll('a.n[href]')) {
	const target = document.getElementById(link.getAttribute('href').slice(1));
	check(target, 'dangling ' + link.getAttribute('href'));
	if (!target) continue;
	check(source.contains(link) != source.contains(target), 'link within a pane ' + link.getAttribute('href'));
	if (source.contains(link)) there++; else back++;
	check(link.parentElement.dataset.line == target.dataset.line, 'link to another line');
}
check(there >= 8 && back >= 120, there + ' links there, ' + back + ' back');
// A colour for each line, on both sides.
const barrier = [...lines].find(li => li.textContent.includes('\tbarrier('));
const read = [...lines].find(li => li.textContent.includes('l[i] = a[get_global_id'));
const colour = li => getComputedStyle(li).backgroundColor;
const partners = natives.map(n => [...n.querySelectorAll(`li[data-line="${barrier.dataset.line}"]`)]);
check(partners.every(p => p.length >= 3), 'partners');
check(partners.flat().every(li => colour(li) == colour(barrier)), 'the same colour');
check(colour(barrier) != colour(read), 'another line, another colour');
const ops = ['m', 's', 'a'].map(c => getComputedStyle(natives[1].querySelector(`li.${c} .o`)).color);
check(new Set(ops).size == 3, 'told apart');
location.hash = barrier.querySelector('a').getAttribute('href');
const shown = document.querySelector('li:target');
check(shown && natives[0].contains(shown) && shown.dataset.line == barrier.dataset.line, 'following');
barrier.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
check(natives.every(n => n.querySelectorAll('li.same').length >= 3), 'lines are shown together');
barrier.dispatchEvent(new MouseEvent('click', { bubbles: true }));
read.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
check(natives.every(n => n.querySelectorAll('li.pinned').length >= 3), 'a click keeps them');
const before = getComputedStyle(document.body).backgroundColor;
document.getElementById('theme').click();
check(getComputedStyle(document.body).backgroundColor != before, 'one colour only');
BODY
)
END
# Labels lead to their instruction.
tool 0 isa --html "$here/../prof/profile.cl"
page "$folder/out" <<'END'
const links = [...document.querySelectorAll('#native0 code a')], at = link => document.getElementById(link.hash.slice(1));
check(links.length >= 3, links.length + ' links to labels');
check(links.every(link => at(link)?.id.endsWith(link.textContent)), 'a label elsewhere');
END
[ $failures = 0 ]
