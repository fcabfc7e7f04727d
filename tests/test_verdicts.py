"""The table of verdicts and exit codes."""

from __future__ import annotations

import pytest

from spec_model.verdicts import Exit, Level, Verdict, exit_code, worst

MUST, SHOULD = Level.MUST, Level.SHOULD


@pytest.mark.parametrize(
    ("verdicts", "strict", "code"),
    [
        ([(MUST, Verdict.PASS)], False, Exit.OK),
        ([(MUST, Verdict.PASS), (SHOULD, Verdict.WARN)], False, Exit.OK),
        ([(MUST, Verdict.PASS), (SHOULD, Verdict.WARN)], True, Exit.FAILED),
        ([(MUST, Verdict.PASS), (MUST, Verdict.FAIL)], False, Exit.FAILED),
        ([(MUST, Verdict.PASS), (MUST, Verdict.ERROR)], False, Exit.FAILED),
        ([(SHOULD, Verdict.PASS)], False, Exit.NOTHING_DECIDED),
        ([(MUST, Verdict.INCONCLUSIVE), (MUST, Verdict.UNSUPPORTED)], False, Exit.NOTHING_DECIDED),
        ([], False, Exit.NOTHING_DECIDED),
    ],
)
def test_exit_codes(verdicts: list[tuple[Level, Verdict]], strict: bool, code: Exit) -> None:
    assert exit_code(verdicts, strict=strict) is code


def test_the_worst_verdict() -> None:
    assert worst([Verdict.PASS, Verdict.WARN, Verdict.INFO]) is Verdict.WARN
    assert worst([]) is Verdict.PASS
