package parallel

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestFaultIsAnError(t *testing.T) {
	group, ctx := WithContext(context.Background())
	group.Go(func() error { panic("a bug") })
	group.Go(func() error { <-ctx.Done(); return ctx.Err() })
	var fault *Fault
	err := group.Wait()
	if !errors.As(err, &fault) || fault.Value != "a bug" || !strings.Contains(string(fault.Stack), "TestFaultIsAnError") {
		t.Errorf("error %v", err)
	}
	if err.Error() != "internal fault: a bug" {
		t.Errorf("text %q", err)
	}
}

func TestErrorsAndSuccessPass(t *testing.T) {
	want := errors.New("no luck")
	if err := Safely(func() error { return want }); err != want {
		t.Errorf("error %v", err)
	}
	if err := Safely(func() error { return nil }); err != nil {
		t.Errorf("error %v", err)
	}
}
