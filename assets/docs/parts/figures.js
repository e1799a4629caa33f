// Draws the charts of a page when they come into view, in its light or dark colours; `laidOut` and `templates` come before.
"use strict";
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)"), plots = [...document.querySelectorAll(".plot")];
  let printing = false;
  const mode = () => {
    const asked = document.body.dataset.theme;
    return printing || asked === "light" ? "light" : asked === "dark" || dark.matches ? "dark" : "light";
  };
  const figures = new Map(plots.map((plot) => [plot, plot.querySelector("script").textContent]));
  // Rows of a legend are higher here than the phone's layout reckons: what they cover of the axis' title is given to them.
  const makeRoom = async (plot) => {
    const legend = plot.querySelector(".legend")?.getBoundingClientRect(), { height, margin } = plot.layout;
    const notes = [...plot.querySelectorAll(".annotation")].map((note) => note.getBoundingClientRect().bottom);
    const over = legend ? Math.ceil(Math.max(...notes) - legend.top) : 0;
    if (!(over > 0) || legend.top < plot.getBoundingClientRect().bottom - margin.b) return;
    plot.style.height = `${height + over}px`;
    await Plotly.relayout(plot, { height: height + over, "margin.b": margin.b + over });
  };
  const draw = async (plot) => {
    const now = mode(), width = plot.clientWidth, drawn = `${now} ${width}`;
    if (plot.dataset.asked === drawn || !width) return;
    plot.dataset.asked = drawn;
    const { data, layout } = JSON.parse(figures.get(plot))[now];
    Object.assign(layout, { template: structuredClone(templates[now]), width });
    const narrow = width < NARROW, fitted = narrow ? laidOut(data, layout) : { data, changed: {} };
    const whole = { ...layout, ...fitted.changed };
    plot.style.height = `${whole.height}px`;
    await Plotly.react(plot, fitted.data, whole, {
      displaylogo: false, scrollZoom: false, toImageButtonOptions: { format: "svg" }, modeBarButtons: [["toImage"]],
    });
    if (narrow) await makeRoom(plot);
    plot.dataset.drawn = drawn;
  };
  const again = () => { for (const plot of plots) if (plot.dataset.asked) draw(plot); };
  // A chart is measured in the page's letters: they must be there first.
  const letters = Promise.all([400, 600].map((weight) => document.fonts.load(`${weight} 13px "Source Sans"`)));
  const seen = new IntersectionObserver((entries) => {
    letters.finally(() => { for (const entry of entries) if (entry.isIntersecting) draw(entry.target); });
  }, { rootMargin: "600px" });
  for (const plot of plots) seen.observe(plot);
  new MutationObserver(again).observe(document.body, { attributeFilter: ["data-theme"] });
  dark.addEventListener("change", again);
  addEventListener("resize", again);
  addEventListener("beforeprint", () => { printing = true; plots.forEach(draw); });
  addEventListener("afterprint", () => { printing = false; again(); });
})();
