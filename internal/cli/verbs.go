package cli

import (
	"slices"

	urfave "github.com/urfave/cli/v2"
)

// Verbs are the names of the verbs of a command, without help.
func Verbs(app *urfave.App) []string {
	var names []string
	for _, c := range app.Commands {
		if c.Name != "help" {
			names = append(names, c.Name)
		}
	}
	return names
}

// HelpTemplate shows the examples of a verb first.
const HelpTemplate = `{{.HelpName}}: {{.Usage}}

{{if eq (slice .Description 0 2) "  "}}Examples:
{{end}}{{.Description}}

Usage: {{.HelpName}}{{if .VisibleFlags}} [flags]{{end}}{{if .ArgsUsage}} {{.ArgsUsage}}{{end}}
{{range .VisibleFlagCategories}}
{{if .Name}}{{.Name}}{{else}}Other{{end}}:
{{range .Flags}}  {{.}}
{{end}}{{end}}`

// CommonFlags are those of every verb that has flags.
func CommonFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.BoolFlag{Name: "quiet", DisableDefaultText: true, Aliases: []string{"q"}, Category: "Run",
			Usage: "no progress: only the result, and warnings"},
		&urfave.StringFlag{Name: "config", Category: "Run", Usage: "TOML `FILE` of settings; see rfpragma help environment"},
		&urfave.BoolFlag{Name: "print-config", DisableDefaultText: true, Category: "Run",
			Usage: "print the settings as such a file, and do nothing"},
	}
}

// Settable returns the names of the flags that a verb can be given by the environment or a file.
func Settable(command *urfave.Command) []string {
	var all []string
	for _, f := range command.Flags {
		if name := f.Names()[0]; name != "print-config" && name != urfave.HelpFlag.Names()[0] {
			all = append(all, name)
		}
	}
	return all
}

// Anywhere returns the names of the flags that some verb can be given.
func Anywhere(app *urfave.App) []string {
	var all []string
	for _, c := range app.Commands {
		if FlagNamed(c.Flags, "config") != nil {
			all = append(all, Settable(c)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// verbsWith are the verbs that have a flag.
func verbsWith(app *urfave.App, flag string) []string {
	var with []string
	for _, c := range app.Commands {
		if FlagNamed(c.Flags, flag) != nil {
			with = append(with, c.Name)
		}
	}
	return with
}
