// Keys go on where a press was. Streamlit draws a page anew, and the focus on what it takes away would fall to the body:
// it goes to the heading where a press opened another screen, else to where the button was, or to what is beside it.
const HEADING = ".dp-step-title, h1.dp-title";
const heading = () => document.querySelector(".dp-step-title") ?? document.querySelector("h1.dp-title");
const screenNow = () => [...document.querySelectorAll(".dp-over, .dp-step-title")].map((one) => one.textContent).join();

const keyOf = (one) => [...one?.closest('[class*="st-key-"]')?.classList ?? []].find((name) => name.startsWith("st-key-"));

const keepFocus = () => {
  const REACHED = 'a[href], button, input, textarea, summary, [tabindex="0"]', MOMENT = 250, SEEN = 12;
  const usable = (one) => one?.isConnected && !one.disabled && one.checkVisibility({ visibilityProperty: true });
  const within = (part) => [...part.querySelectorAll(REACHED)];
  const part = (key) => key && document.querySelector(`.${CSS.escape(key)}`);
  const place = (one) => ({ one, key: keyOf(one), at: within(part(keyOf(one)) ?? one).indexOf(one) });
  const again = ({ one, key, at }) => (one.matches(HEADING) ? heading() : one.isConnected ? one : part(key) && within(part(key))[at]);
  const lost = () => document.activeElement === document.body && held.length && !usable(held[0].one);
  let held = [], beside = [], pressed = null, wait;

  const go = (one, there = { preventScroll: true }) => {
    if (one.matches(HEADING)) one.tabIndex = -1;
    one.focus(there);
  };
  const settled = () => {  // nothing comes in its place any more
    if (!lost()) return;
    if (document.querySelector("[data-test-script-state=running]")) return later();
    const left = [...held.slice(0, 1), ...beside, ...held.slice(1)].map(again).find(usable) ?? heading();
    if (left) go(left);
  };
  const later = () => { clearTimeout(wait); wait = setTimeout(settled, MOMENT); };
  const look = () => {
    // the cells of a table are reached and named; the box that scrolls them would be a stop without a name
    for (const box of document.querySelectorAll(".dvn-scroller:not([tabindex])")) box.tabIndex = -1;
    const now = document.activeElement, free = now.matches(`body, ${HEADING}`) || now === pressed?.button;
    if (pressed && free && heading() && ![pressed.screen, ""].includes(screenNow())) {
      if (now !== heading()) go(heading(), {});
    } else if (lost()) {
      const back = again(held[0]);
      if (usable(back)) go(back);
      else later();
    }
  };
  const focusin = ({ target }) => {
    if (target === document.body) return;
    const all = within(target.closest('[role=dialog], [data-baseweb=popover]') ?? document), at = all.indexOf(target);
    beside = at < 0 ? [] : [...all.slice(Math.max(at - SEEN, 0), at).reverse(), ...all.slice(at + 1, at + SEEN)].map(place);
    held = [place(target), ...held].slice(0, SEEN);
  };
  const click = ({ target }) => {
    const button = target.closest?.("button, a[href]");
    if (button) pressed = { button, screen: screenNow() };
  };
  const keydown = () => { pressed = null; };
  const pointerdown = ({ target }) => {
    pressed = null;
    if (!target.closest?.(REACHED)) held = [];  // who leaves a control is not brought back to it
  };
  const heard = { focusin, keydown, pointerdown, click };
  for (const [kind, hear] of Object.entries(heard)) document.addEventListener(kind, hear, true);
  return look;
};
