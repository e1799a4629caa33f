// Draws the charts of a page when they come into view, in its light or dark colours; `looks` and `laidOut` are in looks.js.
"use strict";
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)"), plots = [...document.querySelectorAll(".plot")];
  const mode = () => {
    const asked = document.body.dataset.theme;
    return printing || asked === "light" ? "light" : asked === "dark" || dark.matches ? "dark" : "light";
  };
  let printing = false;
  const recoloured = (value) => {
    if (typeof value === "string") return looks.dark_for[value.toLowerCase()] ?? value;
    if (Array.isArray(value)) return value.map(recoloured);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, recoloured(inner)]));
  };
  const figures = new Map(plots.map((plot) => [plot, plot.querySelector("script").textContent]));
  const draw = (plot) => {
    const now = mode(), width = plot.clientWidth, drawn = `${now} ${width}`;
    if (plot.dataset.drawn === drawn || !width) return;
    const plain = JSON.parse(figures.get(plot)), { data, layout } = now === "dark" ? recoloured(plain) : plain;
    Object.assign(layout, { template: structuredClone(looks.templates[now]), width });
    const fitted = width < NARROW ? laidOut(data, layout) : { data, changed: {} };
    const whole = { ...layout, ...fitted.changed };
    plot.style.height = `${whole.height}px`;
    Plotly.react(plot, fitted.data, whole, {
      displaylogo: false, scrollZoom: false, toImageButtonOptions: { format: "svg" }, modeBarButtons: [["toImage"]],
    });
    plot.dataset.drawn = drawn;
  };
  const again = () => { for (const plot of plots) if (plot.dataset.drawn) draw(plot); };
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) draw(entry.target);
  }, { rootMargin: "600px" });
  for (const plot of plots) seen.observe(plot);
  new MutationObserver(again).observe(document.body, { attributeFilter: ["data-theme"] });
  dark.addEventListener("change", again);
  addEventListener("resize", again);
  addEventListener("beforeprint", () => { printing = true; plots.forEach(draw); });
  addEventListener("afterprint", () => { printing = false; again(); });
})();
