"use strict";
(() => {  // in a lesson's file: first a mark of one's own, then what is exact
  const one = (id) => document.getElementById(id), guess = one("guess"), mark = one("mark"), main = guess.parentElement;
  guess.hidden = false;
  main.classList.add("asking");
  mark.addEventListener("input", () => {
    const says = `${mark.value} of 100`;
    one("marked").textContent = says;
    mark.setAttribute("aria-valuetext", says);
  });
  guess.addEventListener("submit", (event) => {
    event.preventDefault();
    main.classList.remove("asking");
    guess.hidden = true;
    one("expected").textContent = `You marked ${mark.value} of 100. Exactly it is ${guess.dataset.so}.`;
  });
})();
