// The component behind dpviz/web/widgets/download_button.py: gives a person the file that a press made, once for each press,
// and says so.
export default function ({ data, setTriggerValue }) {
  if (window.dpvizSaved === data.press) return;
  window.dpvizSaved = data.press;
  const file = data.at ?? URL.createObjectURL(new Blob([data.text], { type: data.mime }));  // a large one lies there
  const link = Object.assign(document.createElement("a"), { href: file, download: data.name });
  link.click();
  if (!data.at) setTimeout(() => URL.revokeObjectURL(file), 60000);  // the browser reads it after the click
  window.dpvizAtOnce(() => setTriggerValue("saved", data.press));
}
