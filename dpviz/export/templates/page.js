"use strict";
(() => {
  const data = JSON.parse(document.getElementById("figures").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let printing = false;
  const NARROW = 560;
  const plots = [...document.querySelectorAll(".plot")];
  const recoloured = (value) => {
    if (typeof value === "string") return data.dark_for[value.toLowerCase()] ?? value;
    if (Array.isArray(value)) return value.map(recoloured);
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, recoloured(inner)]));
    }
    return value;
  };
  // A legend that wraps on a narrow page is taller than the figure was laid out for.
  const makeRoom = (plot) => {
    const legend = plot.querySelector(".legend");
    const over = legend ? Math.ceil(legend.getBoundingClientRect().bottom - plot.getBoundingClientRect().bottom) : 0;
    if (over > 0) Plotly.relayout(plot, {height: plot.layout.height + over, "margin.b": plot.layout.margin.b + over});
  };
  // On a narrow page there is no room for names beside lines, for a title under every panel, for more than two ticks.
  const spare = (figure) => {
    figure.data = figure.data.filter((trace) => trace.mode !== "text")
      .map((trace) => (trace.meta === "phone" ? {...trace, visible: true} : trace));  // the legend that the names spared
    for (const [name, axis] of Object.entries(figure.layout)) {
      if (!name.startsWith("xaxis")) continue;
      if (name !== "xaxis") axis.title = {text: ""};
      const few = (_, i) => i % Math.ceil(axis.tickvals.length / 2) === 0;
      if (axis.tickvals) Object.assign(axis, {tickvals: axis.tickvals.filter(few), ticktext: axis.ticktext.filter(few)});
    }
  };
  const draw = (plot) => {
    const mode = dark.matches && !printing ? "dark" : "light";
    if (plot.dataset.mode === mode) return;
    plot.dataset.mode = mode;
    const plain = structuredClone(data.figures[Number(plot.dataset.figure)]);
    const figure = mode === "dark" ? recoloured(plain) : plain;
    figure.layout.template = structuredClone(data.templates[mode]);
    figure.layout.autosize = true;
    if (plot.clientWidth < NARROW) spare(figure);
    const first = !plot.on;
    Plotly.react(plot, figure.data, figure.layout, {displaylogo: false, responsive: true, scrollZoom: false});
    if (first) plot.on("plotly_afterplot", () => makeRoom(plot));
    makeRoom(plot);
  };
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) draw(entry.target);
  }, {rootMargin: "600px"});
  for (const plot of plots) seen.observe(plot);
  const again = () => { for (const plot of plots) if (plot.dataset.mode) draw(plot); };
  dark.addEventListener("change", again);
  let folded = [];
  window.addEventListener("beforeprint", () => {
    printing = true;
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const one of folded) one.open = true;
    for (const plot of plots) draw(plot);
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    for (const one of folded) one.open = false;
    again();
  });
})();
