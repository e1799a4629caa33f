// Plays the screen Start, in the app and in its file: every figure and every release comes with `data`, drawn before.
// Nothing is asked of a server. Whatever moves only shows what the page has said at once already.
// `tell`, if there is one, gets the slider's position once it rests, for the pages that follow.
const startScene = (root, data, tell) => {
  root.dpvizTell = tell;
  root.dataset.at = data.start;  // the position that was heard last
  if (root.dpvizScene) return;
  root.dpvizScene = true;
  const { names, places, words, k, best, coin } = data;
  const one = (what) => root.querySelector(what), all = (what) => [...root.querySelectorAll(what)];
  const slider = one("input"), button = one("button"), told = one(".dp-scene-told");
  const bars = all(".dp-scene-fan rect"), ways = all(".dp-scene-fan g path"), slots = all(".dp-scene-fan li");
  const cards = all(".dp-scene-cards i"), fan = one(".dp-scene-fan"), marks = one(".dp-scene-tally div");
  const fill = (text, ...values) => values.reduce((said, value) => said.replace("{}", value), text);
  const ranks = (text) => [...text].map((sign) => sign.charCodeAt(0) - data.sign);
  let next = 0, shown = null, lists = 0, right = 0, wait, rests, moved = false;  // of the lists that were published at this ε

  const say = (sentence, late) => {  // a live region tells what has settled
    clearTimeout(wait);
    wait = setTimeout(() => { told.textContent = sentence; }, late);
  };
  const middle = (bar) => Number(bar.getAttribute("y")) + Number(bar.getAttribute("height")) / 2;
  const list = (number) => {  // puts one on the screen; gives the ranks that should not be there
    const out = ranks(places[slider.value].releases[number]), wrong = out.filter((rank) => rank >= best);
    bars.forEach((bar, rank) => {
      bar.classList.toggle("out", out.includes(rank));
      bar.classList.toggle("wrong", wrong.includes(rank));
    });
    out.forEach((rank, n) => {
      const slot = slots[n], y = 100 * (n + 0.5) / k, from = middle(bars[rank]), bad = rank >= best;
      slot.textContent = names[rank];
      slot.className = bad ? "wrong" : "right";
      if (bad) slot.append(Object.assign(document.createElement("em"), { textContent: words.wrong }));
      ways[n].setAttribute("d", `M80 ${from}C92 ${from} 88 ${y} 100 ${y}`);
      ways[n].setAttribute("class", bad ? "wrong" : "right");
    });
    return wrong;
  };
  const count = (wrong) => {
    lists += 1;
    right += k - wrong.length;
    one(".dp-scene-tally p").textContent = fill(words.tally, right, k * lists);
    const mark = document.createElement("i");
    mark.style.setProperty("--wrong", wrong.length / k);
    marks.prepend(mark);
    while (marks.children.length > places[0].releases.length) marks.lastChild.remove();
  };
  const clear = () => {
    lists = right = 0;
    marks.replaceChildren();
  };
  const publish = () => {
    if (next === places[0].releases.length) {  // each was shown once
      next = 0;
      clear();
    }
    shown = next++;
    const wrong = list(shown);
    count(wrong);
    const first = fill(words.list, lists);
    say(first + (wrong.length ? fill(words.right, k - wrong.length, k, wrong.map((rank) => names[rank]).join(", "))
      : fill(words.all_right, k)), 0);
    root.classList.remove("plays");
    void root.offsetWidth;  // so that it begins anew
    root.classList.add("plays");
  };
  const set = () => {
    const { value, sentence, lit, chances } = places[slider.value];
    root.classList.remove("plays");
    one(".dp-scene-says").textContent = sentence;
    slider.setAttribute("aria-valuetext", value);
    slider.style.setProperty("--at", `${100 * slider.value / slider.max}%`);
    bars.forEach((bar, rank) => bar.style.setProperty("--chance", chances[rank]));
    cards.forEach((card, n) => { card.className = n < coin ? "coin" : n < lit ? "lit" : ""; });
    one(".dp-scene-cards").setAttribute("aria-label", fill(words.lit, lit));
    one(".dp-scene-lit b").textContent = lit;
    if (shown !== null) {  // the same luck at another ε: names settle
      clear();
      count(list(shown));
    }
  };
  button.addEventListener("click", publish);
  slider.addEventListener("input", () => {
    set();
    say(places[slider.value].sentence, 400);
    moved = true;
  });
  const leave = () => {
    clearTimeout(rests);
    if (moved) root.dpvizTell?.(Number(slider.value));
    moved = false;
  };
  slider.addEventListener("change", () => { clearTimeout(rests); rests = setTimeout(leave, 150); });
  slider.addEventListener("keyup", leave);
  slider.addEventListener("blur", leave);
  if (Number(slider.value) !== data.start) {
    slider.value = data.start;
    set();
  }
};
