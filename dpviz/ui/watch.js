// Behind dpviz/ui/work/watch.py: asks whether something has come, ever less often; without an answer, again.
// Each answer has other data; Streamlit calls this anew without an end to the call before.
const MOMENT = 50;
const asking = new WeakMap();
const marks = (window.dpvizMarks ??= {});
let done = 0;  // when something was
for (const kind of ["click", "change", "input", "keydown", "pointerup"])
  document.addEventListener(kind, () => { done = performance.now(); }, true);

export default function ({ data, parentElement, setTriggerValue }) {
  const before = asking.get(parentElement);
  before?.end();
  const wait = before ? Math.min(1.5 * before.wait, data.most) : data.first;
  let patience = data.answered, asked = false, timer;
  const look = () => {
    clearTimeout(timer);
    if (performance.now() < done + MOMENT) {
      timer = setTimeout(look, MOMENT);
    } else if (data.unseen || !document.hidden) {
      (window.dpvizAtOnce ?? ((tell) => tell()))(() => setTriggerValue("tick", { marks: { ...marks, [data.key]: data.mark }, at: Date.now() }));
      asked = true;
      timer = setTimeout(look, 1000 * patience);
      patience *= 2;
    }
  };
  const seen = () => document.hidden || asked || look();
  const end = () => (clearTimeout(timer), document.removeEventListener("visibilitychange", seen));
  asking.set(parentElement, { wait, end });
  marks[data.key] = data.mark;
  document.addEventListener("visibilitychange", seen);
  timer = setTimeout(look, 1000 * wait * (0.8 + 0.4 * Math.random()));
  return () => {
    end();
    if (marks[data.key] === data.mark) delete marks[data.key];
  };
}
