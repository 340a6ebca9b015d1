package cli

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/english"
)

// invalid is how the flag parser complains about a value.
var invalid = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-([^:]*): `)

// thousands are numbers with marks between thousands. A point may stand before decimals.
var thousands = regexp.MustCompile(`^\d{1,3}([', _]\d{3})+$`)

// UsageFault turns the parser's word about a flag into one line.
func UsageFault(c *urfave.Context, err error, _ bool) error {
	text, root := err.Error(), c.Command.Name == c.App.Name
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		name = strings.TrimLeft(name, "-")
		if root && slices.Contains(filesElsewhere, name) {
			return Usagef("%.64s stands before the verb; files stand behind it, without a flag, as in rfpragma cv FILE",
				Dashed(name))
		}
		if root {
			return Usagef("%.64s stands before the verb, where only --help and --version may; write rfpragma VERB %.64[1]s",
				Dashed(name))
		}
		var known []string
		for _, f := range append(slices.Clone(c.Command.Flags), urfave.HelpFlag) {
			known = append(known, f.Names()[0])
		}
		hint := flagHint(c.App, c.Command, known, Dashed, name)
		return Usagef("there is no flag %.64s%s; rfpragma help %s lists them", Dashed(name), hint, c.Command.Name)
	}
	help := "rfpragma help " + c.Command.Name
	if root {
		help = "rfpragma --help"
	}
	if part := invalid.FindStringSubmatch(text); part != nil {
		value, _ := strconv.Unquote(part[1]) // as the parser has quoted it
		return wrongValue(FlagNamed(c.Command.Flags, part[2]), Dashed(part[2]), value, help)
	}
	return Usagef("%s; %s tells what there is", text, help)
}

// wrongValue tells that a flag takes no such value.
func wrongValue(flag urfave.Flag, name, value, help string) error {
	if _, whole := flag.(*urfave.IntFlag); whole && strings.Trim(value, "0123456789") == "" && value != "" {
		return Usagef("%s %.64s is too large; write a smaller number", name, value)
	}
	if digits := strings.NewReplacer("'", "", ",", "", "_", "", " ", "").Replace(value); thousands.MatchString(value) {
		return Usagef("%s %s is not %s; write %s without marks between thousands", name, english.Quote(value), wanted(flag),
			digits)
	}
	return Usagef("%s %s is not %s; %s tells more", name, english.Quote(value), wanted(flag), help)
}

// plainNumbers refuses whole numbers that the parser of flags would not read as people do: for it 010 is 8, and 0x10
// is 16.
func plainNumbers(command *urfave.Command, given map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		flag, value := FlagNamed(command.Flags, name), given[name]
		switch flag.(type) {
		case *urfave.IntFlag, *urfave.Uint64Flag:
		default:
			continue
		}
		digits := strings.TrimLeft(value, "+-")
		if strings.Trim(digits, "0123456789") != "" {
			return wrongValue(flag, Dashed(name), value, "rfpragma help "+command.Name)
		}
		if plain := strings.TrimLeft(digits, "0"); len(digits) > 1 && plain != digits {
			return Usagef("%s %.64s begins with 0; write %.64s", Dashed(name), value, cmp.Or(plain, "0"))
		}
	}
	return nil
}

// wanted says what a flag takes.
func wanted(f urfave.Flag) string {
	switch f.(type) {
	case *urfave.IntFlag:
		return "a whole number"
	case *urfave.Uint64Flag:
		return "a whole number from 0 to 2^64-1"
	case *urfave.Float64Flag:
		return "a number"
	case *urfave.DurationFlag:
		return "a time, such as 10s or 5m"
	case *urfave.GenericFlag:
		return "a share, such as 0.63 or 63%"
	default:
		return "true or false"
	}
}
