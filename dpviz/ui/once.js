// A chart is drawn once. It stands before shell.js.
// Streamlit makes a chart that changed anew and draws it two or three times: as it was sent, then copies of that with
// the width, which plotly knew, and with what plotly has written into it. What a chart shows is not drawn again.
const once = (Plotly) => {
  const react = Plotly.react;
  const own = (key, value) => (key.startsWith("_") ? undefined : value);
  const text = (data, layout) => JSON.stringify([data, { ...layout, width: null }], own);
  Plotly.react = (plot, ...given) => {
    const [data, layout, config] = Array.isArray(given[0]) ? given : [given[0].data, given[0].layout, given[0].config];
    const now = text(data, layout), bar = JSON.stringify(config), shown = plot.dpvizShown;
    const wide = Math.abs((layout.width ?? NaN) - plot._fullLayout?.width) < 1;
    if (wide && shown?.bar === bar && (shown.now === now || text(plot.data, plot.layout) === now)) {
      Object.assign(plot, { data, layout });  // the copy is what Streamlit goes on with
      return Promise.resolve(plot);
    }
    plot.dpvizShown = { now, bar };
    return react(plot, ...given);
  };
};
if (!history.dpvizOnce) {
  history.dpvizOnce = true;
  if (window.Plotly) once(window.Plotly);
  else {
    Object.defineProperty(window, "Plotly", {  // plotly comes with the first chart
      configurable: true,
      set: (value) => {
        Object.defineProperty(window, "Plotly", { value, writable: true });
        once(value);
      },
    });
  }
}
