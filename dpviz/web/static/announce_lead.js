// Says aloud what the page now answers: a live region must outlast what it tells, and Streamlit replaces that. It does
// not say the heading to which the focus has come, which says it already.
const announce = () => {
  let region = document.querySelector(".dp-live");
  if (!region) {
    region = Object.assign(document.createElement("div"), { className: "dp-live", role: "status" });
    document.querySelector(".stApp")?.append(region);
  }
  const text = (one) => one?.textContent.trim() ?? "", first = (what) => document.querySelector(what);
  const work = () => (first(".stMain [data-testid=stProgress]") ? "Computing…" : "");
  const now = () => [text(heading()), text(first(".dp-lead")), text(first(".dp-verdict")), work()];
  let told = now(), wait;
  document.addEventListener("focusin", ({ target }) => { if (target === heading()) told[0] = text(target); });
  return () => {
    clearTimeout(wait);
    wait = setTimeout(() => {  // once it has settled
      const before = told;
      told = now();
      const news = told.filter((text, part) => text && text !== before[part]);
      if (news.length) region.textContent = news.join(" ");
    }, 400);
  };
};
