"use strict";
(() => {
  const slides = [...document.querySelectorAll("section")];
  const asked = () => Number(location.hash.slice(2)) - 1;
  let at = 0;
  const show = (wanted) => {
    at = Math.min(Math.max(Number.isInteger(wanted) ? wanted : 0, 0), slides.length - 1);
    slides.forEach((slide, number) => { slide.hidden = number !== at; });
    window.scrollTo(0, 0);
    if (asked() !== at) location.replace(`#s${at + 1}`);
  };
  const on = new Set(["ArrowRight", "ArrowDown", "PageDown", "Enter"]);
  const back = new Set(["ArrowLeft", "ArrowUp", "PageUp", "Backspace"]);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.id === "mark" && !/^Page|Enter/.test(event.key)) return;  // there they move the mark
    const { key } = event;
    if (on.has(key) || (key === " " && !event.shiftKey)) show(at + 1);
    else if (back.has(key) || key === " ") show(at - 1);
    else if (key === "Home") show(0);
    else if (key === "End") show(slides.length - 1);
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (String(getSelection()) || event.target.closest(".dp-guess")) return;
    if (event.clientX > 0.75 * innerWidth) show(at + 1);
    else if (event.clientX < 0.25 * innerWidth) show(at - 1);
  });
  document.addEventListener("input", ({ target }) => {
    const says = `${target.value} of 100`;
    target.previousElementSibling.textContent = says;
    target.setAttribute("aria-valuetext", says);
  });
  window.addEventListener("hashchange", () => show(asked()));
  show(asked());
})();
