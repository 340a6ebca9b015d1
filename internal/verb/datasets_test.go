package verb

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/catalogue"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/download"
	"github.com/rfpragma/rfpragma/internal/verb/datasets"
)

func TestDataList(t *testing.T) {
	table := must(t, "data list").stdout
	var list struct {
		SchemaVersion int `json:"schema_version"`
		Command       string
		Sets          []struct {
			Name, About, First, Licence, Cite, URL, SHA256 string
			Rows, Features, Classes                        int
			Categorical                                    *[]string
		}
	}
	if err := json.Unmarshal([]byte(must(t, "data list --format json").stdout), &list); err != nil ||
		list.SchemaVersion != 1 || list.Command != "data list" {
		t.Fatalf("version %d of %q, %v", list.SchemaVersion, list.Command, err)
	}
	records, err := csv.NewReader(strings.NewReader(must(t, "data list --format csv").stdout)).ReadAll()
	all := catalogue.All()
	if err != nil || len(records) != len(all)+1 || len(list.Sets) != len(all) {
		t.Fatalf("%d records, %d sets, want %d: %v", len(records)-1, len(list.Sets), len(all), err)
	}
	for i, s := range all {
		got := list.Sets[i]
		if got.Name != s.Name || got.SHA256 != s.SHA256 || got.URL != s.URL || got.Rows != s.Rows || got.Categorical == nil ||
			got.Licence != s.Licence {
			t.Errorf("the JSON says %+v of %s", got, s.Name)
		}
		if r := records[i+1]; r[0] != s.Name || r[2] != fmt.Sprint(s.Rows) || r[9] != s.SHA256 {
			t.Errorf("the CSV says %q of %s", r, s.Name)
		}
		if !strings.Contains(table, "\n "+s.Name+" ") {
			t.Errorf("the table lacks %s", s.Name)
		}
	}
}

// madeUp is a set of three rows, and what its home has.
func madeUp() (catalogue.Set, string) {
	const text = "x,size of it,class\n1,,ill\n2.5,7,well\n3,8,well\n"
	sum := sha256.Sum256([]byte(text))
	return catalogue.Set{
		Name: "tiny", About: "nothing much", Rows: 3, Features: 2, Classes: 2, First: "--prefer ill", Licence: "public",
		Cite:        "made up",
		Categorical: []string{"size of it"}, SHA256: hex.EncodeToString(sum[:]),
		Layout: catalogue.Layout{Members: []string{"tiny.data"}, Separator: ';', Missing: "?", Columns: "class,x,size of it"},
	}, "ill;1;?\nwell;2.5;7\nwell;3;8\n"
}

// serve answers requests with a body, and counts them.
func serveSets(t *testing.T, body string) (url string, requests *int) {
	t.Helper()
	requests = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		*requests++
		w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func TestGetSet(t *testing.T) {
	inFolder(t, nil)
	set, raw := madeUp()
	var requests *int
	set.URL, requests = serveSets(t, raw)
	path := filepath.Join("my sets", "tiny", "tiny.csv")
	get := func(w datasets.Wish) (outcome, error) {
		var stdout, stderr bytes.Buffer
		p := &cli.Program{Stdout: &stdout, Stderr: &stderr}
		err := datasets.GetSet(p, t.Context(), set, w)
		return outcome{stdout: stdout.String(), stderr: stderr.String()}, err
	}
	for i, step := range []struct {
		name     string
		wish     datasets.Wish
		requests int
	}{
		{"from its home", datasets.Wish{Cache: "my sets"}, 1},
		{"from the cache", datasets.Wish{Cache: "my sets"}, 1},
		{"anew", datasets.Wish{Cache: "my sets", Force: true}, 2},
	} {
		got, err := get(step.wish)
		if err != nil || *requests != step.requests || got.stdout != path+"\n" {
			t.Fatalf("%s: %d requests, stdout %q, %v", step.name, *requests, got.stdout, err)
		}
		const said = "tiny: 3 rows, 2 features, 2 classes: nothing much\nLicence public: made up\n" +
			"Next: rfpragma cv 'my sets/tiny/tiny.csv' --categorical 'size of it' --prefer ill\n"
		if got.stderr != said {
			t.Errorf("%d, %s: said %q, want %q", i, step.name, got.stderr, said)
		}
		if files := listing(t); files != `my sets/tiny/tiny.csv 46 "x,size of it,class\n1,,ill\n2.5,7,well\n3,8,well\n"` {
			t.Errorf("%s: the files are %s", step.name, files)
		}
	}

	// A file that was changed is told, and stays unless --force is given.
	write(t, path, "mine")
	_, err := get(datasets.Wish{Cache: "my sets"})
	if err == nil || !strings.HasPrefix(err.Error(), path+" is not the set as it was kept: SHA-256 ") ||
		read(t, path) != "mine" || cli.ExitCode(t.Context(), err) != cli.ExitData {
		t.Errorf("a changed file: %v", err)
	}
	if _, err := get(datasets.Wish{Cache: "my sets", Force: true}); err != nil || read(t, path) == "mine" {
		t.Errorf("a changed file, --force: %v", err)
	}

	// A file or a URL may stand for the home, be it the archive or what is in it.
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	w, _ := z.Create("some/folder/tiny.data")
	w.Write([]byte(raw))
	z.Close()
	write(t, "tiny.zip", packed.String())
	write(t, "tiny.data", raw)
	url, _ := serveSets(t, packed.String())
	set.URL = "http://127.0.0.1:1/"
	for _, from := range []string{"tiny.zip", "tiny.data", url} {
		if got, err := get(datasets.Wish{Cache: "of " + filepath.Base(from), From: from}); err != nil || !strings.HasSuffix(got.stdout,
			"tiny.csv\n") {
			t.Errorf("from %s: %q, %v", from, got.stdout, err)
		}
	}
}

// What goes wrong is one line and an exit code, and leaves nothing behind.
func TestGetSetErrors(t *testing.T) {
	inFolder(t, map[string]string{"file": "no folder", "page.html": "<html>", "cut.zip": "PK\x03\x04 and no more"})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/short":
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("12345"))
		case "/huge":
			w.Header().Set("Content-Length", fmt.Sprint(download.MostBytes+1))
		case "/broken":
			w.Write([]byte("12345"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "/other":
			w.Write([]byte("1,2,3\n"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	closed := httptest.NewServer(nil)
	closed.Close()
	for _, tc := range []struct {
		name, flags string
		code        int
		want        string
	}{
		{"nobody answers", "--from " + closed.URL, cli.ExitIO, "connect"},
		{"not found", "--from " + server.URL + "/none", cli.ExitIO, "glass: " + server.URL +
			"/none: the server says 404 Not Found; try again, or get the file in another way and name it with --from"},
		{"cut short", "--from " + server.URL + "/short", cli.ExitIO, "the transfer broke off after 5 of 100 bytes"},
		{"broken off", "--from " + server.URL + "/broken", cli.ExitIO, "the transfer broke off after 5 bytes"},
		{"too large", "--from " + server.URL + "/huge", cli.ExitLimit, "more than 64 MB; no public set is as large"},
		{"no URL", "--from http://[/", cli.ExitIO, "parse"},
		{"another file", "--from " + server.URL + "/other", cli.ExitData,
			"glass: not the set that is expected: line 1: 3 cells where 11 are expected"},
		{"a page in its place", "--from page.html", cli.ExitData, "line 1: 1 cells where 11 are expected"},
		{"a damaged archive", "--from cut.zip", cli.ExitData, "the zip archive is damaged"},
		{"no such file", "--from absent.zip", cli.ExitIO, "open absent.zip: "},
		{"no folder to keep it in", "--from page.html --cache file", cli.ExitIO,
			"not a directory; --cache names another folder"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			line := "data get glass " + tc.flags
			if !strings.Contains(line, "--cache") {
				line += " --cache sets"
			}
			refusal{line: line, code: tc.code, want: tc.want}.refused(t)
			if _, err := os.Stat(filepath.Join("sets", "glass")); !os.IsNotExist(err) {
				t.Errorf("the folder of the set is still there: %v", err)
			}
		})
	}
}

func TestDataUsage(t *testing.T) {
	runRefusals(t, nil, []refusal{
		{"no word", "", "data", cli.ExitUsage, "data takes list|get NAME ..., 0 given; rfpragma help data shows examples"},
		{"another word", "", "data lst", cli.ExitUsage, `there is no data "lst"; choose list or get`},
		{"no name", "", "data get", cli.ExitUsage, "data get needs the NAME of a set, or all"},
		{"a name to list", "", "data list letter", cli.ExitUsage, "data list takes no names, 1 given"},
		{"a form", "", "data list --format xml", cli.ExitUsage, `--format "xml"; choose table, json, csv`},
		{"a flag of get", "", "data list --force", cli.ExitUsage, "--force means nothing to data list"},
		{"a flag of list", "", "data get letter --format json", cli.ExitUsage, "--format means nothing to data get"},
		{"no such set", "", "data get glass satimag", cli.ExitUsage, `there is no set "satimag": did you mean "satimage"`},
		{"one source for two", "", "data get glass letter --from x.zip", cli.ExitUsage,
			"--from is the source of one set; name one, not 2"},
		{"one source for all", "", "data get all --from x.zip", cli.ExitUsage, "--from is the source of one set"},
	})
}

// Of several sets the others are got where one is not to be had.
func TestGetSeveral(t *testing.T) {
	inFolder(t, nil)
	write(t, "file", "")
	got := invoke(t, nil, "data", "get", "glass", "letter", "--cache", "file")
	lines := strings.Split(strings.TrimSpace(got.stderr), "\n")
	if got.code != cli.ExitIO || len(lines) != 3 || !strings.HasPrefix(lines[1], "warning: ") ||
		!strings.HasPrefix(lines[2], "rfpragma: 2 of 2 sets are not to be had; the first: ") {
		t.Errorf("exit %d, %q", got.code, lines)
	}
}

// A whole journey: from a local server into a folder as RFPRAGMA_DATA, and what is proposed to do next.
func TestPublicDataGet(t *testing.T) {
	rows := strings.SplitAfter(read(t, public(t, "satimage")), "\n")[1:]
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, file := range []struct {
		name string
		rows []string
	}{{"sat.trn", rows[:4435]}, {"sat.tst", rows[4435:]}} {
		w, _ := z.Create(file.name)
		w.Write([]byte(strings.ReplaceAll(strings.Join(file.rows, ""), ",", " ")))
	}
	z.Close()
	url, _ := serveSets(t, packed.String())
	t.Chdir(t.TempDir())
	got := must(t, "data get satimage --cache sets --from "+url)
	_, next, found := strings.Cut(got.stderr, "Next: rfpragma ")
	if !found || got.stdout != filepath.Join("sets", "satimage", "satimage.csv")+"\n" {
		t.Fatalf("%q, %s", got.stdout, got.stderr)
	}
	must(t, strings.TrimSpace(next)+" --trees 10 --folds 3 --quiet")
}

// The flags proposed for a first look suit the sets.
func TestPublicFirst(t *testing.T) {
	for _, s := range catalogue.All() {
		if s.Rows > 5000 {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			args := []string{public(t, s.Name)}
			for _, c := range s.Categorical {
				args = append(args, "--categorical", c)
			}
			must(t, "cv --trees 5 --folds 2 --quiet "+s.First, args...)
		})
	}
}
