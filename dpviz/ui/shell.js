// The component behind dpviz/ui/shell/stage.py: the history of the browser, keys, and the page that is lit.
// It stands after plots.js.

// Streamlit writes every change of the address as an entry of its own, and writes over the one that Back returns to.
// Back is for pages: an address that differs in its parameters alone takes the place of the one before.
if (!history.dpviz) {
  const push = history.pushState;
  history.dpviz = true;
  history.pushState = function (held, title, url) {
    const here = new URL(url, location.href).pathname === location.pathname;
    return (here ? history.replaceState : push).call(history, held, title, url);
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=range]), textarea, select, [contenteditable=true]");
    if (typing || event.altKey || event.repeat) return;
    const held = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
    const name = held && !event.shiftKey && key === "z" ? "undo" : !held && key === "p" ? "presenter" : null;
    const button = name && document.querySelector(`.st-key-${name} button:not([disabled])`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });
}

// Streamlit does not know that the page at "/" is the one that is called otherwise in the navigation.
export default function ({ data }) {
  const light = () => {
    for (const link of document.querySelectorAll("[data-testid$=NavLink]")) {
      const lit = new URL(link.href).pathname.endsWith(`/${data.lit}`);
      if (lit && !link.dataset.dpvizLit) {
        link.dataset.dpvizLit = "yes";
        link.setAttribute("aria-current", "page");
      }
    }
  };
  if (!data.lit) return;
  light();
  const watch = new MutationObserver(light);  // on a phone the navigation comes when the sidebar opens
  watch.observe(document.body, { childList: true, subtree: true });
  return () => {
    watch.disconnect();
    for (const link of document.querySelectorAll("[data-dpviz-lit]")) {
      delete link.dataset.dpvizLit;
      if (new URL(link.href).pathname !== location.pathname) link.removeAttribute("aria-current");
    }
  };
}
