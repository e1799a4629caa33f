// A press counts where its button has gone elsewhere before it ends, as it may while a page still fills: a browser knows
// a click only where it begins and ends upon the same element.
const press = () => {
  const NEAR = 12, AFTER = 60;  // pixels between its two ends; milliseconds in which a click of the browser's own comes
  const pressed = ({ target }) => target.closest?.('[data-testid^="stBaseButton"]');
  let down = null;
  const begins = (event) => {
    const button = event.isPrimary && event.button === 0 ? pressed(event) : null;
    const key = [...button?.closest('[class*="st-key-"]')?.classList ?? []].find((name) => name.startsWith("st-key-"));
    down = button && { button, key, x: event.clientX, y: event.clientY };
  };
  const clicked = ({ target }) => { if (target.closest?.("button, a, input, label, summary")) down = null; };
  const ends = (event) => {
    const was = down;
    if (!was || Math.hypot(event.clientX - was.x, event.clientY - was.y) > NEAR) return;
    setTimeout(() => {
      if (down !== was) return;  // it was heard
      down = null;
      const button = was.button.isConnected ? was.button : was.key && document.querySelector(`.${CSS.escape(was.key)} button`);
      if (button && !button.disabled) button.click();
    }, AFTER);
  };
  const heard = { pointerdown: begins, click: clicked, pointerup: ends };
  for (const [kind, hear] of Object.entries(heard)) document.addEventListener(kind, hear, true);
  return () => { for (const [kind, hear] of Object.entries(heard)) document.removeEventListener(kind, hear, true); };
};
