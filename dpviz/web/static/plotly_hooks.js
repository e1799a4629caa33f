// Hooks between Streamlit and Plotly, which comes with the first chart; they need skip_same_redraw.js and narrow_charts.js.
const arrive = (plotly) => {
  if (!plotly) return plotly;
  const react = fitted(once(plotly.react)), draw = plotly.react;
  plotly.dpvizFollow = (plot, figure) => draw.call(plotly, plot, suited(figure));  // at once: of slider_preview.js, not Streamlit
  plotly.react = (plot, figure, layout, config) => {
    const asked = Array.isArray(figure) ? { data: figure, layout, config } : figure;
    // What Streamlit draws while the page is on paper waits for the screen: it measures what it sees, draws by that what
    // print_and_export.js would draw anew, and neither would end.
    const wait = asked.layout !== plot.dpvizPaper && plot.dpvizScreen?.back;
    return wait ? wait.then(() => react(plot, asked)) : react(plot, asked);
  };
  return plotly;
};
if (!window.dpvizPlots) {
  window.dpvizPlots = true;
  let held = arrive(window.Plotly);
  for (const plot of document.querySelectorAll(".js-plotly-plot")) {  // drawn before this was here
    if (plot._context) held?.react(plot, { data: plot.data, layout: plot.layout, config: plot._context });
  }
  Object.defineProperty(window, "Plotly", {
    configurable: true, get: () => held, set: (value) => { held = arrive(value); },
  });
}
