// Charts on a phone: all of a legend, axis titles in full, panels one below the other instead of side by side.
// What is drawn narrower than NARROW pixels, or than BESIDE for each of its panels, is laid out anew on its way to plotly.
const NARROW = 480, BESIDE = 172;
const PANEL = 240;  // pixels: no panel in a stack is higher. A figure says by its meta that its panels may be stacked

const tooNarrow = (layout, width) => {
  const panels = layout.meta?.stack ? Object.keys(layout).filter((key) => /^xaxis\d*$/.test(key)) : [];
  return width < Math.max(NARROW, BESIDE * new Set(panels.map((key) => layout[key].domain?.[0] ?? 0)).size);
};

const laidOut = (data, layout) => {
  const own = layout.template?.layout ?? {}, size = layout.font?.size ?? own.font?.size ?? 14;
  const pen = document.createElement("canvas").getContext("2d");
  const long = (text, scale = 1) => {  // pixels of its longest line
    pen.font = `${size * scale}px ${own.font?.family ?? "sans-serif"}`;
    return Math.max(...`${text}`.replace(/<br\s*\/?>/g, "\n").replace(/<[^>]+>/g, "").split("\n")
      .map((line) => pen.measureText(line).width));
  };
  const axes = (letter) => Object.keys(layout).filter((key) => new RegExp(`^${letter}axis\\d*$`).test(key));
  data = data.map((trace) => (trace.meta === "phone" ? { ...trace, visible: true }  // names that are placed for a phone
    : trace.mode === "text" && trace.legendgroup ? { ...trace, visible: false } : trace));
  const changed = {}, traces = [...data];
  const axis = (key) => (changed[key] ??= { ...layout[key], title: { ...layout[key].title } });
  const margin = { l: 80, r: 8, t: 24, b: 40, ...own.margin, ...layout.margin };
  let high = (layout.height ?? 450) - margin.t - margin.b;
  const yOf = (key) => ((changed[key] ?? layout[key]).anchor ?? "y").replace("y", "yaxis");
  const span = (key) => layout[key].domain ?? [0, 1];

  for (const key of axes("y")) {  // long names leave room for what they name
    const most = 0.45 * layout.width;
    if (margin.l <= most || !layout[key].ticktext) continue;
    const scale = Math.max(most / margin.l, 0.8);
    axis(key).tickfont = { ...layout[key].tickfont, size: size * scale };
    margin.l *= scale;
  }
  margin.r = Math.max(margin.r, Math.min(margin.r + 14, 22));
  for (const { mode, text, textposition, x, xaxis = "x" } of data) {  // words that begin near the right edge end within it
    const { range, type, domain = [0, 1] } = layout[xaxis.replace("x", "xaxis")] ?? {};
    if (mode !== "text" || !/right/.test(textposition) || !Array.isArray(x) || !range || type === "log" || domain[1] < 1) continue;
    const room = layout.width - margin.l;
    x.forEach((at, i) => {
      const share = (domain[0] + (domain[1] - domain[0]) * (at - range[0]) / (range[1] - range[0]));
      if (share > 0.5) margin.r = Math.max(margin.r, room - (room - long(text[i]) - 6) / share);
    });
  }
  const wide = layout.width - margin.l - margin.r;

  const panels = axes("x").sort((a, b) => (span(yOf(b))[1] - span(yOf(a))[1]) || (span(a)[0] - span(b)[0]));
  const columns = new Set(panels.map((key) => span(key)[0])).size;
  let last = panels.filter((key) => span(yOf(key))[0] <= 0.01);
  if (columns > 1 && layout.meta?.stack) {
    const each = Math.min(PANEL, Math.max(...panels.map((key) => (span(yOf(key))[1] - span(yOf(key))[0]) * high)));
    const between = 3.4 * size, whole = panels.length * (each + between) - between, seen = {};
    changed.annotations = (layout.annotations ?? []).map((note) => ({ ...note }));
    panels.forEach((key, i) => {
      const top = 1 - (i * (each + between)) / whole, name = yOf(key), [x0] = span(key), [, y1] = span(name);
      let under = name;
      if (seen[name]) {  // an axis that panels share is copied
        under = `yaxis${50 + i}`;
        changed[under] = { ...(changed[name] ?? layout[name]), matches: "y" };
        axis(key).anchor = `y${50 + i}`;
        traces.forEach((trace, j) => {
          if (`${trace.xaxis ?? "x"}` === key.replace("axis", "")) traces[j] = { ...trace, yaxis: `y${50 + i}` };
        });
      }
      seen[name] = true;
      for (const note of changed.annotations) {
        if (note.xref !== "paper" || note.yref !== "paper" || note.dpviz) continue;
        if (Math.abs(note.x - x0) > 1e-6 || Math.abs(note.y - y1) > 1e-6) continue;
        Object.assign(note, { x: 0, y: top, dpviz: true });
      }
      Object.assign(axis(key), { domain: [0, 1], showticklabels: i === panels.length - 1 });
      axis(key).title.text = i === panels.length - 1 ? panels.map((one) => layout[one].title?.text).find(Boolean) ?? "" : "";
      Object.assign(changed[under] ??= { ...layout[under] }, {
        domain: [Math.max(0, top - each / whole), top], anchor: key.replace("axis", ""), showticklabels: true,
      });
    });
    last = panels.slice(-1);
    high = whole;
  }

  const inLines = (text, room) => {
    const lines = [""];
    for (const word of `${text}`.split(" ")) {
      if (lines.at(-1) && long(`${lines.at(-1)} ${word}`, 1.1) > room) lines.push("");
      lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trim();
    }
    return lines;
  };
  const named = data.filter((one) => one.name && one.showlegend !== false && ![false, "legendonly"].includes(one.visible));
  const shown = (layout.showlegend ?? data.length > 1) && named.length;

  const titles = [];
  let rows = 0;
  for (const key of panels) {
    const now = changed[key] ?? layout[key], room = ((now.domain?.[1] ?? 1) - (now.domain?.[0] ?? 0)) * wide;
    Object.assign(axis(key), { tickangle: 0 });
    if (now.ticktext && now.tickvals) {
      const every = Math.ceil((Math.max(...now.ticktext.map((one) => long(one))) + 8) * now.ticktext.length / room);
      const kept = (_, i) => i % every === 0;
      Object.assign(axis(key), { ticktext: [...now.ticktext].filter(kept), tickvals: [...now.tickvals].filter(kept) });
    } else if (now.type === "log" && now.range) {
      const decades = Math.max(...now.range) - Math.min(...now.range);
      axis(key).dtick = Math.max(1, Math.ceil((decades * 6.2 * size) / room));
    } else if (room < 15 * size) {
      Object.assign(axis(key), { nticks: Math.max(2, Math.floor(room / (3.6 * size))), dtick: undefined });
    }
    if (!now.title?.text) continue;
    const lines = inLines(now.title.text, room + (columns > 1 ? 0 : Math.min(margin.l, margin.r) * 2));
    axis(key).title.text = "";  // a note stays where it is put; a title measures labels that are not drawn yet
    titles.push({
      text: lines.join("<br>"), font: { ...own.xaxis?.title?.font, ...now.title.font, size: 1.1 * size }, showarrow: false,
      xref: `${key.replace("axis", "")} domain`, x: 0.5, yref: `${yOf(key).replace("axis", "")} domain`, y: 0,
      yanchor: "top", yshift: -1.75 * size,
    });
    if (last.includes(key)) rows = Math.max(rows, lines.length);
  }

  if (rows || shown) margin.b = (2 + rows * 1.5) * size;
  changed.annotations = [...(changed.annotations ?? layout.annotations ?? []), ...titles];
  if (shown) {
    const wider = Math.max(...named.map((one) => long(one.name, 0.92))) + 52;
    const lines = Math.ceil(named.length / Math.max(1, Math.floor(wide / wider)));  // no wider than the axes
    const apart = !layout.legend?.traceorder && named.some((one) => one.legendgroup) ? 10 : 0;  // plotly's, between groups
    margin.b += (1.45 * size + apart) * lines + 6;
    if (layout.legend?.y >= 1) {  // on top of the paper it had all of the margin, above the axes a line of it
      margin.t = Math.max(layout.legend.yref === "container" ? 0 : margin.t - 1.6 * size, 1.2 * size);
    }
    changed.legend = {
      ...layout.legend, orientation: "h", xref: "container", x: 0, xanchor: "left", yref: "container", y: 0,
      yanchor: "bottom", maxheight: 0.5, font: { ...own.legend?.font, ...layout.legend?.font, size: 0.92 * size },
    };
  }
  return { data: traces, changed: { ...changed, margin, height: Math.round(high + margin.t + margin.b) } };
};
