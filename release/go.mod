module github.com/rfpragma/rfpragma/release

go 1.26.0

require (
	github.com/CycloneDX/cyclonedx-go v0.12.0
	github.com/blakesmith/ar v0.0.0-20190502131153-809d4375e1fb
)
