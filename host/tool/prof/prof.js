const { kernels, counts: counted } = data;
const sum = (rows, of) => rows.reduce((sum, row) => sum + row[of], 0);
const part = (a, b) => b ? a / b : 0;
const count = (kernel, name) => kernel.counts[name] ?? 0;
const grouped = number => number.toLocaleString('en');
const plural = (n, word) => `${grouped(n)} ${word}${n == 1 ? '' : 's'}`;

// The table of kernels: head, value, and how it is written.
const costs = (...names) => names.map(name =>
  [counted.find(c => c.name == name).title, kernel => count(kernel, name), short]);
const least = kernel => Math.min(1, ...kernel.shapes.map(shape => shape.occupancy));
const facts = [
  ['SIMD', kernel => kernel.simd, String], ['registers', kernel => kernel.registers, String],
  ['launches', kernel => sum(kernel.shapes, 'launches'), short], ['items', kernel => sum(kernel.shapes, 'items'), short],
  ['occupancy', least, percent], ...costs('instructions'),
  ['lanes on', kernel => part(count(kernel, 'lanes'), count(kernel, 'channels')), percent],
  ...costs('divergent', 'messages', 'bytes', 'lines'),
  ['used', kernel => part(count(kernel, 'bytes'), count(kernel, 'lines') * kernel.device.line_bytes), percent],
  ...costs('conflicts', 'contended', 'scratch', 'barriers'),
  ['model: us', kernel => kernel.model.microseconds, us => String(+us.toPrecision(3))],
];
const table = () => html`<div class="scroll"><table class="sorts" id="kernels"><thead><tr><th>kernel</th>${
  facts.map(([head]) => html`<th>${head}</th>`)}<th>bound</th></tr></thead><tbody>${
  kernels.map((kernel, k) => html`<tr><td><a href="#k${k}">${kernel.name}</a></td>${
    facts.map(([, value, write]) => html`<td data-v="${value(kernel)}">${write(value(kernel))}</td>`)
  }<td class="t">${kernel.model.bound}</td></tr>`)}</tbody></table></div>`;

// The roofline: logarithmic axes in pixels.
const box = { width: 420, height: 190, left: 46, bottom: 160, top: 12, right: 412 };
const scale = (value, least, most) => Math.min(Math.max((Math.log10(value) - least) / (most - least), 0), 1);
const x = value => +(box.left + scale(value, -2, 3.1) * (box.right - box.left)).toFixed(1);
const y = value => +(box.bottom - scale(value, -1, 4.5) * (box.bottom - box.top)).toFixed(1);
// The slope of so many gigabytes in a second, up to where arithmetic is the limit.
const roof = (gigabytes, peak, name) => {
  const from = Math.max(0.01, 0.1 / gigabytes), at = [x(from), y(from * gigabytes)];
  return gigabytes > 0 && html`<path class="roof" d="M${at[0]} ${at[1]} L${x(peak / gigabytes)} ${y(peak)} H${box.right}"/>
    <text x="${at[0] + 26}" y="${at[1] - 2}">${name}, ${gigabytes.toFixed(0)} GB/s</text>`;
};
const dot = ({ name, model }, k) => {
  if (!(model.operations_per_byte > 0 && model.reached > 0)) return '';
  const at = [x(model.operations_per_byte), y(model.reached)], right = at[0] > box.width * 3 / 4;
  return html`<a href="#k${k}"><circle class="dot" cx="${at[0]}" cy="${at[1]}" r="4"/><text x="${
    at[0] + (right ? -6 : 6)}" y="${at[1] + 4}"${right && html` text-anchor="end"`}>${name}</text></a>`;
};
const roofline = ({ device, model }) => model.peak > 0 && html`<div><p class="note">Model: operations in a second over
  operations for each byte of lines touched, by published rates of ${device.product}</p>
  <svg id="roofline" viewBox="0 0 ${box.width} ${box.height}" width="${box.width}" height="${box.height}" role="img">
  <path class="axis" d="M${box.left} ${box.top} V${box.bottom} H${box.right}"/>${
  [-2, -1, 0, 1, 2, 3].map(i => html`<text x="${x(10 ** i)}" y="${box.bottom + 13}" text-anchor="middle">${+`1e${i}`}</text>`)}${
  [-1, 0, 1, 2, 3, 4].map(i => html`<text x="${box.left - 4}" y="${y(10 ** i) + (i < 0 ? 0 : 4)}" text-anchor="end">${
    +`1e${i}`}</text>`)}<text x="${box.right}" y="${box.height - 4}" text-anchor="end">operations / byte</text>
  <text x="4" y="${box.top}">Gop/s</text>${roof(model.cache_gigabytes, model.peak, 'level 3 cache')}${
  roof(model.memory_gigabytes, model.peak, 'memory')}${kernels.map(dot)}</svg></div>`;

const headingOf = (kernel, k) => html`<h3 id="k${k}">${kernel.name}</h3>
  <p class="note">SIMD${kernel.simd}, ${kernel.registers} of ${kernel.device.registers} registers</p>${
  !kernel.function && kernel.shapes.map(shape => html`<p class="note">${plural(shape.launches, 'launch').replace('hs', 'hes')
    }, ${plural(shape.groups, 'group')} of ${plural(shape.group_threads, 'thread')
    }; occupancy ${percent(shape.occupancy)}, limited by ${shape.limit}</p>`)}<p class="facts">${
  counted.filter(({ name }) => count(kernel, name)).map(({ name, title, what }) =>
    html`<span title="${count(kernel, name)} ${what}">${title} <b>${short(count(kernel, name))}</b></span>`)
  }</p><p class="facts note">model, cycles of the device: ${
  Object.entries(kernel.model.device_cycles).filter(([, cycles]) => cycles > 0).map(([name, cycles]) =>
    html`<span>${name} <b>${short(cycles)}</b></span>`)}</p>`;

const codeOf = ({ source, instructions }) => instructions.map(one => ({ ...one,
  line: one.line <= (data.sources[source]?.lines.length ?? 0) && one.line,
  offset: one.offset - instructions[0].offset }));

show({
  title: 'zerocl prof: ' + data.command,
  subtitle: kernels[0]?.device.product,
  summary: html`<div class="summary">${table()}${kernels.length > 0 && roofline(kernels[0])}</div>`,
  note: ['source', "a line's counts are those of its instructions"],
  sources: data.sources,
  panes: [{ id: 'native', heading: 'native code', small: '', kernels: kernels.map((kernel, k) =>
    ({ id: 'k' + k, source: kernel.source, heading: headingOf(kernel, k), code: codeOf(kernel) })) }],
  columns: counted.filter(({ name }) => kernels.some(kernel => count(kernel, name)) &&
    ['instructions', 'lanes', 'lines', 'conflicts', 'contended', 'scratch'].includes(name)),
});
