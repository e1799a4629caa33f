// The component behind dpviz/web/screens/learn/step.py: arrow keys, and those of a presenter, press the buttons.
const WAYS = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back" };
const OWN = "input, textarea, select, [contenteditable=true], [role=slider], [role=radiogroup], [role=tablist], .stDataFrame";

export default function ({ data }) {
  const heard = (event) => {
    const way = WAYS[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat) return;
    if (event.composedPath()[0].closest?.(OWN)) return;  // they mean something there
    const button = document.querySelector(`.st-key-learn_${way} button:not([disabled])`);
    if (!button) return;
    event.preventDefault();
    button.click();
  };
  document.addEventListener("keydown", heard);
  if (window.dpvizLesson && window.dpvizLesson !== data.at) document.querySelector(".stMain")?.scrollTo(0, 0);
  window.dpvizLesson = data.at;
  return () => document.removeEventListener("keydown", heard);
}
