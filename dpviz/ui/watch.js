// The component behind dpviz/ui/work/watch.py: asks whether something has come, a while after each answer, ever less often;
// where no answer comes, again. Each drawing has other data, and Streamlit calls this anew without an end to the call before.
const asking = new WeakMap();
const shown = (window.dpvizShown ??= {});  // the mark of each that is here

export default function ({ data, parentElement, setTriggerValue }) {
  const before = asking.get(parentElement);
  if (before) clearTimeout(before.timer);
  const own = { wait: before ? Math.min(1.5 * before.wait, data.most) : data.first };
  asking.set(parentElement, own);
  shown[data.key] = data.mark;
  let patience = data.answered;
  const look = () => {
    setTriggerValue("tick", { marks: { ...shown, [data.key]: data.mark }, at: Date.now() });
    own.timer = setTimeout(look, 1000 * patience);
    patience *= 2;
  };
  own.timer = setTimeout(look, 1000 * own.wait);
  return () => {
    clearTimeout(own.timer);
    if (shown[data.key] === data.mark) delete shown[data.key];
  };
}
