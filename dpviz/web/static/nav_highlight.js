// Streamlit does not know that the page at "/" is one of the navigation, which has an address of its own: Start, or
// Explore where the address says what to look at. Nor does it light a heading over the pages below it, which are `more`.
const lit = (more) => {
  const light = () => {
    const here = location.pathname.replace(/\/$/, ""), FIRST = location.search ? "explore" : "start";
    for (const link of document.querySelectorAll("[data-testid$=NavLink]")) {
      const own = new URL(link.href).pathname, root = own === `${here}/${FIRST}`;
      if (root && !link.dataset.dpvizLit) {
        link.dataset.dpvizLit = "yes";
        link.setAttribute("aria-current", "page");
      } else if (!root && link.dataset.dpvizLit) {
        delete link.dataset.dpvizLit;
        if (own !== location.pathname) link.removeAttribute("aria-current");
      }
    }
    const heading = document.querySelector("[data-testid=stTopNavSection]");
    const below = more.includes(here.split("/").pop());
    if (heading && below !== "dpvizLit" in heading.dataset) {
      if (below) heading.dataset.dpvizLit = "yes";
      else delete heading.dataset.dpvizLit;
    }
  };
  light();
  const watch = new MutationObserver(light);  // on a phone the navigation comes when the sidebar opens
  watch.observe(document.body, { childList: true, subtree: true });
  return () => watch.disconnect();
};
