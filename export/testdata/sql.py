"""Prints what DuckDB makes of the rows of a CSV file: python3 sql.py SCORE.sql ROWS.csv TABLE NUMBER,NUMBER,...

The columns NUMBER are of numbers, all others are of text."""
import csv
import json
import sys

import duckdb

names = next(csv.reader(open(sys.argv[2], encoding="utf-8")))
types = {n: "DOUBLE" if n in sys.argv[4].split(",") else "VARCHAR" for n in names}
db = duckdb.connect()
table = '"' + sys.argv[3].replace('"', '""') + '"'
db.execute(f"CREATE TABLE {table} AS SELECT * FROM read_csv(?, header=true, quote='\"', escape='\"', columns=?)",
           [sys.argv[2], types])
result = db.execute(open(sys.argv[1], encoding="utf-8").read())
decision = len(names) + 1  # after rfpragma_row
for row in result.fetchall():
    print(json.dumps({"decision": row[decision], "probabilities": row[decision + 1:]}))
