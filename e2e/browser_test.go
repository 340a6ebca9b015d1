package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// command is the path of the program under test, which TestMain builds.
var command string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		if _, err := browser(); err != nil {
			fmt.Println("skipped:", err)
			return 0
		}
		dir, err := os.MkdirTemp("", "e2e")
		if err != nil {
			fmt.Println(err)
			return 1
		}
		defer os.RemoveAll(dir)
		command = filepath.Join(dir, "rfpragma")
		if out, err := exec.Command("go", "build", "-C", "..", "-o", command, "./cmd/rfpragma").CombinedOutput(); err != nil {
			fmt.Printf("go build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// browser finds a browser.
func browser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no browser; install chromium to look at the pages")
}

// rfpragma runs the command in a folder.
func rfpragma(t *testing.T, dir string, args ...string) {
	t.Helper()
	run := exec.Command(command, args...)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("rfpragma %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// tab is a tab of a browser, and what it complained of.
type tab struct {
	ctx    context.Context
	t      *testing.T
	served string // host, with a slash, of a page that is not on disk; "" for none

	mutex      sync.Mutex
	complaints []string
}

// open starts a browser with one tab.
func open(t *testing.T) *tab {
	t.Helper()
	path, err := browser()
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	t.Cleanup(cancel)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true))
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	p := &tab{ctx: ctx, t: t}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal(err)
	}
	return p
}

// hear keeps what a page must not do: complain, or ask for anything but itself.
func (p *tab) hear(event any) {
	complain := func(format string, args ...any) {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.complaints = append(p.complaints, fmt.Sprintf(format, args...))
	}
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		complain("exception: %v", e.ExceptionDetails)
	case *runtime.EventConsoleAPICalled:
		complain("console.%s", e.Type)
	case *log.EventEntryAdded:
		complain("log: %s", e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, "file:") && !strings.HasPrefix(url, "data:") && url != "about:blank" &&
			(p.served == "" || !strings.HasPrefix(url, "http://"+p.served)) {
			complain("request of %s", url)
		}
	}
}

// quiet fails if the page complained since the last time.
func (p *tab) quiet(what string) {
	p.t.Helper()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, c := range p.complaints {
		p.t.Errorf("%s: %s", what, c)
	}
	p.complaints = nil
}

// show loads a page from disk in a window of this width and scheme, "light" or "dark".
func (p *tab) show(path string, width int, scheme string) {
	p.t.Helper()
	p.as("screen", scheme)
	p.do(chromedp.EmulateViewport(int64(width), 900), chromedp.Navigate("file://"+path))
	p.settle()
}

// as sets the medium, "screen" or "print", and the scheme.
func (p *tab) as(medium, scheme string) {
	p.t.Helper()
	media := emulation.SetEmulatedMediaParams{Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, media); err != nil {
		p.t.Fatal(err)
	}
}

// unfold opens all that is folded away, but the tables of the charts.
func (p *tab) unfold() {
	p.t.Helper()
	value[bool](p, `document.querySelectorAll("details.folded, .warnings details").forEach(d => (d.open = true)) ?? true`)
	p.settle()
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// settle waits until what follows from a change of the width is drawn.
func (p *tab) settle() {
	p.t.Helper()
	value[bool](p, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))`)
}

// value evaluates an expression in the page.
func value[T any](p *tab, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%.200s: %v", expression, err)
	}
	return v
}
