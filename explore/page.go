package explore

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page is part of the program
	"encoding/base64"
	"encoding/json"
	"html/template"
	"strings"

	"github.com/rfpragma/rfpragma/internal/report"
)

// The page: markup, what its style has beside that of a report, and the script that internal/report/page makes of its
// TypeScript.
var (
	//go:embed page.html
	markup string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// makePage fills the page, and says what it may do: run its own script, and ask its own address.
func (h *Handler) makePage() error {
	page, err := template.New("page").Parse(markup)
	if err != nil {
		return err
	}
	all, code := report.Style()+style, strings.TrimSpace(script)
	data := h.data()
	text, err := json.Marshal(data) // which escapes <, > and &
	if err != nil {
		return err
	}
	h.policy = "default-src 'none'; script-src '" + sum(code) + "'; style-src '" + sum(all) + "'; connect-src 'self'; " +
		"img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	var out bytes.Buffer
	err = page.Execute(&out, map[string]any{"Data": data, "JSON": template.JS(text), "Script": template.JS(code),
		"Style": template.CSS(all)})
	h.page = out.Bytes()
	return err
}

// sum is how a policy names a script or a style.
func sum(text string) string {
	digest := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(digest[:])
}
