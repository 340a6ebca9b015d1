module github.com/rfpragma/rfpragma/bench/foreign

go 1.26.0

require (
	github.com/malaschitz/randomForest v0.0.0-20251101172028-7c30b8b21d88
	github.com/rfpragma/rfpragma v0.0.0
	github.com/rfpragma/rfpragma/bench v0.0.0
	github.com/ryanbressler/CloudForest v0.0.0-20161201194407-d014dc32840a
	github.com/wlattner/rf v0.0.0-20150304005020-e98c6ca28b25
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace github.com/rfpragma/rfpragma => ../../

replace github.com/rfpragma/rfpragma/bench => ../
