"""Examples of docstrings, and the notebook."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import rfpragma


@pytest.mark.parametrize("name", [m.name for m in pkgutil.iter_modules(rfpragma.__path__, "rfpragma.")])
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples():
    for thing in (rfpragma.RFPragmaClassifier, rfpragma.PragmaThreshold, rfpragma.Calibrated, rfpragma.cross_validate):
        assert ">>>" in thing.__doc__


def test_notebook(monkeypatch):
    """From a DataFrame to decisions, cell by cell."""
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # else threads of boosting wait for each other where others are busy
    path = Path(__file__).parents[1] / "examples" / "fraud.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    texts = [o["data"]["text/html"] for c in notebook.cells for o in c.get("outputs", []) if "text/html" in o.get("data", {})]
    assert any("found (recall)" in t for t in texts)
