"use strict";
(() => {
  const data = JSON.parse(document.getElementById("figures").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let printing = false;
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
  const draw = (plot) => {
    const mode = dark.matches && !printing ? "dark" : "light";
    if (plot.dataset.mode === mode) return;
    plot.dataset.mode = mode;
    const plain = structuredClone(data.figures[Number(plot.dataset.figure)]);
    const figure = mode === "dark" ? recoloured(plain) : plain;
    figure.layout.template = structuredClone(data.templates[mode]);
    figure.layout.autosize = true;
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
