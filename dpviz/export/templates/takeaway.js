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
  const { content, part, full } = unpooled(JSON.parse(await unpacked(one("content"))));
  const { steps, templates } = Object.fromEntries(Object.entries(part(content)).map(([name, value]) => [name, part(value)]));
  const at = () => part(steps[slider.value]), shown = () => full(part(at().pictures)[mode()]);
  const slider = one("step"), dark = matchMedia("(prefers-color-scheme: dark)");
  const frame = window.frameElement, host = frame ? parent : window;  // a figure in a notebook or page goes by the page around it
  let printing = false, drawing = 0;
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const isDark = () => {  // the first ground behind the frame that is painted
    for (let behind = frame; behind; behind = behind.parentElement) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = host.getComputedStyle(behind).backgroundColor;
      pen.fillRect(0, 0, 1, 1);
      const [red, green, blue, painted] = pen.getImageData(0, 0, 1, 1).data;
      if (painted > 127) return red + green + blue < 383;
    }
    return dark.matches;
  };
  const mode = () => (isDark() && !printing ? "dark" : "light");
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
  const named = ({ yaxis, margin }, { layout }) => {  // room for the names of rows, whatever letters there are
    if (!yaxis?.ticktext || !margin?.l) return {};
    const { size, family } = layout.font;
    pen.font = `${size}px ${family}`;
    const plain = (name) => `${name}`.replace(/<[^>]+>/g, "").replace(/&[^;\s]+;/g, "x");
    const long = Math.max(...[...yaxis.ticktext].map((name) => pen.measureText(plain(name)).width));
    return { margin: { ...margin, l: Math.max(margin.l, Math.min(long + 1.2 * size, 0.4 * innerWidth)) } };
  };
  const draw = () => {
    const template = templates[mode()];
    shown().forEach(({ data, layout }, n) => {
      const plot = one("plot" + n), whole = full(template);
      let drawn = { data, layout: { ...layout, ...named(layout, whole), template: whole } };
      if (printing) Object.assign(drawn.layout, { width: 880, autosize: false });
      else if (tooNarrow(layout, plot.clientWidth)) {
        const width = plot.clientWidth, { data: traces, changed } = laidOut(data, { ...drawn.layout, width });
        drawn = { data: traces, layout: { ...drawn.layout, ...changed, width, autosize: false } };
      } else drawn.layout.autosize = true;
      plot.style.minHeight = `${drawn.layout.height}px`;
      Plotly.react(plot, drawn.data, drawn.layout, {
        displaylogo: false, responsive: true, scrollZoom: false, toImageButtonOptions: { format: "svg" },
        modeBarButtons: [["toImage"]],
      });
    });
    document.body.dataset.drawn = `${slider.value} ${mode()}`;
  };
  const show = () => {
    document.documentElement.dataset.look = mode();
    tell();
    if (!window.Plotly) return;
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(draw);
  };
  slider.addEventListener("input", show);
  dark.addEventListener("change", show);
  addEventListener("resize", show);
  if (frame) {
    for (const around of [host.document.documentElement, host.document.body]) new MutationObserver(show).observe(around, { attributes: true });
    const main = document.querySelector("main");
    new ResizeObserver(() => { frame.style.height = `${main.offsetHeight}px`; }).observe(main);
  }
  show();
  const own = one("plotly"), script = document.createElement("script");
  if (!own && !host.dpvizPlotly) {
    one("trouble").textContent = "The charts need another live figure on this page, which has plotly's script.";
    one("trouble").hidden = false;
    await new Promise((come) => host.addEventListener("dpviz-plotly", come, { once: true }));
    one("trouble").hidden = true;
  }
  if (own) host.dpvizPlotly ??= await unpacked(own);
  script.textContent = host.dpvizPlotly;
  host.dispatchEvent(new Event("dpviz-plotly"));
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
