"""The report of an audit: the claims, what draws show of them, and the exact law beside."""

from dpviz.base import pd, round_down, round_up
from dpviz.export.report_page import ReportPage
from dpviz.privacy.bench.agreement import Agreement
from dpviz.privacy.bench.audit import Audit

_DIGITS = 4
_MOST_CELLS = 30
_SMALLEST = 1e-9  # chance that is told
_CLAIMS = {"epsilon": "ε", "rho": "ρ"}


def audit_report_html(
    title: str, audit: Audit, agreement: Agreement | None, description: str
) -> str:
    page = ReportPage(title, lead=audit_verdict(audit, agreement))
    page.add_paragraph(description)
    page.add_heading("What is claimed, and what draws show")
    rows = [
        {
            "claim": _CLAIMS[found.claim]
            + (f" at δ = {audit.delta:g}" if audit.delta and found.claim == "epsilon" else ""),
            "claimed": "nothing" if found.promised is None else f"{found.promised:g}",
            "is at least": f"{round_down(found.at_least, _DIGITS):g}",
            "the claim": "is not refuted" if found.holds else "is wrong",
        }
        for found in audit.findings
    ]
    page.add_table(pd.DataFrame(rows), caption="What an event proves, with its counts below")
    page.add_bullet_list(
        f"{_CLAIMS[found.claim]}: {found.event}. This was so in {found.here:,} of {found.draws:,}"
        f" draws of the {found.likelier}, and in {found.there:,} of {found.draws:,} of the other."
        for found in audit.findings
    )
    page.add_paragraph(
        "The event was chosen on one half of the draws and judged on the other. All bounds hold"
        f" together with confidence {audit.confidence:g}. Draws can refute a claim, but never"
        " prove one.",
        kind="note",
    )
    if agreement is not None:
        page.add_heading("Beside the exact law")
        least = max(agreement.p_value, _SMALLEST)
        page.add_paragraph(
            f"{'They agree' if agreement.holds else 'They do not agree'}: in {agreement.draws:,}"
            f" draws what differs most is that {agreement.shown_by}. Where all is right its chance"
            f" is at most {round_up(least, 1):.1g}."
        )
        cells = (
            agreement.frame()
            .head(_MOST_CELLS)
            .assign(
                expected=lambda frame: [f"{value:,.1f}" for value in frame["expected"]],
                seen=lambda frame: [f"{value:,.0f}" for value in frame["seen"]],
            )
        )
        page.add_table(
            cells,
            caption="How often each answer should have come out, and did",
            collapsible=len(cells) > 12,
        )
    return page.html()


def audit_verdict(audit: Audit, agreement: Agreement | None) -> str:
    """The outcome in one or two sentences.

    >>> audit_verdict(Audit(findings=(), delta=0.0, confidence=0.99), None)
    'No claim is refuted.'
    """
    wrong = [
        f"{_CLAIMS[found.claim]} is claimed to be {found.promised:g} and is at least "
        f"{round_down(found.at_least, _DIGITS):g}."
        for found in audit.findings
        if not found.holds
    ]
    said = " ".join(wrong) or "No claim is refuted."
    if agreement is not None:
        said += (
            " Its draws agree with the exact law."
            if agreement.holds
            else " Its draws do not follow the exact law."
        )
    return said
