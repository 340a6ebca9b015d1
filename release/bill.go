package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// bill lists what is linked into a command, as CycloneDX, from what the build has noted in it.
func (r *release) bill(t target, binary []byte) (artefact, error) {
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return artefact{}, err
	}
	if info.Main.Version == "" || info.Main.Version == "(devel)" {
		return artefact{}, errors.New("the command does not know its commit, as go finds none in this folder; make the " +
			"release in a clone, and not in a worktree of git")
	}
	bom := cdx.NewBOM()
	sum := fmt.Sprintf("%x", sha256.Sum256(binary))
	bom.SerialNumber = fmt.Sprintf("urn:uuid:%s-%s-5%s-a%s-%s", sum[:8], sum[8:12], sum[13:16], sum[17:20], sum[20:32])
	bom.Metadata = &cdx.Metadata{Timestamp: r.at.Format("2006-01-02T15:04:05Z07:00"), Component: &cdx.Component{
		BOMRef: "rfpragma", Type: cdx.ComponentTypeApplication, Name: "rfpragma", Version: r.version,
		PackageURL: "pkg:golang/github.com/rfpragma/rfpragma@" + info.Main.Version,
		Hashes:     &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: sum}},
	}}
	components := []cdx.Component{{BOMRef: "go", Type: cdx.ComponentTypeLibrary, Name: "std",
		Version: info.GoVersion, PackageURL: "pkg:golang/std@" + info.GoVersion}}
	for _, m := range info.Deps {
		url := "pkg:golang/" + m.Path + "@" + m.Version
		components = append(components, cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path,
			Version: m.Version, PackageURL: url})
	}
	bom.Components = &components
	var out bytes.Buffer
	encoder := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON)
	err = encoder.SetPretty(true).Encode(bom)
	return artefact{r.name(t, ".cdx.json"), out.Bytes()}, err
}
