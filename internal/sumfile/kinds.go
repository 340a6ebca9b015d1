package sumfile

import "bytes"

// Kind is a kind of file, by its first bytes.
type Kind struct{ Start, Name string }

// others are kinds that are given in place of ours.
var others = []Kind{
	{"\x89PNG", "a PNG picture"}, {"\x1f\x8b", "gzip data"},
	{"\x80\x02", "a Python pickle"}, {"\x80\x03", "a Python pickle"}, {"\x80\x04", "a Python pickle"},
	{"\x80\x05", "a Python pickle"},
	{"PK\x03\x04", "a zip archive"}, {"{", "JSON"}, {"PAR1", "Parquet"}, {"\x08", "ONNX or another protocol buffer"},
}

// LooksLike names what a file is that begins so: one of ours, or of those that are given in their place.
func LooksLike(start []byte, ours ...Kind) string {
	for _, known := range append(ours, others...) {
		if bytes.HasPrefix(start, []byte(known.Start)) {
			return "this looks like " + known.Name
		}
	}
	if len(start) == 0 {
		return "the file is empty"
	}
	return "this is not a model of rfpragma"
}
