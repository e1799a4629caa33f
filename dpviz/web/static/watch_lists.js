// "Watch ten lists" of dpviz/web/screens/explore/class_map.py: simulated lists fall into the map one by one, each by name,
// and cells count them. Until all have fallen the words below are out of sight. A moving ε stops it. With reduced motion all
// lie there at once.
const PACE = 3200, FALL = 900;  // milliseconds from list to list, and of a fall

class Watch {
  constructor(root) {
    [this.button, this.list, this.voice] = ["button", "ol", "p"].map((one) => root.querySelector(one));
    this.button.addEventListener("click", () => (this.runs ? this.stop() : this.start()));
    this.moves = ({ detail }) => detail.kind === "moves" && this.stop();
    addEventListener("dpviz:hand", this.moves);
    this.watch = new ResizeObserver(() => this.place());
    this.stop();
  }
  show(data) {
    if (this.data?.mark !== data.mark) this.stop();
    this.data = data;
  }
  get image() { return document.querySelector(`.st-key-${this.data.chart} .heatmaplayer image`); }
  start() {
    this.stop();
    const main = document.querySelector(".stMain");
    if (!this.image) return;
    this.layer = main.appendChild(Object.assign(document.createElement("div"), { className: "dp-fallen", ariaHidden: "true" }));
    for (const each of [main.firstElementChild, this.image.closest(".js-plotly-plot")]) this.watch.observe(each);
    this.button.scrollIntoView({ block: "start" });
    this.place();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.turn(true);
    if (still) this.data.lists.forEach((one) => this.next(one, true)), this.turn(false);
    else this.go();
  }
  go(at = 0) {
    if (at === this.data.lists.length) return this.turn(false);
    this.next(this.data.lists[at]);
    this.timer = setTimeout(() => this.go(at + 1), PACE);
  }
  turn(runs) {
    this.runs = runs;
    this.button.textContent = runs ? "Stop" : this.list.children.length ? "Watch again" : "Watch ten lists";
    document.body.classList.toggle("dp-watching", runs);
    if (!runs && this.layer) this.voice.textContent = "All lists lie on the map. Each cell counts its lists.";
  }
  next({ names, says, cell: [column, row] }, still = false) {
    const one = document.createElement("li"), token = document.createElement("i"), [rows, columns] = this.data.cells;
    const marked = names.map((name) => Object.assign(document.createElement("span"), { textContent: name, className: name[0] === "✓" ? "" : "wrong" }));
    one.append(...marked.flatMap((name) => [name, " · "]).slice(0, -1), Object.assign(document.createElement("b"), { textContent: says }));
    this.list.append(one);
    this.list.scrollTop = one.offsetTop - this.list.offsetTop;
    this.button.textContent = `Stop: ${this.list.children.length} of ${this.data.lists.length}`;
    this.voice.textContent = `List ${this.list.children.length}: ${says}`;
    const [left, top] = [(column + 0.5) / columns, 1 - (row + 0.5) / rows].map((share) => `${100 * share}%`);
    Object.assign(token.style, { left, top });
    token.dataset.cell = `${column} ${row}`;
    const lands = () => {
      const there = this.layer?.querySelectorAll(`[data-cell="${token.dataset.cell}"]`) ?? [];
      const before = [...there].find((other) => other !== token && other.textContent);
      before?.remove();
      token.textContent = 1 + Number(before?.textContent ?? 0);
    };
    this.layer.append(token);
    if (still) lands();
    else token.animate([{ top: "-4rem", opacity: 0 }, { opacity: 1, offset: 0.1 }, { top }], { duration: FALL, delay: PACE / 3, easing: "ease-in", fill: "backwards" }).finished.then(lands, () => {});
  }
  place() {
    const main = this.layer?.parentElement, box = this.image?.getBoundingClientRect(), from = main?.getBoundingClientRect();
    if (!box || !from) return;
    Object.assign(this.layer.style, {
      left: `${box.left - from.left + main.scrollLeft}px`, top: `${box.top - from.top + main.scrollTop}px`, width: `${box.width}px`, height: `${box.height}px`,
    });
  }
  stop() {
    clearTimeout(this.timer);
    this.watch.disconnect();
    this.layer?.remove();
    this.layer = null;
    this.list.replaceChildren();
    this.voice.textContent = "";
    this.turn(false);
  }
  end() {
    this.stop();
    removeEventListener("dpviz:hand", this.moves);
  }
}

const watches = new WeakMap();
export default function ({ data, parentElement }) {
  if (!watches.has(parentElement)) watches.set(parentElement, new Watch(parentElement));
  watches.get(parentElement).show(data);
  return () => { watches.get(parentElement)?.end(); watches.delete(parentElement); };
}
