// Package e2e looks at the pages of the command as a browser shows them. It is a module of its own, as nothing else needs what drives the browser.
package e2e
