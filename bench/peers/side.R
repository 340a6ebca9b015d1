# One fit and one prediction by ranger or randomForest, told as the last line, in JSON.
#
# usage: side.R PEER                                      prints the peer's version
#        side.R PEER STEM TREES THREADS SEED VOTES MODEL  measures it
#
# Files and words are those of side.py.

args <- commandArgs(TRUE)
peer <- args[1]
version <- as.character(packageVersion(peer))
suppressMessages(library(peer, character.only = TRUE))

# Opens an .npy file of C order at its first value. Attribute "shape": rows, and columns if any.
opened <- function(path) {
  file <- file(path, "rb")
  readBin(file, "raw", 8)
  head <- rawToChar(readBin(file, "raw", readBin(file, "integer", 1, 2, signed = FALSE)))
  shape <- sub(".*\\(([0-9, ]*)\\).*", "\\1", head)
  list(file = file, shape = as.integer(strsplit(gsub(" ", "", shape), ",")[[1]]))
}

labels <- function(path) {
  npy <- opened(path)
  on.exit(close(npy$file))
  readBin(npy$file, "integer", npy$shape[1], 4)
}

# Reads some rows at a time, so that reading does not set the peak of the memory.
cells <- function(path) {
  npy <- opened(path)
  on.exit(close(npy$file))
  n <- npy$shape[1]
  p <- npy$shape[2]
  x <- matrix(0, n, p)
  step <- max(1, 200000 %/% p)
  for (first in seq(1, n, step)) {
    last <- min(n, first + step - 1)
    x[first:last, ] <- matrix(readBin(npy$file, "numeric", (last - first + 1) * p, 4), ncol = p, byrow = TRUE)
  }
  colnames(x) <- paste0("x", seq_len(p))
  x
}

seconds <- function(code) {
  start <- Sys.time()
  force(code)
  as.numeric(Sys.time() - start, units = "secs")
}

# The most memory this process has held so far, in MB; NA where the system does not say.
peak <- function() {
  if (!file.exists("/proc/self/status")) return(NA)
  line <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

json <- function(told) {
  value <- function(v) if (is.character(v)) paste0('"', v, '"') else if (is.na(v)) "null" else format(v, digits = 10, scientific = FALSE)
  cat("\n{", paste0('"', names(told), '": ', sapply(told, value), collapse = ", "), "}\n", sep = "")
}

with_ranger <- function(c) {
  told <- list(version = version, mtry = c$mtry)
  x <- cells(paste0(c$stem, ".train.X.npy"))
  told$fit_s <- seconds(model <- ranger(
    x = x, y = c$y, num.trees = c$trees, mtry = c$mtry, num.threads = c$threads, seed = c$seed,
    min.node.size = 1, classification = TRUE, oob.error = FALSE, verbose = FALSE
  ))
  told$fit_mb <- peak()
  rows <- cells(paste0(c$stem, ".test.X.npy"))
  told$predict_s <- seconds(predict(model, rows, num.threads = c$threads, verbose = FALSE))
  told$peak_mb <- peak()
  told$nodes <- sum(lengths(model$forest$split.varIDs))
  # It tells the votes of the trees only one by one, as numbers of levels.
  said <- predict(model, rows, predict.all = TRUE, num.threads = c$threads, verbose = FALSE)$predictions
  shares <- sapply(seq_along(levels(c$y)), function(k) rowSums(said == k) / c$trees)
  if (c$model == "") return(list(told = told, shares = shares))
  saveRDS(model, c$model)
  told$file_bytes <- file.size(c$model)
  told$load_s <- seconds(model <- readRDS(c$model))
  file.remove(c$model)
  one <- function(i) seconds(predict(model, rows[i, , drop = FALSE], num.threads = 1, verbose = FALSE))
  told$row_us <- median(sapply(1:100, one)) * 1e6
  list(told = told, shares = shares)
}

with_randomForest <- function(c) {
  told <- list(version = version, mtry = c$mtry)
  x <- cells(paste0(c$stem, ".train.X.npy"))
  set.seed(c$seed)
  told$fit_s <- seconds(model <- randomForest(x, c$y, ntree = c$trees, mtry = c$mtry, nodesize = 1))
  told$fit_mb <- peak()
  rows <- cells(paste0(c$stem, ".test.X.npy"))
  told$predict_s <- seconds(said <- predict(model, rows, type = "prob"))
  told$peak_mb <- peak()
  told$nodes <- sum(model$forest$ndbigtree)
  list(told = told, shares = said[, levels(c$y)])
}

if (length(args) == 1) {
  json(list(version = version))
} else {
  number <- as.integer(args[3:5])
  case <- list(stem = args[2], trees = number[1], threads = number[2], seed = number[3], votes = args[6], model = args[7])
  y <- labels(paste0(case$stem, ".train.y.npy"))
  case$y <- factor(y, levels = 0:max(y))
  p <- opened(paste0(case$stem, ".train.X.npy"))
  case$mtry <- as.integer(floor(sqrt(p$shape[2])))
  close(p$file)
  result <- if (peer == "ranger") with_ranger(case) else with_randomForest(case)
  file <- file(case$votes, "wb")
  writeBin(as.vector(t(result$shares)), file, size = 4)
  close(file)
  json(result$told)
}
