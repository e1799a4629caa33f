"""The style and the script of a page of reports."""

__all__ = ["SCRIPT", "STYLE"]

STYLE = """
:root{--ink:#1c2733;--muted:#5b6875;--line:#e4e8ec;--paper:#fff;--raised:#f6f8f9;--accent:#1f5fa8}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecf1;--muted:#9aa7b4;--line:#2a323c;--paper:#0f141a;
--raised:#171d26;--accent:#6cb2f5}}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:16px/1.6 "Source Sans 3","Source Sans Pro","Helvetica Neue",Arial,
sans-serif;-webkit-text-size-adjust:100%}
body{margin:0}
main{max-width:62rem;margin:0 auto;padding:3rem 1.5rem 5rem}
p,ul,nav,figcaption{max-width:46rem}
h1{font-size:2.1rem;line-height:1.2;letter-spacing:-.01em;margin:0 0 .6rem;text-wrap:balance}
h2{font-size:1.5rem;line-height:1.25;margin:4rem 0 .6rem;padding-top:1.2rem;border-top:1px solid var(--line)}
h3{font-size:1.15rem;margin:2.6rem 0 .4rem}
h4{font-size:1rem;margin:1.8rem 0 .3rem}
p{margin:.6rem 0}
a{color:var(--accent);text-underline-offset:.15em}
.lead{font-size:1.15rem;color:var(--muted)}
.note{border-left:3px solid var(--accent);padding:.1rem 0 .1rem .9rem}
nav ol{columns:2;column-gap:2rem;padding-left:1.2rem;margin:1.4rem 0;font-size:.95rem}
nav li{break-inside:avoid}
figure{margin:1.6rem 0 2.2rem}
figcaption{font-size:.95rem;color:var(--muted)}
figcaption b{color:var(--ink);font-weight:600}
figcaption p{margin:.25rem 0}
figcaption.title{color:var(--ink);font-weight:600;font-size:1.02rem;margin-bottom:.3rem}
.plot{width:100%}
.wide{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;line-height:1.4}
caption{text-align:left;color:var(--muted);padding-bottom:.5rem;max-width:46rem}
th,td{padding:.32rem .9rem .32rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--muted);vertical-align:bottom}
td.number,th.number{text-align:right}
th:last-child,td:last-child{padding-right:0}
tbody tr:hover{background:var(--raised)}
details{margin:1rem 0}
summary{cursor:pointer;color:var(--accent);font-size:.95rem}
@media (max-width:40rem){main{padding:1.6rem 1rem 3rem}nav ol{columns:1}}
@media print{
:root{--ink:#000;--muted:#444;--line:#ccc;--paper:#fff;--raised:#fff;--accent:#000}
@page{margin:16mm}
html{font-size:10.5pt}main{max-width:none;padding:0}
h2,h3,h4,figcaption.title{break-after:avoid}h2{margin-top:2rem}
figure,tr{break-inside:avoid}
a{color:inherit;text-decoration:none}
}
"""

SCRIPT = """
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
  const draw = (plot) => {
    const mode = dark.matches && !printing ? "dark" : "light";
    if (plot.dataset.mode === mode) return;
    plot.dataset.mode = mode;
    const plain = structuredClone(data.figures[Number(plot.dataset.figure)]);
    const figure = mode === "dark" ? recoloured(plain) : plain;
    figure.layout.template = structuredClone(data.templates[mode]);
    figure.layout.autosize = true;
    Plotly.react(plot, figure.data, figure.layout, {displaylogo: false, responsive: true, scrollZoom: false});
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
"""
