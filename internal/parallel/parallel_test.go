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

// Nobody begins when it is over, be it by an error of another or from outside.
func TestNobodyBeginsAfterTheEnd(t *testing.T) {
	want := errors.New("no luck")
	group, _ := WithContext(context.Background())
	group.SetLimit(1)
	group.Go(func() error { return want })
	for range 100 {
		group.Go(func() error { t.Error("a member begins after another has failed"); return nil })
	}
	if err := group.Wait(); err != want {
		t.Errorf("error %v, want %v", err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	group, _ = WithContext(ctx)
	group.Go(func() error { t.Error("a member begins after the end"); return nil })
	if err := group.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
