// Package serve answers HTTP requests with the decisions of models.
//
// A [Server] is an [http.Handler]. It speaks two languages: POST /score takes rows as JSON objects or CSV and says of
// each its decision, zone, calibrated probabilities, votes and, if asked, reasons; /v2 is the Open Inference Protocol,
// with a named tensor for each column. GET /metrics tells Prometheus what was decided, and how far the rows have
// drifted
// from those of the training. A [Holder] keeps each model, and takes another one while requests go on.
//
// Rows are read as [rfpragma.Model.Row] reads them, and decided as by [rfpragma.Model.Predict], to the bit.
package serve
