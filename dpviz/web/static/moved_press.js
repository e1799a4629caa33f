// A press counts where its button, or the line of its fold, has gone elsewhere before it ends, as it may while a page
// still fills: a browser knows a click only where it begins and ends upon the same element.
const press = () => {
  const NEAR = 12;  // pixels between its two ends
  const PRESSED = ['[data-testid^="stBaseButton"]', "summary"];
  let down = null;
  const begins = ({ target, isPrimary, button: which, clientX: x, clientY: y }) => {
    const button = isPrimary && which === 0 ? target.closest?.(PRESSED.join()) : null;
    down = button && { button, key: keyOf(button), kind: PRESSED.find((kind) => button.matches(kind)), x, y };
  };
  const ends = ({ clientX: x, clientY: y }) => {
    const was = down;
    down = null;
    if (!was || Math.hypot(x - was.x, y - was.y) > NEAR || was.button.contains(document.elementFromPoint(x, y))) return;
    const button = was.button.isConnected ? was.button : was.key && document.querySelector(`.${CSS.escape(was.key)} ${was.kind}`);
    if (button && !button.disabled) button.click();
  };
  document.addEventListener("pointerdown", begins, true);
  document.addEventListener("pointerup", ends, true);
};
