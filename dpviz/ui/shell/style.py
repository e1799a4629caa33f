"""The app's own look: a few rules on top of Streamlit's theme, right in light and dark alike.

Colours come from `currentColor` and `light-dark()`, which follow the theme that the person chose.
"""

import streamlit as st

__all__ = ["apply"]

_RULES = """
.stApp { --dp-line: light-dark(#e4e8ec, #2a323c); --dp-muted: light-dark(#5b6875, #9aa7b4); --dp-raised:
  light-dark(#f7f9fb, #161c25); --dp-ink: light-dark(#1c2733, #e8ecf1); --dp-accent: light-dark(#1f5fa8,
  #6cb2f5); --dp-0: light-dark(#c8500a, #ff8a4a); --dp-1: light-dark(#d99a00, #f2c14e); --dp-2:
  light-dark(#b0508a, #e08cc0); }
.stMainBlockContainer { max-width: 1280px; padding: 4rem 2.75rem 4rem; }
.stMainBlockContainer > .stVerticalBlock { gap: .9rem; }
[data-testid="stSidebarUserContent"] { padding-bottom: 2rem; }
[data-testid="stSidebarUserContent"] .stVerticalBlock { gap: .7rem; }
.dp-over { color: var(--dp-muted); font-size: .82rem; font-weight: 600; letter-spacing: .06em; text-transform:
  uppercase; }
.dp-title { font-size: 2rem; line-height: 1.2; font-weight: 650; letter-spacing: -.015em; margin: .1rem 0 .3rem;
  padding: 0; color: var(--dp-ink); text-wrap: balance; }
.dp-sub { color: var(--dp-muted); font-size: 1rem; line-height: 1.5; margin: 0; }
.dp-lead { font-size: 1.12rem; line-height: 1.45; color: var(--dp-ink); margin: 0 0 .15rem; }
.dp-h2 { font-size: 1.25rem; line-height: 1.3; font-weight: 620; letter-spacing: -.01em; margin: 1.1rem 0
  -.4rem; padding: 0; color: var(--dp-ink); }
.dp-says { font-size: 1rem; line-height: 1.5; color: var(--dp-ink); margin: 0; max-width: 46rem; }
.dp-how { font-size: .875rem; line-height: 1.5; color: var(--dp-muted); margin: 0; max-width: 52rem; }
.dp-side { font-size: .82rem; font-weight: 600; color: var(--dp-muted); letter-spacing: .05em; text-transform:
  uppercase; margin: .5rem 0 -.3rem; padding: 0; }
.dp-side.dp-next { margin: 1rem 0 .3rem; }
.dp-note { font-size: .82rem; line-height: 1.45; color: var(--dp-muted); margin: -.2rem 0 0; }
.dp-ends { display: flex; justify-content: space-between; font-size: .78rem; color: var(--dp-muted); margin-top:
  -.75rem; }
[class*="st-key-epsilon_slider"] [data-testid="stSliderTickBar"] { display: none; }
.dp-cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.6rem, 1fr)); gap: .75rem; }
.dp-card { border: 1px solid var(--dp-line); border-radius: .6rem; padding: .85rem .95rem .8rem; display: flex;
  flex-direction: column; gap: .15rem; background: light-dark(#ffffff, #141a22); }
.dp-name { display: flex; align-items: center; gap: .45rem; font-size: .82rem; font-weight: 600; color:
  var(--dp-muted); letter-spacing: .02em; }
.dp-key { width: 1.15rem; height: 0; border-top: 3px solid; flex: none; }
.dp-key-0 { color: var(--dp-0); border-top-style: solid; }
.dp-key-1 { color: var(--dp-1); border-top-style: dashed; }
.dp-key-2 { color: var(--dp-2); border-top-style: dotted; }
.dp-value { font-size: 1.75rem; line-height: 1.25; font-weight: 620; letter-spacing: -.02em; color:
  var(--dp-ink); font-variant-numeric: tabular-nums; white-space: nowrap; }
.dp-of { font-size: 1rem; font-weight: 450; color: var(--dp-muted); letter-spacing: 0; }
.dp-mean { font-size: .84rem; line-height: 1.4; color: var(--dp-muted); }
.dp-tip { position: relative; margin-left: auto; font-weight: 450; letter-spacing: 0; font-size: .74rem;
  line-height: 1.2; padding: .14rem .5rem; border-radius: 1rem; border: 1px solid var(--dp-line); color:
  var(--dp-muted); cursor: help; }
.dp-tip:focus-visible { outline: 2px solid var(--dp-accent); outline-offset: 2px; }
.dp-tip > span { visibility: hidden; opacity: 0; position: absolute; z-index: 20; right: -.6rem; bottom:
  calc(100% + .45rem); width: 15rem; padding: .55rem .7rem; border-radius: .5rem; background:
  light-dark(#1c2733, #e8ecf1); color: light-dark(#ffffff, #141a22); font-size: .8rem; line-height: 1.4;
  pointer-events: none; white-space: normal; }
.dp-tip:hover > span, .dp-tip:focus > span { visibility: visible; opacity: 1; transition: opacity .12s; }
.st-key-class_click { display: none; }
.dp-wait { height: 2.2rem; width: 70%; border-radius: .4rem; background: var(--dp-line); }
.dp-place { border: 1px dashed var(--dp-line); border-radius: .6rem; padding: 3rem 1rem; text-align: center;
  color: var(--dp-muted); }
.dp-banner { display: flex; gap: .6rem; align-items: baseline; color: var(--dp-muted); font-size: .9rem;
  line-height: 1.45; border-left: 3px solid var(--dp-accent); padding: .1rem 0 .1rem .8rem; }
.dp-row { display: flex; gap: .75rem; font-size: .95rem; line-height: 1.6; color: var(--dp-ink);
  font-variant-numeric: tabular-nums; }
.dp-row > span { color: var(--dp-muted); flex: 0 0 6.5rem; }
.dp-set { font-size: .875rem; line-height: 1.55; color: var(--dp-ink); margin: .2rem 0 .5rem; }
.dp-set small { color: var(--dp-muted); font-size: .8rem; }
@media (max-width: 640px) { .stMainBlockContainer { padding: 3.4rem 1rem 3rem; } .dp-cards {
  grid-template-columns: repeat(2, 1fr); gap: .6rem; } .dp-title { font-size: 1.5rem; } .dp-value { font-size:
  1.4rem; } .dp-tip > span { width: 11rem; } }
@media print { [data-testid="stSidebar"], [data-testid="stHeader"] { display: none; } }
"""
_PRESENTER = """
html { font-size: 21px; }
.stMainBlockContainer { max-width: 1500px; padding-top: 4.4rem; }
"""


def apply(*, presenter: bool) -> None:
    """Put the rules on the page; text is larger for a presenter."""
    st.html(f"<style>{_RULES}{_PRESENTER if presenter else ''}</style>")
