package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/rfpragma/rfpragma"
)

// buildVersion says what was built, of what, and by what, as far as the build tells, line by line.
func buildVersion() []string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
}

func versionOf(info *debug.BuildInfo, goVersion, system string) []string {
	version, commit, state := "development", "", ""
	if info != nil {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				state = ", with changes"
			}
		}
	}
	return []string{
		version,
		"commit " + cmp.Or(commit, "not known") + state,
		goVersion + " " + system,
		fmt.Sprintf("model files of version %d", rfpragma.FileVersion),
	}
}
