// The server is where the page's own files are: Streamlit else asks below the page's address first, which is not there.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };
// Until a page's heading is there, of what the page begins with (its rules, the strip, the sidebar) some is still to come.
(() => {
  const start = /\/(start)?$/.test(location.pathname) && !location.search, { dataset } = document.documentElement;
  dataset.dpvizFirst = start ? "start" : "page";
  // The script that draws charts runs while the server makes the page; some pages begin without a chart.
  let begun = /\/(start|learn|classroom|decide|deployments)?$/.test(location.pathname);
  new MutationObserver((_, seen) => {
    if (!begun && document.querySelector(".stApp")) {
      begun = true;
      for (const { href } of document.querySelectorAll('link[href*="PlotlyChart"]')) import(href);
    }
    const rules = () => getComputedStyle(document.querySelector(".stApp")).getPropertyValue("--dp-ink");
    if (!document.querySelector(".stMainBlockContainer h1") || !rules()) return;
    seen.disconnect();
    const laidOut = () => requestAnimationFrame(() => { delete dataset.dpvizFirst; });
    requestAnimationFrame(laidOut);  // what is seen as it takes its place has moved
  }).observe(document, { childList: true, subtree: true });
})();
