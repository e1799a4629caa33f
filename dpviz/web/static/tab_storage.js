// The component behind dpviz/web/widgets/tab_storage.py: scores that this tab keeps over a reload. They are gone with the tab.
const KEPT = "dpviz.kept";
export default function ({ data, setTriggerValue }) {
  try {
    if (data.ask) setTriggerValue("held", sessionStorage.getItem(KEPT) ?? "");
    else if (data.text) sessionStorage.setItem(KEPT, data.text);
    else sessionStorage.removeItem(KEPT);
  } catch {  // the browser keeps nothing, or not as much
    setTriggerValue(data.ask ? "held" : "full", data.ask ? "" : true);
  }
}
