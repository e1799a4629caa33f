// Charts are laid out for paper, pictures and prints name what they show, as dpviz/web/widgets/print_header.py has written it.
// It stands after charts/caption.js; lightFor is the light colour for each dark one.
const PAPER = 860;  // the width of a chart in pixels, before print.css makes it as small as the page is

const paper = (lightFor) => {
  const query = () => new URLSearchParams(window.location.search);
  const about = () => document.querySelector(".dp-about")?.dataset ?? {};
  const line = () => (about().line ?? "").replace(/seed: \d+/, `seed: ${query().get("seed") ?? 0}`);
  caption(line, () => about().name);
  const light = (value) => {
    if (typeof value === "string") return lightFor[value.toLowerCase()] ?? value;
    if (ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) return value.map(light);
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, light(inner)]));
    }
    return value;
  };
  const told = () => {  // the address has what was drawn since the page was
    const own = document.querySelector(".dp-about");
    const link = window.location.search ? window.location.href : null;  // a bare address says less than the page's own
    for (const [what, value] of [["Link", link], ["Seed", query().get("seed")]]) {
      const place = own?.querySelector(`[data-what="${what}"]`);
      if (place && value !== null) place.textContent = value;
    }
  };
  const fit = () => {
    told();
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
      if (!plot._fullLayout || plot.dpvizScreen) continue;
      const { data: traces, layout } = plot;
      plot.dpvizScreen = { traces, layout: { ...layout } };
      plot.dpvizScreen.back = new Promise((done) => { plot.dpvizScreen.done = done; });
      plot.dpvizPaper = { ...light(layout), width: PAPER, autosize: false };
      window.Plotly.react(plot, light(traces), plot.dpvizPaper, plot._context);
    }
  };
  const back = () => {
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
      if (!plot.dpvizScreen) continue;
      const { traces, layout, done } = plot.dpvizScreen;
      delete plot.dpvizScreen;
      delete plot.dpvizPaper;
      window.Plotly.react(plot, traces, layout, plot._context);
      done();
    }
  };
  const media = window.matchMedia("print");
  window.addEventListener("beforeprint", fit);
  window.addEventListener("afterprint", back);
  media.addEventListener("change", () => (media.matches ? fit() : back()));
};
