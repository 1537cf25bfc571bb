const headingOf = kernel => html`<h3>${kernel.name}</h3><p class="note">${kernel.resources}</p>${
  kernel.warnings.map(text => html`<p class="warning">${text}</p>`)}${kernel.calls.length > 0 &&
  html`<table>${kernel.calls.map(([line, name, became]) => html`<tr><td><a href="#s0l${line}">${line}</a></td>
    <td class="t">${name}</td><td class="t">${became}</td></tr>`)}</table>`}`;

show({
  title: data.file,
  subtitle: 'on ' + data.devices.map(({ name }) => name).join(' '),
  note: [data.file, ''],
  sources: [{ lines: data.source }],
  panes: data.devices.map(({ name, kernels }, d) => ({ id: 'native' + d, heading: name, small: 'native code',
    kernels: kernels.map((kernel, k) => ({ id: `d${d}k${k}`, source: 0, heading: headingOf(kernel), code: kernel.code }))
  })),
});
