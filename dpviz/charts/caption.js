// A picture saved from a chart's bar says what it shows: the words stand under the chart while plotly copies it.
// caption(line, name) listens for the bar's camera; it gives back what stops listening.
const caption = (line, name) => {
  const wrapped = (text, most) => {
    const lines = [""];
    for (const word of text.split(" ")) {
      if ((lines.at(-1) + word).length > most) lines.push("");
      lines[lines.length - 1] += `${word} `;
    }
    return lines.map((one) => one.trim().replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
  };
  const heard = (event) => {
    const button = event.target.closest?.('.modebar-btn[data-title^="Download"]');
    const plot = button?.closest(".js-plotly-plot");
    if (!plot?._fullLayout || !line()) return;
    const { layout, _context: context, _fullLayout: full } = plot, options = context.toImageButtonOptions;
    const size = 0.85 * full.font.size, lines = wrapped(line(), Math.floor((full.width - 20) / (0.6 * size)));
    const more = Math.ceil(1.35 * size * lines.length + 14);
    const words = {
      text: lines.join("<br>"), showarrow: false, align: "left", font: { size },
      xref: "paper", x: 0, xanchor: "left", xshift: 10 - full._size.l,
      yref: "paper", y: 0, yanchor: "top", yshift: -full._size.b,
    };
    plot.layout = {
      ...layout,
      margin: { ...layout.margin, b: full._size.b + more },
      annotations: [...(layout.annotations ?? []), words],
    };
    const chart = options.filename.replace(/^dpviz-/, ""), filename = name() ? `${name()}-${chart}` : chart;
    context.toImageButtonOptions = { ...options, width: full.width, height: full.height + more, filename };
    setTimeout(() => { plot.layout = layout; context.toImageButtonOptions = options; });  // the copy is made by then
  };
  document.addEventListener("click", heard, true);
  return () => document.removeEventListener("click", heard, true);
};
