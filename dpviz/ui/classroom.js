// The component behind dpviz/ui/classroom/live.py: looks again and again whether the class has moved on, saying which
// drawings are here, and keeps the token by which this browser comes back to its place, until the class is over.
const here = () => Object.fromEntries([...document.querySelectorAll(".dp-at")].map(({ dataset }) => [dataset.part, dataset.at]));

export default function ({ data, setTriggerValue }) {
  if (data.cookie) {
    const path = new URL("./", location.href).pathname;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${data.cookie}; Path=${path}; Max-Age=${data.age}; SameSite=Strict${secure}`;
  }
  if (!data.every) return;
  let watch;
  const look = () => {
    clearTimeout(watch);
    if (!document.hidden) setTriggerValue("tick", here());
    watch = setTimeout(look, data.every * (0.8 + 0.4 * Math.random()));  // so that a class does not look all at once
  };
  const seen = () => document.hidden || look();  // a phone that wakes up
  document.addEventListener("visibilitychange", seen);
  watch = setTimeout(look, data.every * (0.2 + 0.8 * Math.random()));
  return () => {
    clearTimeout(watch);
    document.removeEventListener("visibilitychange", seen);
  };
}
