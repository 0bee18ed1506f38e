(() => {
  const data = JSON.parse(document.getElementById("dataNUMBER").textContent);
  const box = document.getElementById("wavesNUMBER"), tools = box.previousElementSibling;
  const [names, plot] = box.children, row = 24, search = tools.querySelector("input");
  const widest = Math.max(1, ...data.signals.map(s => Math.max(...s.values.map(v => v.length))));
  let step = Math.max(28, Math.min(120, Math.max(8 * widest + 12, (plot.clientWidth || 600) / Math.max(data.n_steps, 1))));
  const safe = t => t.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
  const draw = () => {
    const wanted = search.value.toLowerCase();
    const shown = data.signals.filter(s => s.name.toLowerCase().includes(wanted));
    names.innerHTML = '<div class="group">step</div>' + shown.map(s =>
      `<div class="${s.group}" title="${safe(s.group + " " + s.name)}">${safe(s.name)}</div>`).join("");
    const width = step * data.n_steps, height = row * (shown.length + 1);
    let svg = `<svg width="${width}" height="${height}" role="img" aria-label="values of the signals">`;
    for (let i = 0; i < data.n_steps; i++) {
      const isBad = data.signals.some(s => s.group === "bad" && s.values[i] === "1");
      const mark = isBad ? "mark" : data.loop_start !== null && i >= data.loop_start ? "loop" : "";
      if (mark) svg += `<rect class="${mark}" x="${i * step}" y="0" width="${step}" height="${height}"/>`;
      svg += `<line class="grid" x1="${i * step}" x2="${i * step}" y1="0" y2="${height}"/>`;
      if (step >= 18 || i % 5 === 0) svg += `<text x="${(i + 0.5) * step}" y="16" text-anchor="middle">${i}</text>`;
    }
    shown.forEach((s, k) => {
      const top = row * (k + 1) + 4, low = top + row - 8;
      if (s.width === 1) {
        let path = "";
        s.values.forEach((v, i) => { const y = v === "1" ? top : low;
          path += `${i ? "L" : "M"}${i * step} ${y}L${(i + 1) * step} ${y}`; });
        svg += `<path class="wave ${s.group}" d="${path}"/>`;
      } else {
        for (let i = 0, j; i < s.values.length; i = j) {
          for (j = i + 1; j < s.values.length && s.values[j] === s.values[i]; j++);
          const x = i * step, room = (j - i) * step;
          svg += `<rect class="word" x="${x + 1}" y="${top}" width="${room - 2}" height="${low - top}" rx="3"><title>${safe(s.values[i])}</title></rect>`;
          if (room > 7 * s.values[i].length) svg += `<text x="${x + room / 2}" y="${low - 4}" text-anchor="middle">${safe(s.values[i])}</text>`;
        }
      }
    });
    plot.innerHTML = svg + "</svg>";
  };
  tools.querySelectorAll("button").forEach(b => b.onclick = () => {
    const middle = (plot.scrollLeft + plot.clientWidth / 2) / step;
    step = Math.max(4, Math.min(400, step * b.dataset.zoom));
    draw();
    plot.scrollLeft = middle * step - plot.clientWidth / 2;
  });
  search.oninput = draw;
  draw();
})();
