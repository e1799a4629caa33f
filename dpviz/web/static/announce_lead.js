// Says aloud what the page now answers: a live region must outlast what it tells, and Streamlit replaces that. One thing
// at a time, the heading first, and none that the focus has come to, which says it already.
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
  const changed = () => {
    clearTimeout(wait);
    wait = setTimeout(() => {  // once it has settled
      const before = told, read = document.activeElement === heading();
      told = now();
      const news = told.find((text, part) => text && text !== before[part] && (part || !read));
      if (news) region.textContent = news;
    }, 400);
  };
  const watch = new MutationObserver(changed);
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  return () => { watch.disconnect(); clearTimeout(wait); };
};
