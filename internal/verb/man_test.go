package verb

import (
	"os/exec"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/licences"
	"github.com/rfpragma/rfpragma/internal/roff"
	"github.com/rfpragma/rfpragma/internal/view"
)

// The manual page has every verb, flag, topic and exit code, and is what roff takes.
func TestManual(t *testing.T) {
	page := must(t, "man").stdout
	if page != must(t, "man").stdout {
		t.Error("two pages differ")
	}
	for _, c := range testApp().Commands {
		if c.Name == "help" {
			continue
		}
		at := strings.Index(page, ".SS rfpragma "+c.Name+" [flags]")
		if at < 0 {
			t.Errorf("no verb %s", c.Name)
			continue
		}
		section, _, _ := strings.Cut(page[at+4:], "\n.S")
		for _, f := range c.Flags {
			if !strings.Contains(section, `\fB`+roff.Escaped(cli.Dashed(f.Names()[0]))+`\fR`) {
				t.Errorf("%s: no flag --%s", c.Name, f.Names()[0])
			}
		}
		for line := range strings.Lines(c.Description) {
			if strings.HasPrefix(line, "  rfpragma ") && !strings.Contains(section, roff.Escaped(line)) {
				t.Errorf("%s: no example %s", c.Name, line)
			}
		}
	}
	for _, want := range []string{".SH PREFERENCE", ".SH PARTS", ".SH MAPS", ".SH FORMATS", ".SH WEIGHTS",
		".SH ENVIRONMENT", ".SH EXIT CODES", "\n  130  stopped by Ctrl", "RFPRAGMA_MIN_LEAF"} {
		if strings.Count(page, want) != 1 {
			t.Errorf("%q is there %d times", want, strings.Count(page, want))
		}
	}
	request := regexp.MustCompile(`^\.(TH|SH|SS|B|I|PP|TP|EX|EE)( |$)`)
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, ".") && !request.MatchString(line) || strings.HasPrefix(line, "'") {
			t.Errorf("a line that roff would take for a request: %s", line)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r > 126 || r < ' ' }) {
			t.Errorf("a line in another encoding: %s", line)
		}
	}
	if _, err := exec.LookPath("groff"); err != nil {
		return
	}
	cmd := exec.Command("groff", "-man", "-ww", "-Tutf8")
	cmd.Stdin = strings.NewReader(page)
	var shown, complaints strings.Builder
	cmd.Stdout, cmd.Stderr = &shown, &complaints
	if err := cmd.Run(); err != nil || complaints.Len() > 0 {
		t.Errorf("groff: %v\n%s", err, complaints.String())
	}
}

// Help on a topic is one of the texts, and fits the window.
func TestTopics(t *testing.T) {
	root := must(t, "--help").stdout
	for _, topic := range cli.Topics() {
		shown := must(t, "help "+topic.Name).stdout
		if !strings.HasPrefix(shown, "rfpragma help "+topic.Name+": "+topic.About+"\n\n") || !strings.Contains(shown,
			topic.Text) {
			t.Errorf("help %s shows\n%s", topic.Name, shown)
		}
		if !strings.Contains(root, "  "+topic.Name+" ") {
			t.Errorf("rfpragma --help has no word of %s", topic.Name)
		}
		if testApp().Command(topic.Name) != nil {
			t.Errorf("%s is a verb and a topic", topic.Name)
		}
		for line := range strings.Lines(shown) {
			if n := len([]rune(line)); n > 101 {
				t.Errorf("help %s has a line of %d columns: %s", topic.Name, n, line)
			}
		}
	}
	if got := must(t, "h exit-codes").stdout; !strings.Contains(got,
		"\n    7  what --require asks for cannot be reached\n") {
		t.Errorf("exit codes\n%s", got)
	}
}

// The version is that of the build, as far as it tells.
func TestVersion(t *testing.T) {
	set := func(pairs ...string) (all []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return all
	}
	for _, tc := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"nothing known", nil, "development\ncommit not known\ngo1.26 linux/amd64\nmodel files of version 1"},
		{"a checkout", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: set("vcs.revision", "abc123",
			"vcs.time", "2026-11-28T20:00:00Z", "vcs.modified", "true")},
			"development\ncommit abc123 of 2026-11-28T20:00:00Z, with changes\ngo1.26 linux/amd64\nmodel files of version 1"},
		{"a release", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: set("vcs.revision", "abc123",
			"vcs.modified", "false")}, "v1.2.3\ncommit abc123\ngo1.26 linux/amd64\nmodel files of version 1"},
	} {
		if got := strings.Join(view.VersionOf(tc.info, "go1.26", "linux/amd64"), "\n"); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	if rfpragma.FileVersion != 1 {
		t.Error("the tests above speak of model files of version 1")
	}
	if got := must(t, "--version").stdout; !strings.HasPrefix(got, "rfpragma version ") || !strings.Contains(got,
		"\nmodel files of version ") {
		t.Errorf("--version: %s", got)
	}
	if got := must(t, "--licenses").stdout; got != licences.Text {
		t.Errorf("--licenses: %.200s", got)
	}
}
