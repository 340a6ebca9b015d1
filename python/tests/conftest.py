"""Rows to test with."""

from __future__ import annotations

import numpy as np
import pytest

import rfpragma


@pytest.fixture
def payments():
    """Return 900 made-up payments as a DataFrame, and which of them are fraud."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(7)
    n = 900
    fraud = rng.random(n) < 0.12
    amount = np.round(rng.lognormal(3 + fraud, 1), 2)
    amount[rng.random(n) < 0.05] = np.nan
    shop = np.where(rng.random(n) < 0.3 + 0.5 * fraud, "web", rng.choice(["store", "petrol"], n))
    X = pandas.DataFrame(
        {
            "amount": amount,
            "shop": pandas.Categorical(shop),
            "hour": rng.integers(0, 24, n),
            "new_card": rng.random(n) < 0.2 + 0.3 * fraud,
            "country": np.where(rng.random(n) < 0.1, None, rng.choice(["AT", "DE", "IT"], n)),
        }
    )
    return X, pandas.Series(np.where(fraud, "fraud", "ok"), name="class")


@pytest.fixture
def forest():
    """Return a small forest."""
    return rfpragma.RFPragmaClassifier(prefer="fraud", n_estimators=40, random_state=3)
