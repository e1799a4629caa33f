// The component behind dpviz/web/widgets/navigation.py, drawn once for all pages: the history of the browser, keys, and the
// scripts that stand before this one.

// Streamlit writes every change of the address as an entry of its own, and writes over the one that Back returns to.
// Back is for pages: an address that differs in its parameters alone takes the place of the one before.
const backIsForPages = () => {
  const push = history.pushState;
  history.pushState = function (held, title, url) {
    const here = new URL(url, location.href).pathname === location.pathname;
    return (here ? history.replaceState : push).call(history, held, title, url);
  };
};

const keys = (event) => {
  const typing = event.target.closest?.("input:not([type=range]), textarea, select, [contenteditable=true]");
  if (typing || event.altKey || event.repeat) return;
  const held = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
  const name = held && !event.shiftKey && key === "z" ? "undo" : !held && key === "p" ? "presenter" : null;
  const button = name && document.querySelector(`.st-key-${name} button:not([disabled])`);
  if (!button) return;
  event.preventDefault();
  button.click();
};

// Charts are drawn in the look of the page: where that turns dark or light, the page is asked for again.
const looks = () => {
  const app = document.querySelector(".stApp"), ground = () => getComputedStyle(app).backgroundColor;
  let last = ground();
  new MutationObserver(() => {
    if (ground() === last) return;
    last = ground();
    window.dpvizAtOnce(() => window.dpvizPage("look", last));
  }).observe(app, { attributes: true, attributeFilter: ["class"] });
};

// Where the server does not answer, Streamlit tells how one starts a script of one's own: app.css says it instead.
const unanswered = () => {
  const told = document.querySelector("[data-testid=stDialog] [role=dialog] > h2 + div");
  if (/\bStreamlit\b/.test(told?.textContent)) told.dataset.dpvizUnanswered = "";
};

export default function ({ data, setTriggerValue }) {
  const begun = window.dpvizPage;
  window.dpvizPage = setTriggerValue;
  if (begun) return;
  backIsForPages();
  document.addEventListener("keydown", keys);
  paper(data.light_for);
  press();
  looks();
  const heeds = [announce(), keepFocus(), unanswered, lit(data.more), drawer()];
  const look = () => heeds.forEach((heed) => heed());
  const changes = { childList: true, subtree: true, characterData: true, attributeFilter: ["disabled", "data-collapsed"] };
  new MutationObserver(look).observe(document.body, changes);
  look();
}
