// Streamlit sends what changes until its next timer as of one part: beside another's change a click was lost. What a
// component tells within this is sent before anything else can be told.
window.dpvizAtOnce = (tell) => {
  const later = window.setTimeout, calls = [];
  window.setTimeout = (call, wait, ...given) => (wait ? later(call, wait, ...given) : void calls.push(() => call(...given)));
  try { tell(); } finally { window.setTimeout = later; }
  calls.forEach((call) => call());
};
