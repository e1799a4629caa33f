// The component behind dpviz/ui/work/pending.py: asks again and again whether something has come, ever less often.
// Its data must stay the same while it is shown: where they change, it is called anew without an end to the call before.
export default function ({ data, setTriggerValue }) {
  let wait = data.first;
  let watch = setTimeout(look, wait);
  function look() {
    setTriggerValue("tick", Date.now());
    wait = Math.min(1.5 * wait, data.most);
    watch = setTimeout(look, wait);
  }
  return () => clearTimeout(watch);
}
