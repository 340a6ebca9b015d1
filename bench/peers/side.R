# One fit and one prediction by ranger or randomForest, told as the last line, in JSON.
#
# usage: side.R PEER[:SETTING]                                      prints the peer's version
#        side.R PEER[:SETTING] STEM TREES THREADS SEED VOTES MODEL  measures it
#
# Files and words are those of side.py.

args <- commandArgs(TRUE)
name <- strsplit(args[1], ":")[[1]]
peer <- name[1]
setting <- if (length(name) > 1) name[2] else ""
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

# A part of the data: a matrix of numbers, or, where columns have levels, a data frame with
# factors. Neither peer takes missing cells: they are filled by the median or the most frequent
# level of the training rows, as na.roughfix of randomForest does.
part <- function(c, name) {
  x <- cells(paste0(c$stem, ".", name, ".X.npy"))
  if (!any(c$levels > 0)) return(x)
  x <- as.data.frame(x)
  for (j in which(c$levels > 0)) x[[j]] <- factor(x[[j]], levels = seq_len(c$levels[j]) - 1)
  x
}

middle <- function(column) {
  if (is.factor(column)) return(names(which.max(table(column))))
  if (all(is.na(column))) 0 else median(column, na.rm = TRUE)
}

fill <- function(x, by) {
  if (is.data.frame(x)) for (j in seq_along(x)) x[[j]][is.na(x[[j]])] <- by[[j]]
  x
}

with_ranger <- function(c) {
  told <- list(version = version, mtry = c$mtry)
  x <- part(c, "train")
  n <- as.vector(table(c$y))
  told$fit_s <- seconds({
    by <- if (is.data.frame(x)) lapply(x, middle)
    model <- ranger(
      x = fill(x, by), y = c$y, num.trees = c$trees, mtry = c$mtry, num.threads = c$threads, seed = c$seed,
      min.node.size = 1, classification = TRUE, oob.error = FALSE, verbose = FALSE,
      class.weights = if (setting == "class.weights") length(c$y) / length(n) / n,
      case.weights = if (setting == "case.weights") (1 / n)[c$y],
      sample.fraction = if (setting == "sample.fraction") rep(min(n) / length(c$y), length(n)) else 1
    )
  })
  told$fit_mb <- peak()
  rows <- part(c, "test")
  told$predict_s <- seconds({
    rows <- fill(rows, by)
    predict(model, rows, num.threads = c$threads, verbose = FALSE)
  })
  told$peak_mb <- peak()
  told$nodes <- sum(lengths(model$forest$split.varIDs))
  # It tells the votes of the trees only one by one, as numbers of levels.
  said <- predict(model, rows, predict.all = TRUE, num.threads = c$threads, verbose = FALSE)$predictions
  shares <- sapply(seq_along(levels(c$y)), function(k) rowSums(said == k) / c$trees)
  told <- c(told, saved(model, c$model))
  if (c$model == "" || setting != "") return(list(told = told, shares = shares))
  one <- function(i) seconds(predict(model, rows[i, , drop = FALSE], num.threads = 1, verbose = FALSE))
  told$row_us <- median(sapply(1:100, one)) * 1e6
  list(told = told, shares = shares)
}

# The size of the saved model and the seconds to load it.
saved <- function(model, path) {
  if (path == "") return(list())
  saveRDS(model, path)
  told <- list(file_bytes = file.size(path), load_s = seconds(readRDS(path)))
  file.remove(path)
  told
}

with_randomForest <- function(c) {
  told <- list(version = version, mtry = c$mtry)
  x <- part(c, "train")
  n <- as.vector(table(c$y))
  set.seed(c$seed)
  told$fit_s <- seconds({
    by <- if (is.data.frame(x)) lapply(x, middle)
    asked <- list(fill(x, by), c$y, ntree = c$trees, mtry = c$mtry, nodesize = 1)
    if (setting == "cutoff") asked$cutoff <- n / length(c$y)
    if (setting == "sampsize") asked <- c(asked, list(strata = c$y, sampsize = rep(min(n), length(n))))
    if (setting == "classwt") asked$classwt <- 1 / n / sum(1 / n)
    model <- do.call(randomForest, asked)
  })
  told$fit_mb <- peak()
  rows <- part(c, "test")
  told$predict_s <- seconds({
    rows <- fill(rows, by)
    said <- predict(model, rows, type = "prob")
  })
  told$peak_mb <- peak()
  told$nodes <- sum(model$forest$ndbigtree)
  told <- c(told, saved(model, c$model))
  decided <- if (setting == "cutoff") as.integer(predict(model, rows)) - 1L
  list(told = told, shares = said[, levels(c$y)], decided = decided)
}

if (length(args) == 1) {
  json(list(version = version))
} else {
  number <- as.integer(args[3:5])
  case <- list(stem = args[2], trees = number[1], threads = number[2], seed = number[3], votes = args[6], model = args[7])
  y <- labels(paste0(case$stem, ".train.y.npy"))
  case$y <- factor(y, levels = 0:max(y))
  p <- opened(paste0(case$stem, ".train.X.npy"))
  close(p$file)
  case$mtry <- as.integer(floor(sqrt(p$shape[2])))
  levels_of <- paste0(case$stem, ".levels.npy")
  case$levels <- if (file.exists(levels_of)) labels(levels_of) else 0
  result <- if (peer == "ranger") with_ranger(case) else with_randomForest(case)
  write_words <- function(words, path) {
    file <- file(path, "wb")
    writeBin(words, file, size = 4)
    close(file)
  }
  write_words(as.vector(t(result$shares)), case$votes)
  if (!is.null(result$decided)) write_words(result$decided, paste0(case$votes, ".decided"))
  json(result$told)
}
