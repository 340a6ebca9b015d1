// Package pipe lets a program in another language use this module: [Serve] reads requests from one stream and writes an
// answer to each to another. Tables, votes, probabilities and models go as binary columns and bytes, all else as JSON.
// Nothing is read from or written to a file. docs/pipe.md describes the protocol.
package pipe
