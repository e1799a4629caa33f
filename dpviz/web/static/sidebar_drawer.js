// Where page and sidebar have no room beside each other (app.css says where) the sidebar is a drawer over the page: it
// begins closed, and a press beside it closes it.
const drawer = () => {
  const narrow = matchMedia("screen and (min-width: 769px) and (max-width: 1240px)"), root = document.documentElement;
  const button = () => document.querySelector('[data-testid="stSidebar"][data-collapsed="false"] [data-testid="stSidebarCollapseButton"] button');
  const close = () => narrow.matches && button()?.click();
  const beside = (event) => event.target.closest?.('[data-testid="stMain"]') && close();
  let pressed = false;
  narrow.addEventListener("change", close);
  document.addEventListener("pointerdown", beside);
  return () => {  // the sidebar comes after this, open, and is not seen until it is closed
    if ("dpvizDrawer" in root.dataset) return;
    if (narrow.matches && !pressed && button()) {
      pressed = true;
      close();
    }
    if (!narrow.matches || (pressed && !button())) root.dataset.dpvizDrawer = "";
  };
};
