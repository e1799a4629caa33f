// Streamlit does not know that the page at "/" is one of the navigation, which has an address of its own: Start, or
// Explore where the address says what to look at.
const lit = () => {
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
  };
  light();
  const watch = new MutationObserver(light);  // on a phone the navigation comes when the sidebar opens
  watch.observe(document.body, { childList: true, subtree: true });
  return () => watch.disconnect();
};
