// The component behind dpviz/web/classroom/access.py: keeps the token by which this browser comes back to its place,
// and says how wide the window is, so that charts fit a projector.
export default function ({ data, setStateValue }) {
  setStateValue?.("width", innerWidth);
  const path = new URL("./", location.href).pathname;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.cookie}; Path=${path}; Max-Age=${data.age}; SameSite=Strict${secure}`;
  watch();
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
