// Previews of dpviz/web/widgets/slider_preview.py, one of the shared scripts: the page follows ε while the slider moves. It
// asks for the steps when the hand comes to the slider, and shows them in a layer of its own over the page: copies of the
// texts that have a place (`data-place`) with what they say at the step, and the charts drawn anew. Nothing of the page
// itself is touched. Once the hand lets go each copy stays until what is below it is of that ε (`data-at`).
// A stop whose step has not come shows the nearest one that has, and a line says so; before any has come, what would follow
// is veiled. The steps nearest to the stop under the hand are computed first.
const NEAR = 60;  // charts that are so few pixels out of sight are drawn too
const PATIENCE = 3000;  // milliseconds until steps are asked for again
const AGAIN = 300;  // when the page has been run anew
const LATE = 8000;  // and until a copy goes though what is below it has not come
const steps = (window.dpvizSteps ??= new Map());  // mark → text of the stop → step
const MARKS = 3;  // whose steps are remembered

const unpacked = async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const { content, full } = unpooled(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json());
  return full(content);
};

// A copy of what holds texts with a place, or a chart, over it; `mine` is in the layer, `below` finds what it stands for.
class Copy {
  constructor(mine, below) { Object.assign(this, { mine, below }); }
  put(high) {
    const box = this.below()?.getBoundingClientRect();
    this.mine.hidden = !box?.width;
    if (!this.mine.hidden) Object.assign(this.mine.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, minHeight: `${box.height}px` });
    this.seen = !!box && box.bottom > high - NEAR && box.top < innerHeight + NEAR;
  }
}

// A part of a text, which may be a design: its letter in its colour, as it stands elsewhere on the page.
const parts = (part) => {
  if (!Array.isArray(part)) return [part];
  const letter = document.querySelector(`[data-design="${part[0]}"]`)?.cloneNode(true) ?? "";
  letter.removeAttribute?.("class");
  return [letter, ` ${part[1]}`];
};

class Texts extends Copy {
  constructor(mine, below, held) { super(mine, below); this.held = [...held.querySelectorAll("[data-place]")]; }
  show({ said, charts }) {
    for (const element of this.held) {
      const [name, chart] = element.dataset.place.split(" "), text = chart ? charts[chart]?.says : said[name];
      if (text === undefined) continue;
      if (name.startsWith("bar-")) element.parentElement.style.width = text;
      else if (Array.isArray(text)) element.replaceChildren(...text.flatMap(parts));
      else if (element.textContent !== text) element.textContent = text;
    }
  }
  came(at) {
    const there = [...this.below()?.querySelectorAll("[data-at]") ?? []];
    return there.length >= this.held.length && there.every((one) => one.dataset.at === at);
  }
}

class Picture extends Copy {
  constructor(mine, below, name) {
    super(mine, below);
    Object.assign(this, { name, was: below()?.data });
  }
  show({ charts }, template) {
    const plot = this.below(), { data, layout } = charts[this.name], { width, height } = plot._fullLayout;
    this.mine.style.height = `${height}px`;
    const whole = { ...layout, template, width, autosize: false };
    Plotly.dpvizFollow(this.mine, { data, layout: whole, config: { staticPlot: true } });
  }
  came(at) {  // its sentence is there, and the chart was handed over and drawn
    const says = document.querySelector(`[data-place="says ${this.name}"]`);
    if (says && says.dataset.at !== at) return false;
    this.since ??= performance.now();
    const plot = this.below(), late = performance.now() > this.since + 1000;
    return late || (!!plot && plot.data !== this.was && !plot.dpvizDrawn);
  }
}

class Layer {
  constructor(paper, waits) {
    this.node = Object.assign(document.createElement("div"), { className: "dp-hand", inert: true });
    this.node.setAttribute("aria-hidden", "true");
    this.node.style.colorScheme = getComputedStyle(document.querySelector(".stApp")).colorScheme;
    Object.assign(this, { paper, waits });
    this.node.classList.toggle("waits", waits);
    this.copies = [...this.texts(), ...this.pictures(), ...this.pale()];
    this.note = Object.assign(document.createElement("div"), { className: "dp-hand-note" });
    this.node.append(this.note);
    document.body.append(this.node);
    document.body.classList.add("dp-follows");
    this.put = () => {
      this.place();
      if (this.last) for (const copy of this.copies) if (copy instanceof Picture && copy.seen && copy.at !== this.last[0]) this.draw(copy);
    };
    addEventListener("scroll", this.put, true);
    addEventListener("resize", this.put);
    this.place();
  }
  add(from, mine = document.createElement("div")) {
    const main = from.closest(".stMainBlockContainer"), classes = ["stApp", "stMainBlockContainer"];  // rules reach it so
    for (let up = from; up && up !== main; up = up.parentElement) for (const one of up.classList) if (one.startsWith("st-key-")) classes.push(one);
    const box = Object.assign(document.createElement("div"), { className: [...new Set(classes)].join(" ") });
    const { fontFamily, fontSize, color, lineHeight } = getComputedStyle(from), high = parseFloat(lineHeight) / parseFloat(fontSize);
    Object.assign(box.style, { fontFamily, fontSize, color, lineHeight: high || "normal", background: this.paper });
    box.append(mine);
    this.node.append(box);
    return box;
  }
  texts() {
    const all = [...document.querySelectorAll(".stMainBlockContainer [data-place]")].map((one) => one.closest(".stHtml"));
    return [...new Set(all)].filter(Boolean).map((html) => {
      const held = html.cloneNode(true), place = html.querySelector("[data-place]").dataset.place;
      return new Texts(this.add(html, held), () => document.querySelector(`.stMainBlockContainer [data-place="${place}"]`)?.closest(".stHtml"), held);
    });
  }
  pictures() {
    const all = [...document.querySelectorAll('.stMainBlockContainer [data-place^="says "]')];
    return all.map((one) => one.dataset.place.slice(5)).map((name) => {
      const below = () => document.querySelector(`.stMainBlockContainer .st-key-${name} .js-plotly-plot`);
      if (!below()?._fullLayout) return null;
      const box = Object.assign(document.createElement("div"), { style: `background: ${this.paper}` });
      this.node.append(box);
      return new Picture(box, below, name);
    }).filter(Boolean);
  }
  pale() {  // what does not follow is of another ε
    return [...document.querySelectorAll(".stMainBlockContainer :is([data-pale], [class*='st-key-pale_'])")].map((one) => {
      const veil = Object.assign(document.createElement("div"), { className: "dp-veil", style: `background: ${this.paper}` });
      this.node.append(veil);
      return Object.assign(new Copy(veil, () => one.isConnected ? one : null), { show() {}, came: () => !one.isConnected || !!this.settled });
    });
  }
  place() {
    const main = document.querySelector(".stMain")?.getBoundingClientRect(), strip = document.querySelector(".st-key-stage")?.getBoundingClientRect();
    const above = !strip || strip.top < innerHeight / 2;  // on a phone it is below
    const top = Math.max(main?.top ?? 0, above ? strip?.bottom ?? 0 : 0);
    this.node.style.clipPath = `inset(${top}px 0 ${above ? 0 : innerHeight - strip.top}px ${main?.left ?? 0}px)`;
    const [x, y] = above ? ["right", "top"] : ["left", "bottom"];  // beside the heading, which begins on the left
    const beside = above ? innerWidth - (main?.right ?? innerWidth) : main?.left ?? 0, edge = above ? top : innerHeight - strip.top;
    Object.assign(this.note.style, { left: "auto", right: "auto", top: "auto", bottom: "auto", [x]: `${beside}px`, [y]: `${edge}px` });
    for (const copy of this.copies) copy.put(top);
  }
  say(text) {
    this.note.hidden = !text;
    this.note.textContent = text;
  }
  show(kind, step, template) {
    if (kind === Picture) this.last = [step, template];
    for (const copy of this.copies) {
      if (kind === Texts && copy instanceof Texts) copy.show(step);
      else if (kind === Picture && copy instanceof Picture && copy.seen) this.draw(copy);
    }
  }
  draw(copy) {
    copy.at = this.last[0];
    copy.show(...this.last);
  }
  settle(at) {  // take away what has come below; whether all has
    this.place();
    this.settled = this.copies.every((copy) => !(copy instanceof Texts) || copy.came(at));
    this.copies = this.copies.filter((copy) => !copy.came(at) || copy.mine.remove());
    return !this.copies.length;
  }
  end() {
    removeEventListener("scroll", this.put, true);
    removeEventListener("resize", this.put);
    for (const copy of this.copies) if (copy instanceof Picture) Plotly.purge(copy.mine);
    this.node.remove();
    document.body.classList.remove("dp-follows");
  }
}

class Hand {
  given(data, tell) {
    if (this.data && this.data.mark !== data.mark) this.clear();
    if (this.until && data.at !== this.until && data.at !== this.data?.at) this.clear();  // something else was done
    Object.assign(this, { data, tell });
    if (data.packed) return void this.take(data);
    this.asked = 0;  // what was asked of the page as it was before may be lost
    setTimeout(() => this.near && this.ask(), AGAIN);
  }
  async take({ mark, whole, packed }) {
    const { steps: come, template, paper } = await unpacked(packed), before = steps.get(mark) ?? new Map();
    for (const [at, step] of Object.entries(come)) before.set(at, step);
    steps.delete(mark);
    steps.set(mark, before);
    for (const old of [...steps.keys()].slice(0, -MARKS)) steps.delete(old);
    Object.assign(this, { template, paper, asked: 0, wait: whole ? 0 : Math.min(1.5 * (this.wait || 100), 2000) });
    dispatchEvent(new CustomEvent("dpviz:steps", { detail: { mark } }));
    if (!whole) setTimeout(() => this.near && mark === this.data?.mark && this.ask(), this.wait);
  }
  ask() {
    if (!this.data) return;
    const { mark, texts } = this.data, has = steps.get(mark);
    if ((has && texts.every((text) => has.has(text))) || performance.now() < (this.asked || -PATIENCE) + PATIENCE - 10) return;
    this.asked = performance.now();
    clearTimeout(this.again);
    this.again = setTimeout(() => this.near && this.ask(), PATIENCE);  // the page may not have heard, being run anew
    this.number = (this.number ?? 0) + 1;
    window.dpvizAtOnce(() => this.tell("ask", { mark, number: this.number, near: this.sought, has: [...has?.keys() ?? []] }));
  }
  hears({ kind, mark, name, at }) {
    if (!this.data || name !== this.data.slider || mark !== this.data.mark) return;
    this.near = kind !== "leaves";
    if (kind === "arrives") this.ask();
    else if (kind === "leaves") return;
    else if (kind === "moves") this.move(at);
    else if (kind === "rests") this.clear();
    else this.let(at);
  }
  nearest(at) {  // the stop that is fewest stops away among those whose step has come
    const { mark, texts } = this.data, has = steps.get(mark), here = texts.indexOf(at);
    const away = (text) => Math.abs(texts.indexOf(text) - here);
    return texts.filter((text) => has?.has(text)).reduce((best, text) => best === null || away(text) < away(best) ? text : best, null);
  }
  move(at) {
    const stop = this.nearest(at), step = steps.get(this.data.mark)?.get(stop);
    const drawable = window.Plotly?.dpvizFollow || !document.querySelector(".stMainBlockContainer .js-plotly-plot");
    const waits = !step || !drawable;
    if (stop !== at && this.sought !== at) {
      Object.assign(this, { sought: at, wait: 0 });
      this.ask();
    }
    if (this.layer?.waits !== waits) this.clear();
    this.until = null;
    clearInterval(this.looks);
    this.layer ??= new Layer(this.paper ?? getComputedStyle(document.querySelector(".stApp")).backgroundColor, waits);
    if (waits) return this.layer.say(`${at} is being computed.`);
    this.layer.say(stop === at ? "" : `${at} is being computed. Shown is ${stop}, the nearest that is ready.`);
    this.step = step;
    this.layer.show(Texts, step);
    this.frame ??= requestAnimationFrame(() => setTimeout(() => {  // the words are painted before the charts are drawn
      this.frame = null;
      this.layer?.show(Picture, this.step, this.template);
    }));
  }
  let(at) {
    if (!this.layer) return;
    this.until = at;
    const late = performance.now() + LATE;
    clearInterval(this.looks);
    this.looks = setInterval(() => {
      if (this.layer?.settle(at) || performance.now() > late) this.clear();
    }, 40);
  }
  clear() {
    clearInterval(this.looks);
    this.layer?.end();
    this.layer = this.until = null;
  }
}

if (!window.dpvizHand) {
  const hand = (window.dpvizHand = new Hand());
  addEventListener("dpviz:hand", (event) => hand.hears(event.detail));
  window.dpvizFollow = ({ data, setTriggerValue }) => {
    hand.given(data, setTriggerValue);
    return () => hand.clear();
  };
}
