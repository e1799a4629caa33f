// The component behind dpviz/web/classroom/access.py: keeps the token by which this browser comes back to its place,
// and says how wide the window is, so that charts fit a projector.
export default function ({ data, setStateValue }) {
  const told = () => setStateValue?.("width", innerWidth);
  told();
  whenResized(told);
  const path = new URL("./", location.href).pathname;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.cookie}; Path=${path}; Max-Age=${data.age}; SameSite=Strict${secure}`;
  watch();
}

// A window that is moved to a projector has another width, and charts that fit it.
function whenResized(act) {
  let soon = 0;
  removeEventListener("resize", window.dpvizClassResized);
  window.dpvizClassResized = () => {
    clearTimeout(soon);
    soon = setTimeout(act, 200);
  };
  addEventListener("resize", window.dpvizClassResized);
}

// A server that has begun again knows no part of this page, so it would stand still: it is loaded anew once the line is back.
function watch() {
  const app = document.querySelector("[data-testid=stApp]");
  if (!app || window.dpvizClassLine) return;
  let cut = false;
  window.dpvizClassLine = new MutationObserver(() => {
    if (app.getAttribute("data-test-connection-state") !== "CONNECTED") cut = true;
    else if (cut && location.pathname.endsWith("/classroom")) location.reload();
  });
  window.dpvizClassLine.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] });
}
