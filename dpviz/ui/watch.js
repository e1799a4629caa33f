// The component behind dpviz/ui/work/pending.py: asks again and again whether something has come.
export default function ({ data, setTriggerValue }) {
  const watch = setInterval(() => setTriggerValue("tick", Date.now()), data.milliseconds);
  return () => clearInterval(watch);
}
