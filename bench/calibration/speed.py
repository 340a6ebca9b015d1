"""Times fits of maps on a million scores, scikit-learn's and ours in turn.

    go build -o calibration.bin ./calibration
    python3 calibration/speed.py ./calibration.bin
"""
import json
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression

rng = numpy.random.default_rng(1)
score = rng.normal(size=1_000_000)
hit = (rng.random(score.size) < 1 / (1 + numpy.exp(-2 * score))).astype(float)

took = {}
with tempfile.NamedTemporaryFile() as file:
    file.write(score.tobytes() + hit.tobytes())
    file.flush()
    other = subprocess.Popen([sys.argv[1], "-speed", file.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    for turn in range(9):
        other.stdin.write("\n")
        ours = json.loads(other.stdout.readline())
        for method, model in (("isotonic", IsotonicRegression(out_of_bounds="clip")), ("platt-raw", _SigmoidCalibration())):
            for _ in range(3):  # the last one counts, for both sides
                start = time.perf_counter()
                model.fit(score, hit)
                seconds = time.perf_counter() - start
            took.setdefault(method, []).append((ours[method], seconds))
    other.stdin.close()
    other.wait()
for method, turns in took.items():
    turns = turns[1:]  # the first one is to warm up
    ratios = sorted(b / a for a, b in turns)
    print(f"{method}: ours {statistics.median(a for a, _ in turns):.3f} s, scikit-learn {statistics.median(b for _, b in turns):.3f} s, "
          f"times faster {statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})")
