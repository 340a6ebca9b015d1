"""Trees and decisions of Weka's J48, for the tests beside this folder: writes made.csv, made.txt and j48.csv.

    apt-get install weka default-jre-headless
    python3 testdata/j48.py FOLDER    # FOLDER as in "Tests on real data" of the README at the top

Row i is in fold i mod 10. Each line of j48.csv is a tree grown outside of a fold, or on all rows (fold empty): its
size, its leaves, the first 16 digits of the SHA-256 of what J48 prints of it, and how many of the rows of the fold, or
of all rows, it decides right. J48 gives a tie to the class declared first, so classes are declared as ties go here: the
more common of the training rows first, then as they are sorted there. Levels are declared as they are sorted.
"""
import collections
import csv
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

JAR = "/usr/share/java/weka.jar"
FOLDS = 10
SETS = {  # name and the class to keep, if the others are merged
    "autos": "", "breast_cancer_wisconsin": "", "car": "", "german_credit": "", "hypothyroid": "negative",
    "letter": "", "mammography": "", "satimage": "4", "soybean": "",
}
HERE = pathlib.Path(__file__).parent


def made():
    """Rows with noise and gaps, on which subtrees are raised, and a column of too many levels."""
    draw = random.Random(25)
    rows = []
    for _ in range(600):
        code = f"k{draw.randrange(250):03}"
        a, b = round(draw.gauss(0, 1), 2), round(draw.gauss(0, 1), 2)
        colour, size = draw.choice(["blue", "green", "red", "yellow"]), draw.choice(["large", "medium", "small"])
        label = "yes" if a > 0.3 and colour != "red" or b > 1 else "maybe" if size == "small" and b < 0 else "no"
        if draw.random() < 0.15:
            label = draw.choice(["yes", "maybe", "no"])
        rows.append([cell if draw.random() > 0.1 else "" for cell in (a, b, code, colour, size)] + [label])
    with open(HERE / "made.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["a", "b", "code", "colour", "size", "class"], *rows])


def is_number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def ordered(labels):
    """Class names as the tests sort them."""
    return sorted(labels, key=int) if all(re.fullmatch(r"-?\d+", label) for label in labels) else sorted(labels)


def quoted(text):
    return "'" + text.replace("'", "\\'") + "'"


def arff(path, header, levels, classes, rows):
    with open(path, "w") as file:
        print("@relation rows", file=file)
        for name, column in zip(header[:-1], levels):
            print("@attribute", quoted(name), "numeric" if column is None else "{" + ",".join(map(quoted, column)) + "}", file=file)
        print("@attribute class {" + ",".join(map(quoted, classes)) + "}\n@data", file=file)
        for row in rows:
            cells = [cell or "?" if column is None else quoted(cell) if cell else "?" for cell, column in zip(row, levels)]
            print(",".join([*cells, quoted(row[-1])]), file=file)


def j48(header, levels, train, test):
    """What J48 prints: the tree, its leaves and size, and the rows of test that it decides right."""
    count = collections.Counter(row[-1] for row in train)
    classes = sorted(ordered({row[-1] for row in train + test}), key=lambda c: -count[c])
    with tempfile.TemporaryDirectory() as folder:
        files = [f"{folder}/train.arff", f"{folder}/test.arff"]
        arff(files[0], header, levels, classes, train)
        arff(files[1], header, levels, classes, test)
        out = subprocess.run(
            ["java", "-Xmx2g", "-cp", JAR, "weka.classifiers.trees.J48", "-C", "0.25", "-M", "2", "-v", "-t", files[0], "-T", files[1]],
            capture_output=True, text=True, check=True,
        ).stdout
    tree = re.search(r"-{18}\n\n?(.*?)\n\nNumber of Leaves", out, re.S).group(1) + "\n"
    leaves, size, right = (int(re.search(pattern, out).group(1)) for pattern in (
        r"Number of Leaves\s*:\s*(\d+)", r"Size of the tree\s*:\s*(\d+)", r"Correctly Classified Instances\s+(\d+)"))
    return tree, leaves, size, right


def judge(name, path, categorical, positive):
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    for row in rows:
        if positive and row[-1] != positive:
            row[-1] = "rest"
    levels = []
    for j, column in enumerate(header[:-1]):
        cells = {row[j] for row in rows} - {""}
        levels.append(sorted(cells) if column in categorical or not all(map(is_number, cells)) else None)
    for fold in ["", *range(FOLDS)]:
        train = [row for i, row in enumerate(rows) if i % FOLDS != fold]
        test = [row for i, row in enumerate(rows) if fold in ("", i % FOLDS)]
        tree, leaves, size, right = j48(header, levels, train, test)
        if name == "made" and fold == "":
            (HERE / "made.txt").write_text(tree)
        yield name, positive, fold, size, leaves, hashlib.sha256(tree.encode()).hexdigest()[:16], right, len(test)


def main(folder):
    made()
    version = subprocess.run(["java", "-cp", JAR, "weka.core.Version"], capture_output=True, text=True, check=True).stdout.split()[0]
    categorical = {s["name"]: s["categorical"] for s in json.loads((folder / "sets.json").read_text())}
    with open(HERE / "j48.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["set", "positive", "fold", "size", "leaves", "tree", "right", "rows", "weka"])
        for name, positive in {"made": "", **SETS}.items():
            path = HERE / "made.csv" if name == "made" else folder / name / f"{name}.csv"
            for line in judge(name, path, categorical.get(name, []), positive):
                out.writerow([*line, version])
                file.flush()


main(pathlib.Path(sys.argv[1]))
