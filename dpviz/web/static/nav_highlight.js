// Streamlit does not know that the page at "/" is one of the navigation, which has an address of its own: Start, or
// Explore where the address says what to look at. Nor does it light a heading over the pages below it, which are `more`.
const lit = (more) => () => {
  const here = location.pathname.replace(/\/$/, ""), FIRST = location.search ? "explore" : "start";
  for (const link of document.querySelectorAll("[data-testid$=NavLink]")) {  // on a phone they come with the sidebar
    const own = new URL(link.href).pathname, root = own === `${here}/${FIRST}`;
    if (root) link.setAttribute("aria-current", "page");
    else if (link.hasAttribute("data-dpviz-lit") && own !== location.pathname) link.removeAttribute("aria-current");
    link.toggleAttribute("data-dpviz-lit", root);
  }
  const heading = document.querySelector("[data-testid=stTopNavSection]");
  heading?.toggleAttribute("data-dpviz-lit", more.includes(here.split("/").pop()));
};
