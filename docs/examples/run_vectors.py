"""Runs the vectors of one function against your own code."""

import json
from pathlib import Path


def is_fresh(received_at: int, lifetime_ms: int, now: int) -> bool:
    return now < received_at + lifetime_ms  # your code


file = json.loads(Path("vectors/2026-07-28/decision/caching-is-fresh.json").read_text())
failed = 0
for case in file["cases"]:
    answer = is_fresh(**case["input"])
    permitted = [case["expected"]] + [other["output"] for other in case.get("acceptable", [])]
    if answer not in permitted:
        failed += 1
        print(f"{case['id']}: {case['title']}; breaks {case['requirements'][0]}")
print(f"{len(file['cases'])} cases, {failed} failed")
raise SystemExit(failed > 0)
