// Behind dpviz/web/widgets/live_parts.py: asks whether something has come, ever less often; without an answer, again.
// Each answer has other data; Streamlit calls this anew without an end to the call before.
// One asks at a time, and none while a run goes on: one begun too soon keeps what the last took away.
const MOMENT = 50;
const asking = new WeakMap();
const marks = (window.dpvizMarks ??= {});
const turn = (window.dpvizTurn ??= { until: 0 });  // of a question
const RUNS = "[data-test-script-state=running]";
let done = 0;  // when something was
for (const kind of ["click", "change", "input", "keydown", "pointerup"])
  document.addEventListener(kind, () => { done = performance.now(); }, true);

export default function ({ data, parentElement, setTriggerValue }) {
  const before = asking.get(parentElement);
  before?.end();
  const wait = before ? Math.min(1.5 * before.wait, data.most) : data.first;
  let patience = 1000 * data.answered, asked = false, timer;
  const look = () => {
    clearTimeout(timer);
    const now = performance.now();
    if (now < Math.max(done + MOMENT, turn.until) || document.querySelector(RUNS)) {
      timer = setTimeout(look, MOMENT);
    } else if (data.unseen || !document.hidden) {
      (window.dpvizAtOnce ?? ((tell) => tell()))(() => setTriggerValue("tick", { marks: { ...marks, [data.key]: data.mark }, at: Date.now() }));
      asked = true;
      timer = setTimeout(look, patience);
      turn.until = now + patience;
      patience *= 2;
    }
  };
  const seen = () => document.hidden || asked || look();
  const end = () => {
    clearTimeout(timer);
    turn.until = 0;
    document.removeEventListener("visibilitychange", seen);
  };
  asking.set(parentElement, { wait, end });
  marks[data.key] = data.mark;
  document.addEventListener("visibilitychange", seen);
  timer = setTimeout(look, 1000 * wait * (0.8 + 0.4 * Math.random()));
  return () => {
    end();
    if (marks[data.key] === data.mark) delete marks[data.key];
  };
}
