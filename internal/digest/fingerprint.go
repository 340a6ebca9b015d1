package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/rfpragma/rfpragma/dataset"
)

// Fingerprint returns the SHA-256, in hex, of n rows of that digest, which may have been read in parts, with what their
// columns and classes are.
func (d Digest) Fingerprint(schema dataset.Schema, classes []string, n int) string {
	var b []byte
	number := func(v uint64) { b = binary.LittleEndian.AppendUint64(b, v) }
	texts := func(list []string) {
		number(uint64(len(list)))
		for _, s := range list {
			number(uint64(len(s)))
			b = append(b, s...)
		}
	}
	for _, field := range schema {
		number(uint64(field.Kind))
		texts(append([]string{field.Name}, field.Levels...))
	}
	texts(classes)
	number(uint64(n))
	for _, word := range d {
		number(word)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
