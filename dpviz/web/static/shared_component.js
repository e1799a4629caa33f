// A component whose script is one of those that all pages share, which may come after it; it stands before what says
// `const CALLED`, the name of that script's function.
export default function (given) {
  let end, over = false;
  const call = () => {
    if (over) return;
    if (window[CALLED]) end = window[CALLED](given);
    else setTimeout(call, 20);
  };
  call();
  return () => { over = true; end?.(); };
}
