// The component behind dpviz/ui/work/pending.py: asks again and again whether something has come, ever less often.
// It is called anew, without an end to the call before, when the page has been run again: then it begins anew.
const watches = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let wait = data.first;
  const begin = () => watches.set(parentElement, setTimeout(look, wait));
  const end = () => clearTimeout(watches.get(parentElement));
  const look = () => {
    setTriggerValue("tick", Date.now());
    wait = Math.min(1.5 * wait, data.most);
    begin();
  };
  end();
  begin();
  return end;
}
