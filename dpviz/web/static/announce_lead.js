// Says aloud what the page's main sentence has become: a live region must outlast what it tells, and Streamlit replaces that.
const announce = () => {
  let region = document.querySelector(".dp-live");
  if (!region) {
    region = Object.assign(document.createElement("div"), { className: "dp-live", role: "status" });
    document.querySelector(".stApp")?.append(region);
  }
  const now = () => document.querySelector(".dp-lead")?.textContent.trim() ?? "";
  let told = now(), wait;
  const changed = () => {
    clearTimeout(wait);
    wait = setTimeout(() => {  // once it has settled
      if (now() && now() !== told) region.textContent = told = now();
    }, 400);
  };
  const watch = new MutationObserver(changed);
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  return () => { watch.disconnect(); clearTimeout(wait); };
};
