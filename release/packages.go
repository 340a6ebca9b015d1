package main

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"fmt"
	"path"
	"strings"

	"github.com/blakesmith/ar"
)

const (
	about = "decisions on rare and costly classes with a random forest"
	home  = "https://github.com/rfpragma/rfpragma"
)

// installed are the places of what is installed beside the command.
var installed = map[string]string{
	"man/rfpragma.1": "/usr/share/man/man1/rfpragma.1", "LICENSE": "/usr/share/doc/rfpragma/copyright",
	"completions/rfpragma.bash": "/usr/share/bash-completion/completions/rfpragma",
	"completions/_rfpragma":     "/usr/share/zsh/vendor-completions/_rfpragma",
	"completions/rfpragma.fish": "/usr/share/fish/vendor_completions.d/rfpragma.fish",
	"LICENCES-OF-MODULES.txt":   "/usr/share/doc/rfpragma/LICENCES-OF-MODULES.txt",
}

// deb makes a Debian package: an ar archive of a version, what the package says of itself, and its files.
//
// Source: deb(5) of dpkg.
func (r *release) deb(t target, binary []byte, beside []file) (artefact, error) {
	content := []file{{"./usr/bin/rfpragma", binary, 0o755}}
	for _, f := range beside {
		if place := installed[f.name]; place != "" {
			content = append(content, file{"." + place, f.data, f.mode})
		}
	}
	size := 0
	var sums bytes.Buffer
	for _, f := range content {
		size += len(f.data)
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.data), strings.TrimPrefix(f.name, "./"))
	}
	control := fmt.Sprintf("Package: rfpragma\nVersion: %s\nSection: science\nPriority: optional\nArchitecture: %s\n"+
		"Installed-Size: %d\nMaintainer: The authors of rfpragma <rfpragma@example.org>\nHomepage: %s\nDescription: %s\n",
		r.version, t.arch, size>>10, home, about)
	about, err := r.tarred([]file{{"./control", []byte(control), 0o644}, {"./md5sums", sums.Bytes(), 0o644}})
	if err != nil {
		return artefact{}, err
	}
	data, err := r.tarred(withFolders(content))
	if err != nil {
		return artefact{}, err
	}
	var out bytes.Buffer
	w := ar.NewWriter(&out)
	if err := w.WriteGlobalHeader(); err != nil {
		return artefact{}, err
	}
	for _, part := range []file{{"debian-binary", []byte("2.0\n"), 0o100644}, {"control.tar.gz", about, 0o100644},
		{"data.tar.gz", data, 0o100644}} {
		head := &ar.Header{Name: part.name, ModTime: r.at, Mode: int64(part.mode), Size: int64(len(part.data))}
		if err := w.WriteHeader(head); err != nil {
			return artefact{}, err
		}
		if _, err := w.Write(part.data); err != nil {
			return artefact{}, err
		}
	}
	return artefact{r.name(t, ".deb"), out.Bytes()}, nil
}

// withFolders puts the folders of files before them, as dpkg wants it.
func withFolders(files []file) []file {
	seen := map[string]bool{"./": true}
	all := []file{{"./", nil, 0o755}}
	for _, f := range files {
		for i, letter := range f.name {
			if folder := f.name[:i+1]; letter == '/' && !seen[folder] {
				seen[folder] = true
				all = append(all, file{folder, nil, 0o755})
			}
		}
		all = append(all, f)
	}
	return all
}

// formula makes the Homebrew formula for the archives among artefacts.
func (r *release) formula(made []artefact) artefact {
	var out strings.Builder
	fmt.Fprintf(&out, "class Rfpragma < Formula\n  desc %q\n  homepage %q\n  version %q\n  license \"Apache-2.0\"\n",
		strings.ToUpper(about[:1])+about[1:], home, r.version)
	for _, system := range []struct{ brew, os string }{{"macos", "darwin"}, {"linux", "linux"}} {
		fmt.Fprintf(&out, "\n  on_%s do\n", system.brew)
		for _, cpu := range []struct{ brew, arch string }{{"arm", "arm64"}, {"intel", "amd64"}} {
			name := r.name(target{system.os, cpu.arch}, ".tar.gz")
			for _, a := range made {
				if a.name == name {
					fmt.Fprintf(&out, "    on_%s do\n      url %q\n      sha256 \"%x\"\n    end\n", cpu.brew,
						home+"/releases/download/v"+path.Join(r.version, name), sha256.Sum256(a.data))
				}
			}
		}
		out.WriteString("  end\n")
	}
	out.WriteString(`
  def install
    bin.install "rfpragma"
    man1.install "man/rfpragma.1"
    bash_completion.install "completions/rfpragma.bash" => "rfpragma"
    zsh_completion.install "completions/_rfpragma"
    fish_completion.install "completions/rfpragma.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/rfpragma --version")
  end
end
`)
	return artefact{"rfpragma.rb", []byte(out.String())}
}
