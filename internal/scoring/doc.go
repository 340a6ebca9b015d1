// Package scoring reads the rows of requests, has a model decide them, and writes the answers: as JSON, as CSV, and
// as the
// tensors of the Open Inference Protocol. It knows nothing of connections.
package scoring
