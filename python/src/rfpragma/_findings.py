"""What a result says, with what may be done about it in terms of this package."""

from __future__ import annotations

import dataclasses
import json
from typing import Any


@dataclasses.dataclass(frozen=True)
class Finding:
    """One fact about a result.

    Attributes
    ----------
    code : str
        What was found, such as gain.inconclusive. The meaning of a code never changes.
    grade : str
        How grave it is: note, caution or serious.
    text : str
        The same in a sentence.
    remedies : tuple of str
        What may be done about it, the first choice first, as parameters of this package where there are some.
    classes : tuple of str
        The classes that it is about.
    columns : tuple of str
        The columns that it is about.
    figures : tuple of dict
        The figures that show it, each with name, value, unit, and perhaps class and interval.
    """

    code: str
    grade: str
    text: str
    remedies: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    figures: tuple[dict[str, Any], ...] = dataclasses.field(default=(), repr=False)

    def __str__(self) -> str:
        remedies = f" ({' or '.join(self.remedies)})" if self.remedies else ""
        return f"{self.grade}: {self.text}{remedies}"


_marks = {"recall": ">=", "precision": ">=", "fpr": "<=", "alerts": "<="}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _remedy(r: dict[str, Any]) -> str:
    do: str = r["do"]
    if do == "ignore_column":
        return f"ignore=[{_quoted(r['column'])}]"
    if do == "require":
        return f"require=[{_quoted('%s:%s%s%.6g' % (r['class'], r['figure'], _marks.get(r['figure'], '>='), r['limit']))}]"
    if do == "take_measure":
        return f"measure={_quoted(r['name'])}"
    words: dict[str, str] = {
        "be_sure": "sure=0.95",
        "by_time": 'time="the column of the time"',
        "own_votes": 'options={"sure_share": 0}',
    }
    return words.get(do, do.replace("_", " "))


def findings(all: list[dict[str, Any]]) -> list[Finding]:
    """Return findings as the other side has them."""
    return [
        Finding(
            code=f["code"],
            grade=f["grade"],
            text=f["text"],
            remedies=tuple(dict.fromkeys(_remedy(r) for r in f.get("remedies") or [])),
            classes=tuple(f.get("classes") or ()),
            columns=tuple(f.get("columns") or ()),
            figures=tuple(f.get("figures") or ()),
        )
        for f in all
    ]
