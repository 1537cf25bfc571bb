const data = JSON.parse(document.getElementById('data').textContent);

// Markup as a template whose values are text, other markup, or arrays of them; nothing of false and undefined.
class Markup extends String {}
const put = value => value instanceof Markup ? value : Array.isArray(value) ? value.map(put).join('')
  : String(value || value === 0 ? value : '').replace(/[<>&"]/g, c => `&#${c.charCodeAt()};`);
const html = (parts, ...values) => new Markup(String.raw({ raw: parts }, ...values.map(put)));

// A number in short: 1.23M.
const short = number => {
  let unit = 0;
  for (; number >= 999.5 && unit < 6; unit++) number /= 1000;
  return number.toFixed(unit && number < 9.995 ? 2 : unit && number < 99.95 ? 1 : 0) + ' kMGTPE'.charAt(unit).trim();
};
const percent = part => (100 * part).toFixed(0) + '%';

// The line's colour: neighbours are far from each other on the wheel.
const colour = (source, line) =>
  html` data-line="${source}.${line}" style="--h:${(line * 137 + source * 60) % 360}"`;

// What a row shows at a glance: m for messages, f for control flow, s for waits and barriers.
const flow = /^(if|else|endif|while|break|cont|goto|join|jmpi|calla?|ret|halt|brd|brc)$/;
const kindOf = op => /^send/.test(op) ? 'm' : /^sync|^wait$/.test(op) ? 's' : flow.test(op) ? 'f' : 'a';

// "(W) op (16|M0) operands {notes} // comment"; what is a label among the operands links to it.
const parts = /^ *(\(.*?\))? *(\S*) *(\(.*?\))? *(.*?) *(\{.*?)? *(\/\/.*)?$/;
const codeRow = (kernel, code, cells) => {
  if (code.offset === undefined) return html`<li class="l"><span class="n"></span>${code.text}</li>`;
  const [, predicate, op, width, operands, notes, comment] = parts.exec(code.text);
  const links = operands.split(/\s+/).map((word, i) => html`${i ? ' ' : ''}${/^L\d+$/.test(word)
    ? html`<a href="#${kernel.id}${word}">${word}</a>` : word}`);
  const { line } = code, source = kernel.source;
  return html`<li id="${kernel.id}L${code.offset}" class="${kindOf(op)}"${line && colour(source, line)}>${cells
    }${line ? html`<a class="n" href="#s${source}l${line}">${line}</a>` : html`<span class="n"></span>`
    }<span class="x">${code.offset.toString(16).padStart(4, 0)}</span><span class="p">${predicate
    }</span><span class="o">${op}</span><span class="w">${width}</span><code>${links}</code>${
    notes && html`<span class="d">${notes}</span>`}${comment && html`<span class="c">${comment}</span>`}</li>`;
};

// Sums of counts, and the greatest of each.
const add = (to, counts) => { for (const name in counts) to[name] = (to[name] ?? 0) + counts[name]; return to; };
const most = rows => rows.reduce((to, counts) => {
  for (const name in counts) to[name] = Math.max(to[name] ?? 0, counts[name]);
  return to;
}, {});

// Numbers beside a row, coloured by how near they are to the greatest; lanes as a part of the channels.
const cellsOf = (columns, counts, most) => columns.map(({ name }) => {
  const n = counts?.[name];
  if (!n) return html`<span class="v"></span>`;
  return name == 'lanes' ? html`<span class="v">${percent(n / counts.channels)}</span>`
    : html`<span class="v hot" style="--a:${(0.08 + 0.6 * n / most[name]).toFixed(2)}">${short(n)}</span>`;
});
const headsOf = columns => columns.length > 0 && html`<li class="heads">${columns.map(({ title, what }) =>
  html`<span class="v d" title="${what}">${title}</span>`)}</li>`;

/*
 * Shows a page: `sources`, each { name, lines } or null, in a pane whose heading and small print are `note`; panes
 * { id, heading, small, kernels } with kernels { id, source, heading, code }; and `columns`, the counts that rows may
 * have. The first code of a line is what the line links to.
 */
const show = ({ title, subtitle, summary, sources, note, panes, columns = [] }) => {
  const kernels = panes.flatMap(pane => pane.kernels), first = {}, counts = {};
  for (const { id, source, code } of kernels)
    for (const { offset, line, counts: own } of code)
      if (line) {
        first[`${source}.${line}`] ??= `${id}L${offset}`;
        add(counts[`${source}.${line}`] ??= {}, own);
      }
  const sourceRow = (s, text, line, most) => {
    const at = `${s}.${line}`, link = first[at];
    return html`<li id="s${s}l${line}"${link && colour(s, line)}>${cellsOf(columns, counts[at], most)
      }${link ? html`<a class="n" href="#${link}">${line}</a>` : html`<span class="n">${line}</span>`
      }<code>${text}</code></li>`;
  };
  const sourceOf = ({ name, lines }, s) => {
    const greatest = most(lines.map((_, i) => counts[`${s}.${i + 1}`]));
    return html`${name && html`<h3>${name}</h3>`}<ol>${headsOf(columns)}${
      lines.map((text, i) => sourceRow(s, text, i + 1, greatest))}</ol>`;
  };
  const kernelOf = kernel => {
    const greatest = most(kernel.code.map(code => code.counts));
    return html`${kernel.heading}<ol>${headsOf(columns)}${
      kernel.code.map(code => codeRow(kernel, code, cellsOf(columns, code.counts, greatest)))}</ol>`;
  };
  const paneOf = (id, heading, small, contents, wide) =>
    html`<section id="${id}"${wide && html` class="wide"`}><h2>${heading} <small>${small}</small></h2>${contents}</section>`;
  document.title = title;
  document.body.insertAdjacentHTML('afterbegin', html`<header><h1>${title}</h1><p>${subtitle}</p>
    <button id="theme">dark / light</button></header>${summary}<main>${
    paneOf('source', ...note, sources.map((source, s) => source && sourceOf(source, s)))}${
    panes.map(pane => paneOf(pane.id, pane.heading, pane.small, pane.kernels.map(kernelOf), true))}</main>`);
  live();
};

// What a pointer does.
const live = () => {
  const all = (q, from = document) => [...from.querySelectorAll(q)];
  const mark = (name, line) => {
    for (const old of all('li.' + name)) old.classList.remove(name);
    if (line) for (const li of all(`li[data-line="${line}"]`)) li.classList.add(name);
  };
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
};
