// The component behind dpviz/web/screens/explore/closer_look.py: listens to the plot's click and sends the position.
export default function ({ data, setTriggerValue }) {
  const find = () => {
    const plot = document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
    if (!plot || !plot.on) return;
    plot.dpvizTell = (value) => setTriggerValue("cell", value);
    if (plot.dpvizHeard) return;
    plot.dpvizHeard = true;
    plot.on("plotly_click", (event) => {
      const point = event.points.find((p) => p.data.type === "heatmap");
      if (point) plot.dpvizTell({ x: point.x, y: point.y });
    });
  };
  find();
  const watch = setInterval(find, 200);  // the plot comes after this, and anew when it is replaced
  return () => clearInterval(watch);
}
