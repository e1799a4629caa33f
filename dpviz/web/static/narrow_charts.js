// Streamlit draws by Plotly.react alone; what is too narrow for its layout gets the one of charts/narrow.js before.
const suited = ({ data, layout, ...rest }) => {
  const was = layout.dpvizWide;
  if (was && was.width === layout.width) {  // Streamlit hands back what was drawn, at the height it knew
    return { data, layout: layout.height === was.height ? layout : { ...layout, height: was.height }, ...rest };
  }
  if (was) {
    const height = layout.height === was.height ? was.layout.height : layout.height;
    layout = { ...layout, ...was.layout, height };
    for (const key of was.added) delete layout[key];
    delete layout.dpvizWide;
    data = data.map((trace, i) => ({ ...trace, ...was.data[i] }));
  }
  if (!tooNarrow(layout, layout.width) || layout.template?.layout === undefined) return { data, layout, ...rest };
  const { data: traces, changed } = laidOut(data, layout);
  const kept = { width: layout.width, height: changed.height, layout: {} };
  kept.data = data.map(({ yaxis = "y", visible = true }) => ({ yaxis, visible }));
  kept.added = Object.keys(changed).filter((key) => !(key in layout));
  for (const key of Object.keys(changed)) if (key in layout) kept.layout[key] = layout[key];
  return { data: traces, layout: { ...layout, ...changed, dpvizWide: kept }, ...rest };
};

const fitted = (react) => (plot, figure) => {
  const drawn = suited(figure);
  // Streamlit draws as high as the box is that it made, again and again
  const [height, flex] = drawn.layout.dpvizWide ? [`${drawn.layout.height}px`, "none"] : ["", ""];
  for (let box = plot.parentElement; box?.closest(".stElementContainer"); box = box.parentElement) {
    Object.assign(box.style, { height, flex });
  }
  return react(plot, drawn);
};
