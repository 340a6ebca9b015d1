# Everything a change needs: make check. Tools are built into .tools by name and version.
GOLANGCI = .tools/golangci-lint
GOLANGCI_VERSION = v2.15.0
RACE = . ./forest ./anneal ./eval ./cmd/rfpragma
FUZZTIME = 30s

.PHONY: check test race lint vet fmt fuzz golden bench

check: fmt vet lint test race

test:
	go test ./...

race:
	go test -race $(RACE)

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
			go test -run xxx -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
		done; \
	done

# Writes the expected output of the command anew; look at the difference before committing it.
golden:
	go test ./cmd/rfpragma -update

bench:
	go test -run xxx -bench . ./...
