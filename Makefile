# Everything a change needs: make check. Tools are built into .tools by name and version.
GOLANGCI = .tools/golangci-lint
GOLANGCI_VERSION = v2.15.0
GOVULNCHECK = .tools/govulncheck
GOVULNCHECK_VERSION = v1.9.0
RACE = . ./forest ./anneal ./calib ./internal/parallel ./serve ./internal/serving
# Of readers and of the command: what does things side by side, each verb once.
RACE_READERS = 'Parts|Blocks|Workers|Stream|Alike|Cancel'
RACE_COMMAND = 'Scripts/^(amount|data|forests|journey|reasons|same|time)$$|Signal|Stop|Progress|Predict|Parts|Array|Two'
FUZZTIME = 30s
# What files of others can hold: of these each is fuzzed for ten seconds by every check.
FUZZED = internal/csvtext:FuzzReader dataset:FuzzARFF dataset:FuzzLibSVM dataset/parquet:FuzzParquet \
	vote:FuzzReadCSV pragma:FuzzReadSpec internal/verb:FuzzReadMap serve:FuzzScore serve:FuzzInfer forest:FuzzDecode .:FuzzReadModel .:FuzzModelParts \
	foreign:FuzzSklearn foreign:FuzzRanger foreign:FuzzLightGBM foreign:FuzzXGBoost foreign:FuzzONNX
# To make a failing input smaller takes minutes in some targets, and its size does not matter.
FUZZ = go test -run xxx -fuzzminimizetime 10x

.PHONY: check test race lint vet fmt fuzz fuzz-short vulnerabilities golden bench arm64 page e2e

check: fmt vet lint test race

test:
	go test ./...

race:
	go test -race -timeout 20m $(RACE)
	go test -race -run $(RACE_READERS) ./dataset ./internal/csvtext
	go test -race -run 'SideBySide|GivenUp' ./explore
	go test -race -run $(RACE_COMMAND) ./cmd/rfpragma ./internal/verb ./internal/cli

vet:
	go vet ./...

fmt:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these files"; exit 1; }

lint: $(GOLANGCI)
	$(GOLANGCI) run ./...

$(GOLANGCI):
	GOBIN=$(CURDIR)/.tools go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

# Runs every fuzz target of the module for FUZZTIME each.
fuzz:
	@for p in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
			$(FUZZ) -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
		done; \
	done

# The same for those of FUZZED, in some two minutes. That the time is over is no failure, as Go 1.26 has it at times
# (go.dev/issue/75804, mended in 1.27): an input that fails is written to a file, which it names.
fuzz-short:
	@for t in $(FUZZED); do \
		$(FUZZ) -fuzz "^$${t#*:}$$" -fuzztime 10s "./$${t%:*}" >.tools/fuzz.out 2>&1 || \
			{ grep -q "^    context deadline exceeded$$" .tools/fuzz.out && ! grep -q "Failing input" .tools/fuzz.out; } || \
			{ cat .tools/fuzz.out; exit 1; }; \
		echo "ok	$${t#*:} of $${t%:*}"; \
	done; rm -f .tools/fuzz.out

# Known vulnerabilities of what is linked, where the list of them can be had.
vulnerabilities: $(GOVULNCHECK)
	@out=$$($(GOVULNCHECK) ./... 2>&1); code=$$?; case "$$out" in \
	*"fetching vulnerabilities"*|*"vuln.go.dev"*"dial"*) echo "vulnerabilities: skipped, as their list cannot be had: $$(echo "$$out" | tail -n 1)";; \
	*) echo "$$out"; exit $$code;; esac

$(GOVULNCHECK):
	GOBIN=$(CURDIR)/.tools go install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)

# Writes the expected output of the command anew; look at the difference before committing it.
golden:
	go test ./cmd/rfpragma ./internal/verb -update

bench:
	go test -run xxx -bench . ./...

# The same bytes on another processor: what the tests hold to stored figures, under emulation.
arm64:
	@command -v qemu-aarch64 >/dev/null || { echo "arm64: skipped, there is no qemu-aarch64 (package qemu-user)"; exit 0; }; \
	mkdir -p .tools; \
	for p in . forest forest/internal/vector calib anneal; do \
		GOARCH=arm64 go test -c -o .tools/arm64.test ./$$p || exit 1; \
		tests='Golden|OldModels|Portable|Sweep|SigmoidBits|SetBits|Vectors|SetsGrow'; \
		test $$p != forest/internal/vector || tests=.; \
		out=$$(cd $$p && qemu-aarch64 "$(CURDIR)/.tools/arm64.test" -test.short -test.run "$$tests" 2>&1) || { echo "$$out"; exit 1; }; \
		echo "ok	$$p on arm64"; \
	done

# The scripts in the pages of report and explore must be what their TypeScript makes, byte for byte.
page:
	@cd internal/report/page && npm ci --ignore-scripts >/dev/null 2>&1 || { echo "page: skipped, as npm is not there or can fetch nothing"; exit 0; }; \
	npm run --silent check && ./build "$(CURDIR)/.tools/page" && cmp "$(CURDIR)/.tools/page/page.js" ../page.js && \
	cmp "$(CURDIR)/.tools/page/explore.js" ../../../explore/page.js && echo "ok	page"

# The pages as a browser shows them, where there is one.
e2e:
	cd e2e && go vet ./... && go test -count=1 ./...
