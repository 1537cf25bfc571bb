{
  const all = (q, from = document) => [...from.querySelectorAll(q)];
  const partners = line => all(`li[data-line="${line}"]`);
  function mark(name, line) {
    for (const old of all('li.' + name)) old.classList.remove(name);
    if (line) for (const li of partners(line)) li.classList.add(name);
  }
  addEventListener('mouseover', e => mark('same', e.target.closest('li[data-line]')?.dataset.line));
  // A click keeps the line's partners marked and brings the first of each pane into view.
  addEventListener('click', e => {
    const li = e.target.closest('li[data-line]');
    if (!li || e.target.closest('a')) return;
    const line = li.classList.contains('pinned') ? undefined : li.dataset.line;
    mark('pinned', line);
    for (const pane of line ? all('main > section') : [])
      if (!pane.contains(li)) pane.querySelector('li.pinned')?.scrollIntoView({ block: 'center' });
  });
  document.getElementById('theme').addEventListener('click', () => {
    const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const now = root.dataset.theme || (dark ? 'dark' : 'light');
    root.dataset.theme = now == 'dark' ? 'light' : 'dark';
  });
  // Tables sort by a click on a head: numbers from large to small first.
  for (const table of all('table.sorts'))
    for (const [i, th] of all('th', table).entries())
      th.addEventListener('click', () => {
        const body = table.tBodies[0], down = !th.classList.contains('down');
        const key = tr => tr.cells[i].dataset.v ?? tr.cells[i].textContent;
        const isNumber = [...body.rows].every(tr => !isNaN(key(tr)));
        const order = (a, b) => isNumber ? key(a) - key(b) : key(b).localeCompare(key(a));
        for (const other of all('th', table)) other.classList.remove('up', 'down');
        th.classList.add(down ? 'down' : 'up');
        for (const tr of [...body.rows].sort((a, b) => (down ? -1 : 1) * order(a, b))) body.append(tr);
      });
  // Sources begin with what programs put before their kernels: the hottest line first.
  const hot = all('#source .hot').sort((a, b) => b.style.getPropertyValue('--a') - a.style.getPropertyValue('--a'))[0];
  if (hot && !location.hash) {
    const pane = document.getElementById('source');
    pane.scrollTop = hot.closest('li').offsetTop - pane.offsetTop - pane.clientHeight / 3;
  }
}
