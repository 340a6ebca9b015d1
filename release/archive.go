package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// name is that of an artefact of a platform.
func (r *release) name(t target, ending string) string {
	return fmt.Sprintf("rfpragma_%s_%s%s", r.version, t, ending)
}

// archive packs files: as zip for Windows, else as tar with gzip. All have the time of the commit.
func (r *release) archive(t target, files []file) (artefact, error) {
	if t.os == "windows" {
		data, err := r.zipped(files)
		return artefact{r.name(t, ".zip"), data}, err
	}
	data, err := r.tarred(files)
	return artefact{r.name(t, ".tar.gz"), data}, err
}

func (r *release) zipped(files []file) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		head := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.at}
		head.SetMode(f.mode)
		w, err := z.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

func (r *release) tarred(files []file) ([]byte, error) {
	var out bytes.Buffer
	g, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(g)
	for _, f := range files {
		head := &tar.Header{Name: f.name, Typeflag: tar.TypeReg, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: r.at,
			Uname: "root", Gname: "root", Format: tar.FormatGNU}
		if strings.HasSuffix(f.name, "/") {
			head.Typeflag = tar.TypeDir
		}
		if err := t.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	err = g.Close()
	return out.Bytes(), err
}

// checksums lists the SHA-256 of artefacts, as sha256sum reads it.
func checksums(made []artefact) artefact {
	made = slices.Clone(made)
	slices.SortFunc(made, func(a, b artefact) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	for _, a := range made {
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(a.data), a.name)
	}
	return artefact{"checksums.txt", out.Bytes()}
}
