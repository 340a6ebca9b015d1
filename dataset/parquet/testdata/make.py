"""Writes one made-up table by pyarrow (26.0.1) in the ways that Parquet has, as CSV and as ARFF."""
import csv
import datetime
import decimal
import math

import pyarrow as pa
import pyarrow.parquet as pq

N = 60


def maybe(i, k, v):
    return None if i % k == k - 1 else v


columns = {
    "whole": pa.array([maybe(i, 7, (i * 37) % 50 - 20) for i in range(N)], pa.int64()),
    "small": pa.array([(i * i) % 11 for i in range(N)], pa.int8()),
    "unsigned": pa.array([maybe(i, 5, 4294967295 - i % 3) for i in range(N)], pa.uint32()),
    "real": pa.array([maybe(i, 9, math.sin(i) * 1e3) for i in range(N)], pa.float64()),
    "single": pa.array([i / 8 for i in range(N)], pa.float32()),
    "price": pa.array([maybe(i, 6, decimal.Decimal(i * 7 - 100) / 100) for i in range(N)], pa.decimal128(12, 2)),
    "night": pa.array([maybe(i, 8, i % 3 == 0) for i in range(N)], pa.bool_()),
    "town": pa.array([maybe(i, 10, ["Ulm", "New York", "Rio, Brazil", "Køln"][i % 4]) for i in range(N)], pa.string()),
    "zip": pa.array(["%05d" % (i % 6) for i in range(N)], pa.large_string()),
    "sort": pa.array([["x", "y"][i * i % 3 % 2] for i in range(N)], pa.string()).dictionary_encode(),
    "class": pa.array([["good", "fraud"][i % 10 == 3] for i in range(N)], pa.string()),
}
table = pa.table(columns)

plain = {"use_dictionary": False, "compression": "none"}
delta = {"whole": "DELTA_BINARY_PACKED", "small": "DELTA_BINARY_PACKED", "town": "DELTA_LENGTH_BYTE_ARRAY",
         "zip": "DELTA_BYTE_ARRAY", "real": "BYTE_STREAM_SPLIT", "single": "BYTE_STREAM_SPLIT", "night": "RLE"}
ways = {
    "dictionary": {},
    "plain": plain,
    "groups": {"row_group_size": 17, "data_page_size": 64, "compression": "zstd", "write_page_index": True},
    "delta": plain | {"column_encoding": delta},
    "version2": plain | {"column_encoding": delta, "data_page_version": "2.0", "compression": "gzip"},
    "checksums": {"data_page_version": "2.0", "write_page_checksum": True},
    "integers": {"store_decimal_as_integer": True, "compression": "none"},
    "lz4": {"compression": "lz4"},
    "brotli": {"compression": "brotli"},
}
for name, how in ways.items():
    pq.write_table(table, name + ".parquet", **({"compression": "snappy"} | how))

with open("table.csv", "w", newline="") as f:
    out = csv.writer(f, lineterminator="\n")
    out.writerow(table.column_names)
    for row in zip(*(c.to_pylist() for c in table.columns)):
        out.writerow("" if v is None else str(v).lower() if isinstance(v, bool) else v for v in row)

def word(v):
    return "?" if v is None else "'%s'" % v


with open("table.arff", "w") as f:
    f.write("@relation table\n")
    texts = {}
    for name, c in zip(table.column_names, table.columns):
        kind = c.type.value_type if pa.types.is_dictionary(c.type) else c.type
        if pa.types.is_boolean(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
            texts[name] = [None if v is None else str(v).lower() if isinstance(v, bool) else v for v in c.to_pylist()]
            levels = sorted({v for v in texts[name] if v is not None}, reverse=True)
            f.write("@attribute %s {%s}\n" % (name, ",".join(map(word, levels))))
        else:
            f.write("@attribute %s numeric\n" % name)
    f.write("@data\n")
    for i in range(N):
        f.write(",".join(word(texts[n][i]) if n in texts else "?" if table[n][i].as_py() is None else str(table[n][i].as_py())
                         for n in table.column_names) + "\n")

# What is not read, a column of each.
strange = pa.table({
    "list": pa.array([[1, 2], None, []], pa.list_(pa.int32())),
    "record": pa.array([{"a": 1, "b": {"c": 2.0}}, None, None], pa.struct([("a", pa.int32()), ("b", pa.struct([("c", pa.float64())]))])),
    "map": pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int32())),
    "day": pa.array([0, 1, None], pa.date32()),
    "time": pa.array([0, 1, None], pa.time32("ms")),
    "stamp": pa.array([0, 1, None], pa.timestamp("us", tz="UTC")),
    "half": pa.array([0.5, 1, None], pa.float16()),
    "fixed": pa.array([b"abc", b"def", None], pa.binary(3)),
    "binary": pa.array([b"abc", b"\xff", None], pa.binary()),
    "nul": pa.array(["abc", "a\0b", None], pa.string()),
    "large": pa.array([2**53 + 1, 1, None], pa.uint64()),
    "huge": pa.array([math.inf, 1, None], pa.float64()),
    "nothing": pa.array([None, None, None], pa.null()),
    "nan": pa.array([math.nan, -0.0, 1], pa.float32()),
    "class": pa.array(["a", "b", "a"]),
})
pq.write_table(strange, "strange.parquet")
pq.write_table(strange.select(["stamp", "class"]), "int96.parquet", use_deprecated_int96_timestamps=True)
pq.write_table(table.select(["whole", "class"]).slice(0, 0), "empty.parquet")
pq.write_table(pa.Table.from_arrays([table["whole"], table["real"]], ["x", "x"]), "twice.parquet")

# Dates and timestamps, and the texts of them.
moments = [datetime.datetime(2023 + i % 2, 1 + i % 12, 28 - i, 23, 59, 60 - i % 60 - 1, 1000 * (i % 3)) for i in range(24)]
moments[5] = datetime.datetime(1969, 12, 31, 23, 59, 59, 999000)
times = pa.table({
    "x": pa.array([i * 7 % 24 for i in range(24)]),
    "day": pa.array([m.date() for m in moments], pa.date32()),
    **{"stamp_" + unit: pa.array(moments, pa.timestamp(unit)) for unit in ("ms", "us", "ns")},
    "text": pa.array([m.strftime("%Y-%m-%d %H:%M:%S") + (".%03d" % (m.microsecond // 1000)) * (m.microsecond > 0) for m in moments]),
    "class": pa.array(["aab"[i % 3] for i in range(24)]),
})
pq.write_table(times, "times.parquet")
