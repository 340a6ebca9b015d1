package verb

import "flag"

var update = flag.Bool("update", false, "write the expected output in testdata/script anew")
