"use strict";
(async () => {
  const one = (id) => document.getElementById(id), all = (what) => [...document.querySelectorAll(what)];
  const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%:()*+-;,=.?@^_`{|}~";  // of packed.py
  const unpacked = async (element) => {
    const worth = new Uint8Array(128), text = element.textContent, bytes = new Uint8Array(text.length / 5 * 4);
    for (let i = 0; i < 85; i++) worth[signs.charCodeAt(i)] = i;
    const view = new DataView(bytes.buffer);
    for (let i = 0, at = 0; i < text.length; at += 4) {
      let word = 0;
      for (let n = 0; n < 5; n++) word = word * 85 + worth[text.charCodeAt(i++)];
      view.setUint32(at, word);
    }
    const whole = new Blob([bytes.subarray(0, Number(element.dataset.size))]);
    element.remove();
    return new Response(whole.stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  if (!("DecompressionStream" in window)) {
    one("trouble").hidden = false;
    return;
  }
  const { pool, content } = JSON.parse(await unpacked(one("content")));
  const part = (value) => (value !== null && typeof value === "object" && "$" in value ? pool[value.$] : value);
  const full = (value) => {
    if (Array.isArray(value)) return value.map(full);
    if (value === null || typeof value !== "object") return value;
    if ("$" in value) return full(part(value));
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, full(inner)]));
  };
  const { steps, templates } = Object.fromEntries(Object.entries(part(content)).map(([name, value]) => [name, part(value)]));
  const at = () => part(steps[slider.value]), shown = () => full(part(at().pictures)[mode()]);
  const slider = one("step"), dark = matchMedia("(prefers-color-scheme: dark)");
  let printing = false, drawing = 0;
  const mode = () => (dark.matches && !printing ? "dark" : "light");
  const put = (element, text) => { if (element.textContent !== text) element.textContent = text; };
  const row = (kind, cells) => {
    const line = document.createElement("tr");
    for (const text of cells) line.appendChild(Object.assign(document.createElement(kind), { textContent: text }));
    return line;
  };
  const tell = () => {  // words first: the charts follow when the browser has a moment
    const { value, sentence, cells } = full({ ...at(), pictures: null });
    put(one("now"), value);
    slider.setAttribute("aria-valuetext", value);
    put(one("sentence"), sentence);
    for (const cell of all("[data-cell]")) {
      const [r, c] = cell.dataset.cell.split(" ");
      put(cell, cells[r][c]);
    }
    shown().forEach((picture, n) => {
      put(one("says" + n), picture.says);
      put(one("how" + n), picture.how);
      one("plot" + n).setAttribute("aria-label", picture.alt);
      const [head, ...rows] = picture.table, table = one("table" + n);
      table.tHead.replaceChildren(row("th", head));
      table.tBodies[0].replaceChildren(...rows.map((cells) => row("td", cells)));
      for (const cell of table.tHead.querySelectorAll("th")) cell.scope = "col";
    });
  };
  const folded = (text) => {  // a long name in two lines
    const spaces = text.length > 22 ? [...text.matchAll(/ /g)].map((found) => found.index) : [];
    if (!spaces.length) return text;
    const far = (at) => Math.abs(at - text.length / 2), at = spaces.reduce((a, b) => (far(b) < far(a) ? b : a));
    return `${text.slice(0, at)}<br>${text.slice(at + 1)}`;
  };
  const draw = () => {
    const template = templates[mode()];
    shown().forEach(({ data, layout }, n) => {
      const narrow = innerWidth < 500 && !printing;
      const roomy = Object.fromEntries(Object.entries(layout).map(([name, axis]) => {  // for names in letters of any width
        if (!/^yaxis/.test(name)) return [name, axis];
        const rows = axis.ticktext, fold = narrow && rows && layout.height > 40 * rows.length;
        return [name, { ...axis, automargin: true, ...(fold ? { ticktext: rows.map(folded) } : {}) }];
      }));
      const fitted = printing ? { width: 880, autosize: false } : { autosize: true };
      if (narrow) {  // whatever letters a phone has must find room
        const told = data.filter((trace) => trace.showlegend !== false).length, { t = 24, r = 8 } = layout.margin ?? {};
        const top = layout.legend?.y === 1 && told > 1 ? Math.max(t, 19 * told + 14) : t;
        fitted.margin = { ...layout.margin, r: r + 14, t: top };
        fitted.height = layout.height + top - t;
      }
      one("plot" + n).style.minHeight = `${fitted.height ?? layout.height}px`;
      Plotly.react(one("plot" + n), data, { ...roomy, ...fitted, template: full(template) }, {
        displaylogo: false, responsive: true, scrollZoom: false, toImageButtonOptions: { format: "svg" },
        modeBarButtons: [["toImage"]],
      });
    });
    document.body.dataset.drawn = `${slider.value} ${mode()}`;
  };
  const show = () => {
    tell();
    if (!window.Plotly) return;
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(draw);
  };
  slider.addEventListener("input", show);
  dark.addEventListener("change", show);
  const script = document.createElement("script");
  script.textContent = await unpacked(one("plotly"));
  document.head.appendChild(script);
  show();
  window.addEventListener("beforeprint", () => {
    printing = true;
    tell();
    draw();
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    show();
  });
})();
