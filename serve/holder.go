package serve

import (
	"sync/atomic"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/scoring"
)

// Holder holds a model that others read while it is replaced. A request keeps the model with which it began.
type Holder struct{ now atomic.Pointer[served] }

// served is a model, and what is counted of the rows that it has decided.
type served struct {
	*scoring.Scorer
	window *window
}

// NewHolder returns a holder of a model. Errors: those of [Holder.Swap].
func NewHolder(m *rfpragma.Model) (*Holder, error) {
	h := new(Holder)
	return h, h.Swap(m)
}

// Model returns the model that new requests are answered with.
func (h *Holder) Model() *rfpragma.Model { return h.now.Load().Model }

// Swap has new requests answered with m. Requests that have begun end with the model before. Errors:
// [rfpragma.ErrConfig] for what is no model; the holder then keeps the one it has.
func (h *Holder) Swap(m *rfpragma.Model) error {
	of, err := scoring.NewScorer(m)
	if err == nil {
		h.now.Store(&served{of, newWindow(of)})
	}
	return err
}
