package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// clone returns a release of a clone, so that what is not committed does not matter.
func clone(t *testing.T) *release {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "--quiet", "..", folder).CombinedOutput(); err != nil {
		t.Skipf("release: skipped, as it cannot be cloned: %s", out)
	}
	r, err := newRelease(context.Background(), folder)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Two builds of a commit in different folders, archives and packages included, are the same bytes.
func TestReproducible(t *testing.T) {
	host := target{runtime.GOOS, runtime.GOARCH}
	var first map[string][]byte
	for range 2 {
		r := clone(t)
		beside, err := r.besides(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		all, err := r.makeTarget(context.Background(), host, beside)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r.formula(all), checksums(all))
		made := map[string][]byte{}
		for _, a := range all {
			made[a.name] = a.data
		}
		if first == nil {
			first = made
			look(t, r, host, made)
		}
		for name, data := range first {
			if !bytes.Equal(made[name], data) {
				t.Errorf("%s differs between two builds", name)
			}
		}
	}
}

// look runs the command of an archive, and compares what others say of it.
func look(t *testing.T, r *release, host target, made map[string][]byte) {
	t.Helper()
	files := untar(t, made[r.name(host, ".tar.gz")])
	path := filepath.Join(t.TempDir(), "rfpragma")
	if err := os.WriteFile(path, files["rfpragma"], 0o755); err != nil {
		t.Fatal(err)
	}
	version, err := exec.Command(path, "--version").Output()
	if err != nil || !strings.Contains(string(version), " of "+r.at.Format(time.RFC3339)) {
		t.Errorf("--version says %q (%v), and the commit is of %v", version, err, r.at)
	}
	if len(files["rfpragma"]) > 20<<20 {
		t.Errorf("the command has %d bytes, more than 20 MB", len(files["rfpragma"]))
	}
	for _, name := range []string{"man/rfpragma.1", "completions/_rfpragma", "LICENSE", "LICENCES-OF-MODULES.txt"} {
		if len(files[name]) == 0 {
			t.Errorf("the archive lacks %s", name)
		}
	}
	var bill struct {
		BomFormat  string
		Components []struct{ Name, Version string }
	}
	if err := json.Unmarshal(made[r.name(host, ".cdx.json")], &bill); err != nil || bill.BomFormat != "CycloneDX" {
		t.Fatalf("%+v, %v", bill, err)
	}
	listed := false
	for _, c := range bill.Components {
		listed = listed || c.Name == "gonum.org/v1/gonum" && c.Version != ""
	}
	if !listed {
		t.Errorf("gonum is linked and not in the bill: %+v", bill.Components)
	}
	if deb := made[r.name(host, ".deb")]; host.os == "linux" {
		lookAtDeb(t, deb, files["rfpragma"])
	}
}

func untar(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	g, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(g); ; {
		head, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		files[head.Name], _ = io.ReadAll(r)
	}
}

// lookAtDeb has dpkg unpack a package, where it is there.
func lookAtDeb(t *testing.T, deb, command []byte) {
	t.Helper()
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Log("the Debian package is not looked at, as there is no dpkg-deb")
		return
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "rfpragma.deb")
	if err := os.WriteFile(path, deb, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("dpkg-deb", "--extract", path, folder).CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	if got, err := os.ReadFile(filepath.Join(folder, "usr/bin/rfpragma")); err != nil || !bytes.Equal(got, command) {
		t.Errorf("the package has another command: %v", err)
	}
	out, err := exec.Command("dpkg-deb", "--field", path, "Package").Output()
	if err != nil || string(out) != "rfpragma\n" {
		t.Errorf("%q %v", out, err)
	}
}

// Archives keep names, content and modes; the formula names the archives with their checksums.
func TestArchives(t *testing.T) {
	r := &release{version: "1.2.3", at: time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)}
	files := []file{{"rfpragma", []byte("x"), 0o755}, {"man/rfpragma.1", []byte("y"), 0o644}}
	packed, err := r.archive(target{"darwin", "arm64"}, files)
	if err != nil || packed.name != "rfpragma_1.2.3_darwin_arm64.tar.gz" ||
		string(untar(t, packed.data)["man/rfpragma.1"]) != "y" {
		t.Errorf("%s %v", packed.name, err)
	}
	zipped, err := r.archive(target{"windows", "amd64"}, files)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(zipped.data), int64(len(zipped.data)))
	if err != nil || len(z.File) != 2 || z.File[0].Mode() != 0o755 || !z.File[0].Modified.Equal(r.at) {
		t.Errorf("%+v %v", z, err)
	}
	// by sha256sum of coreutils: printf x | sha256sum
	const sum = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
	text := string(r.formula([]artefact{{"rfpragma_1.2.3_linux_amd64.tar.gz", []byte("x")}}).data)
	if !strings.Contains(text, "/releases/download/v1.2.3/rfpragma_1.2.3_linux_amd64.tar.gz\"\n      sha256 \""+sum) {
		t.Error(text)
	}
	if got := string(checksums([]artefact{{"b", []byte("x")}, {"a", []byte("x")}}).data); got != sum+"  a\n"+sum+"  b\n" {
		t.Errorf("%q", got)
	}
}
