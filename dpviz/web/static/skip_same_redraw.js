// A chart is drawn once, and the first of a page is seen before the next is drawn.
// Streamlit makes a chart that changed anew and draws it two or three times: as it was sent, then copies of that with
// the width, which plotly knew, and with what plotly has written into it. What a chart shows is not drawn again, and
// between two draws the browser has its turn.
const once = (react) => {
  const own = (key, value) => (key.startsWith("_") ? undefined : value);
  const text = (data, layout) => JSON.stringify([data, { ...layout, width: null }], own);
  const later = (answer) => new Promise((done) => setTimeout(() => done(answer())));
  let turn = Promise.resolve();  // of charts that were never drawn
  return function draw(plot, { data, layout, config }) {
    const now = text(data, layout), bar = JSON.stringify(config), shown = plot.dpvizShown;
    const wide = Math.abs((layout.width ?? NaN) - plot._fullLayout?.width) < 1;
    // Later, not at once: Streamlit may answer with the next copy, and after a key, a click or a print React does so before
    // the browser comes to anything else; where sizes differ until it has laid out the page, that would not end.
    if (wide && shown?.bar === bar && (shown.now === now || text(plot.data, plot.layout) === now)) {
      Object.assign(plot, { data, layout });  // the copy is what Streamlit goes on with
      return later(() => plot);
    }
    if (plot.dpvizDrawn) return later(() => draw(plot, { data, layout, config }));
    plot.dpvizDrawn = true;
    plot.dpvizShown = { now, bar };
    const go = () => {
      setTimeout(() => { plot.dpvizDrawn = false; });
      return plot.isConnected ? react(plot, { data, layout, config }) : plot;
    };
    if (plot._fullLayout) return go();
    const mine = turn;
    turn = later(() => mine);
    return mine.then(go);
  };
};
