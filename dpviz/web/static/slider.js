// The slider of dpviz/web/widgets/slider_preview.py, one of the scripts that all pages share: a slider over stops, which tells a
// value when it is let go of. What is under the hand is an event of the window for whoever follows, see slider_preview.js:
// "dpviz:hand" with {kind, name, mark, value, at}; kinds are "arrives" and "leaves" (pointer or focus), "moves", "rests"
// (let go of where it was taken up) and "lets go" (a new value is told). The value that it has is Streamlit's, but while
// it is held or told and not heard.
const AFTER_KEYS = 150;  // milliseconds: a few presses are one change
const sliders = new WeakMap();

class Slider {
  constructor(root) {
    const one = (what) => root.querySelector(what);
    Object.assign(this, { root, range: one("input"), rail: one(".rail"), now: one("output"), curve: one("path") });
    this.ends = root.querySelectorAll(".end");
    this.held = this.waits = null;  // the value when it was taken up; the number of what was told and not heard
    this.told = 0;
    const range = this.range, arrives = () => this.says("arrives");
    range.addEventListener("pointerenter", arrives);
    range.addEventListener("focus", arrives);
    range.addEventListener("pointerdown", () => this.take());
    range.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.held !== null) this.put(this.held), this.let();
      clearTimeout(this.timer);
    });
    range.addEventListener("input", () => { this.take(); this.paint(); this.says("moves"); });
    range.addEventListener("keyup", () => { this.timer = setTimeout(() => this.let(), AFTER_KEYS); });
    range.addEventListener("change", () => { if (this.pressed) this.pressed = false, this.let(); });
    range.addEventListener("blur", () => { this.let(); this.leaves(); });
    range.addEventListener("pointerleave", () => this.leaves());
    range.addEventListener("pointerdown", () => { this.pressed = true; });
    this.up = () => setTimeout(() => { if (this.pressed) this.pressed = false, this.let(); });  // after its last move
    for (const kind of ["pointerup", "pointercancel"]) window.addEventListener(kind, this.up);
    this.came = ({ detail }) => {
      if (detail.mark !== this.data.mark) return;
      this.paint();
      if (this.held !== null) this.says("moves");  // the step that it is at may have come
    };
    window.addEventListener("dpviz:steps", this.came);
  }
  get value() { return this.data.stops[this.range.value]; }
  put(value) {
    const { stops } = this.data, off = (stop) => Math.abs(Math.log(stop / value));
    this.range.value = stops.reduce((best, stop, at) => (off(stop) < off(stops[best]) ? at : best), 0);
    this.paint();
  }
  show(data, tell) {
    const value = this.data && (this.held !== null || this.waits !== null) ? this.value : data.value;
    if (data.heard === this.waits) this.waits = null;
    Object.assign(this, { data, tell });
    this.range.max = data.stops.length - 1;
    this.root.querySelector("label").textContent = data.label;
    this.ends.forEach((end, n) => { end.textContent = data.ends[n] ?? ""; });
    this.root.querySelector("#help").textContent = data.help;
    this.root.querySelector("button").hidden = !data.help;
    this.put(this.held === null && this.waits === null ? data.value : value);
    if (this.near) this.says("arrives");
  }
  paint() {
    const { stops, texts, mark } = this.data, at = Number(this.range.value), text = texts[at];
    const steps = window.dpvizSteps?.get(mark), waits = mark && this.held !== null ? "being computed" : "";
    const said = steps?.get(text)?.says ?? waits;
    this.now.textContent = text;
    this.range.setAttribute("aria-valuetext", said ? `${text}: ${said}` : text);
    this.rail.classList.toggle("held", this.held !== null);
    this.rail.classList.toggle("alone", this.data.alone);
    const share = stops.length > 1 ? at / (stops.length - 1) : 0;
    this.rail.style.setProperty("--at", `calc(${share} * (100% - var(--thumb)) + var(--thumb) / 2)`);
    const heights = texts.map((each) => steps?.get(each)?.height);
    const most = Math.max(...heights);  // a shape, without an axis: the highest is all of it
    const there = heights.map((y, n) => [100 * n / (stops.length - 1), 100 - 100 * y / most]).filter(([, y]) => y <= 100);
    const line = there.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const whole = most && there.length === stops.length && line;
    this.curve.setAttribute("d", whole ? `M0 100L${line}L100 100` : "");
  }
  says(kind) {
    const { name, mark } = this.data, detail = { kind, name, mark, value: this.value, at: this.data.texts[this.range.value] };
    window.dispatchEvent(new CustomEvent("dpviz:hand", { detail }));
  }
  get near() { return this.held !== null || this.root.activeElement === this.range || this.range.matches(":hover"); }
  leaves() { if (!this.near) this.says("leaves"); }
  take() {
    if (this.held !== null) return;
    this.held = this.data.value;
    this.says("arrives");
    this.paint();
  }
  let() {
    clearTimeout(this.timer);
    if (this.held === null || this.pressed) return;
    this.held = null;
    this.paint();
    if (this.value === this.data.value && this.waits === null) return this.says("rests");
    this.waits = `${Date.now()} ${++this.told}`;
    this.says("lets go");
    window.dpvizAtOnce(() => this.tell("told", { value: this.value, number: this.waits }));
  }
  end() {
    for (const kind of ["pointerup", "pointercancel"]) window.removeEventListener(kind, this.up);
    window.removeEventListener("dpviz:steps", this.came);
  }
}

window.dpvizSlider ??= ({ data, parentElement, setTriggerValue }) => {
  if (!sliders.has(parentElement)) sliders.set(parentElement, new Slider(parentElement));
  const slider = sliders.get(parentElement);
  slider.show(data, setTriggerValue);
  return () => { slider.end(); sliders.delete(parentElement); };
};
