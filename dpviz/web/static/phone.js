// The script of dpviz/web/classroom/phone: shows what the stream sends, and keeps an answer or draw until the server has it.
// Plain script: phones of some years ago read it.
(function () {
  var all = document.getElementById("all"), line = document.getElementById("line"), news = document.getElementById("news");
  var KEPT = "dpviz.kept", PATIENCE = 10000, LONGEST_PRESS = 10000, stream = null, beat = 12000, silent = 0, wait = 1000, timer = 0, cut = 0, sending = false, kept = [], drawn = "", heard = 0, own = 0, pressed = 0, waiting = null;
  try { kept = JSON.parse(sessionStorage.getItem(KEPT)) || []; } catch (_) { kept = []; }

  function keep() {
    try { sessionStorage.setItem(KEPT, JSON.stringify(kept)); } catch (_) { /* a private window keeps it in memory */ }
  }
  function strip(says) {
    if (line.textContent !== says) line.textContent = says;
    line.hidden = !says;
  }
  function tell() {
    if (!cut) return strip("");
    strip(kept.length ? "No connection. Your choice is kept and will be sent." : "No connection. This page will continue by itself.");
  }
  // How much of what one did here this piece knows of; where it tells of no step, there is nothing to miss.
  function knows(html) { var said = /data-own="(\d+)"/.exec(html); return said ? +said[1] : Infinity; }
  function place() { var at = all.querySelector("[data-place]"); return at && at.getAttribute("data-place"); }

  // Nothing is drawn anew that is there already, or while a finger is down: a press on what goes away would be lost.
  // `anew`: what was chosen changed it here.
  function show(html, anew) {
    if (pressed) { waiting = { html: html, anew: anew || (waiting && waiting.anew) }; return; }
    if (html === drawn && !anew) return redo();
    drawn = html;
    var held = document.activeElement && document.activeElement.id, before = place(), moved = hands();
    all.innerHTML = html;
    redo();
    if (place() === before) moved.forEach(function (one) {
      var there = document.getElementById(one.id);
      if (there && one.id === "mark") { there.value = one.value; marked(there); } else if (there) there.checked = true;
    });
    if (place() !== before) {
      var title = document.getElementById("title");
      news.textContent = title ? title.textContent : "";
      window.scrollTo(0, 0);
      if (title && held) title.focus({ preventScroll: true });
    } else if (held && document.getElementById(held)) document.getElementById(held).focus({ preventScroll: true });
  }
  function released() {
    clearTimeout(pressed);
    pressed = 0;
    var now = waiting;
    waiting = null;
    if (now) show(now.html, now.anew);
  }
  // What a hand has moved and nobody was told: the mark, and the step of a mechanism at work.
  function hands() {
    return [].slice.call(all.querySelectorAll("#mark, .dp-work input:checked")).map(function (one) {
      return { id: one.id, value: one.value };
    });
  }
  function marked(scale) {
    document.getElementById("marked").textContent = scale.value + " of 100";
    scale.setAttribute("aria-valuetext", scale.value + " of 100");
  }
  // What was chosen and is not with the server yet stays chosen.
  function redo() {
    kept.forEach(function (one) {
      var form = all.querySelector('form.asks[data-place="' + one.body.place + '"]');
      var box = one.to === "answer" && form && document.getElementById("choice" + one.body.choice);
      if (box && form.getAttribute("data-again") === String(+one.body.again)) {
        box.checked = true;
        form.querySelector(".told").textContent = cut ? "Your answer is kept." : "Your answer is being sent.";
      }
    });
  }
  function post(to, body, done) {
    var stop = window.AbortController ? new AbortController() : null;
    var late = setTimeout(function () { if (stop) stop.abort(); }, PATIENCE);
    fetch(to, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
      credentials: "same-origin", signal: stop ? stop.signal : undefined })
      .then(function (answer) {
        if (answer.status >= 500) throw new Error("not now");
        return answer.json().then(function (said) { clearTimeout(late); done(answer.ok, said); });
      })
      .catch(function () { clearTimeout(late); done(null, null); });
  }
  function send() {
    if (sending || !kept.length) return;
    var one = kept[0], before = heard;
    sending = true;
    post("join/" + one.to, one.body, function (ok, said) {
      sending = false;
      if (ok === null) return lost();
      kept = kept.filter(function (other) { return other !== one; });
      keep(); back();
      if (said.html) { own = knows(said.html); show(said.html, true); }
      if (!ok) problem(said.says);
      if (heard !== before) open();  // the stream may have been ahead of this answer: it begins with what is there now
      send();
    });
  }
  function problem(says) {
    var told = all.querySelector(".told, .problem");
    if (told) told.textContent = says; else news.textContent = says;
  }
  function put(to, body, same) {
    kept = kept.filter(function (other) { return other === sent() || !(other.to === to && same(other.body)); });
    kept.push({ to: to, body: body });
    keep(); redo(); tell(); send();
  }
  function sent() { return sending ? kept[0] : null; }
  function lost() {
    cut = cut || Date.now();
    tell(); redo();
    clearTimeout(timer);
    timer = setTimeout(function () { if (!stream || stream.readyState === 2) open(); send(); }, wait * (0.5 + Math.random()));
    wait = Math.min(2 * wait, 15000);
  }
  function back() {
    if (cut) { cut = 0; redo(); }
    wait = 1000;
    tell();
  }
  // A line may be dead and not say so. A server with nothing to tell says that it is there, at every beat.
  function alive() {
    clearTimeout(silent);
    silent = setTimeout(function () { stream.close(); lost(); }, 3 * beat);
  }
  function open() {
    if (stream) stream.close();
    stream = new EventSource("join/events");
    alive();
    stream.onopen = function () { alive(); back(); send(); };
    stream.addEventListener("beat", function (told) { beat = 1000 * told.data; alive(); });
    stream.onmessage = function (told) {
      var html = JSON.parse(told.data).html;
      heard += 1; alive(); back();
      if (knows(html) < own) { own = 0; return open(); }  // made before what one did last, and no other is to come
      show(html); send();
    };
    stream.addEventListener("over", function (told) { stream.close(); clearTimeout(silent); show(JSON.parse(told.data).html); strip(""); });
    stream.onerror = lost;
  }
  function knock(form) {
    var code = form.querySelector("#code").value, door = form.querySelector("[name=door]").value;
    if (!code) return;
    form.querySelector("button").disabled = true;
    post("join", { code: code, door: door }, function (ok, said) {
      form.querySelector("button").disabled = false;
      if (ok) { own = 0; history.replaceState(null, "", "join?code=" + said.code); show(said.html); back(); open(); }
      else if (ok === false) problem(said.says);
      else { problem("No connection. Trying again."); setTimeout(function () { knock(form); }, 1500 + 1500 * Math.random()); }
    });
  }

  all.addEventListener("submit", function (event) {
    event.preventDefault();
    if (event.target.id === "door") knock(event.target);
    if (event.target.className !== "dp-guess") return;
    var body = { place: +event.target.getAttribute("data-place"), value: +document.getElementById("mark").value };
    put("mark", body, function (other) { return other.place === body.place; });
  });
  all.addEventListener("input", function (event) { if (event.target.id === "mark") marked(event.target); });
  all.addEventListener("change", function (event) {
    var form = event.target.closest("form.asks");
    if (!form) return;
    var body = { place: +form.getAttribute("data-place"), again: form.getAttribute("data-again") === "1", choice: +event.target.value };
    put("answer", body, function (other) { return other.place === body.place && other.again === body.again; });
  });
  all.addEventListener("click", function (event) {
    var button = event.target.closest(".draws button");
    if (!button) return;
    var at = button.parentNode, size = +button.value, drawn = +at.getAttribute("data-drawn") + size;
    at.setAttribute("data-drawn", drawn);  // so that two presses are two draws, whichever answer comes first
    var body = { place: +at.getAttribute("data-place"), setting: +at.getAttribute("data-setting"), upto: drawn };
    put("draw", body, function (other) { return other.place === body.place && other.setting === body.setting; });
  });
  all.addEventListener("pointerdown", function () { clearTimeout(pressed); pressed = setTimeout(released, LONGEST_PRESS); });
  window.addEventListener("pointerup", function () {
    if (!pressed) return;
    clearTimeout(pressed);
    pressed = setTimeout(released, 50);  // after its click, unless a finger is down again by then
  });
  window.addEventListener("pointercancel", released);
  window.addEventListener("pointermove", function (event) {
    if (pressed && event.pointerType === "mouse" && !event.buttons) released();  // it ended outside the window
  });
  window.addEventListener("online", function () { wait = 1000; open(); send(); });

  var door = document.getElementById("door");
  if (all.hasAttribute("data-seated")) { redo(); open(); }
  else if (door && door.hasAttribute("data-knocks")) knock(door);
})();
