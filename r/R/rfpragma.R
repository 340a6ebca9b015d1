rfpragma <- function(x, ...) UseMethod("rfpragma")

rfpragma.formula <- function(formula, data, ...) {
  frame <- model.frame(formula, data, na.action = na.pass)
  kept <- terms(frame)
  y <- model.response(frame)
  x <- frame[-1]
  fit <- rfpragma.default(x, y, ..., target = deparse(formula[[2]]))
  fit$terms <- delete.response(kept)
  fit$call <- match.call()
  fit
}

rfpragma.default <- function(x, y, prefer = NULL, cost = NULL, require = NULL, measure = NULL, trees = 500,
                             tune_forest = NULL, min_leaf = NULL, mtry = NULL, calibrate = "auto", weight = NULL,
                             seed = 1, threads = 0, ..., target = "class") {
  options <- settings(prefer, cost, require, measure, trees, tune_forest, min_leaf, mtry, calibrate, seed, threads, ...)
  rows <- training(x, y, weight, target)
  answer <- tell(ask("fit", list(table = rows$table, options = c(options, rows$options), want = list("votes")),
                     rows$buffers))
  model <- answer$result$model
  classes <- unlist(model$classes)
  structure(class = "rfpragma", list(
    model = answer$data[[answer$result$file + 1]], id = model$id, classes = classes,
    levels = if (is.factor(y)) levels(y) else sort(unique(y)),
    weights = stats::setNames(unlist(model$weights), classes),
    votes = by_class(answer$data[[answer$result$votes + 1]], classes),
    importance = stats::setNames(vapply(model$features, `[[`, 0, "importance"),
                                 vapply(model$features, `[[`, "", "name")),
    info = model$provenance, terms = NULL, call = match.call()))
}

# What is wanted and how to fit, without what is left to its default.
settings <- function(prefer, cost, require, measure, trees, tune_forest, min_leaf, mtry, calibrate, seed, threads, ...) {
  if (is.matrix(cost)) {
    cost <- list(costs = list(classes = as.list(rownames(cost)), matrix = unname(apply(cost, 1, as.list, simplify = FALSE))))
  } else if (!is.null(cost)) {
    cost <- list(cost = as.list(cost))
  }
  if (!is.null(require)) require <- as.list(require)
  all <- c(list(prefer = prefer, require = require, measure = measure, trees = trees, tune_forest = tune_forest,
                min_leaf = min_leaf, mtry = mtry, calibrate = calibrate, seed = seed, threads = threads), cost, list(...))
  all[!vapply(all, is.null, NA)]
}

# Rows with their labels and weights.
training <- function(x, y, weight, target) {
  x <- as.data.frame(x, stringsAsFactors = FALSE)
  if (length(y) != nrow(x)) stop("x has ", nrow(x), " rows, and y ", length(y), call. = FALSE)
  if (anyNA(y)) stop("y is missing in row ", which(is.na(y))[1], "; leave such rows out", call. = FALSE)
  options <- list(target = unused(target, x))
  x[[options$target]] <- factor(y)
  if (!is.null(weight)) {
    options$weight <- unused("weight", x)
    x[[options$weight]] <- as.double(weight)
  }
  c(encode(x), list(options = options))
}

unused <- function(name, x) {
  while (name %in% names(x)) name <- paste0(name, "_")
  name
}

# Asks about a model, and sends it along where it is not known.
about <- function(object, op, fields, buffers) {
  tryCatch(
    ask(op, c(list(model = list(id = object$id)), fields), buffers),
    rfpragma_unknown_model = function(e) {
      ask(op, c(list(model = list(buffer = length(buffers))), fields), c(buffers, list(object$model)))
    })
}

predict.rfpragma <- function(object, newdata, type = c("class", "prob", "votes"), ...) {
  type <- match.arg(type)
  if (!is.null(object$terms)) newdata <- model.frame(object$terms, newdata, na.action = na.pass)
  rows <- encode(as.data.frame(newdata, stringsAsFactors = FALSE), "newdata")
  want <- switch(type, class = list(), prob = list("probabilities"), votes = list("votes"))
  answer <- tell(about(object, "predict", list(table = rows$table, want = want), rows$buffers))
  data <- function(field) answer$data[[answer$result[[field]] + 1]]
  switch(type,
    prob = by_class(data("probabilities"), object$classes),
    votes = by_class(data("votes"), object$classes),
    class = {
      at <- readBin(data("decisions"), "integer", nrow(newdata), size = 4, endian = "little")
      factor(object$classes[ifelse(at < 0, NA, at + 1)], as.character(object$levels))
    })
}

print.rfpragma <- function(x, ...) {
  cat("A random forest that decides among", paste(x$classes, collapse = ", "), "by weighted votes:\n")
  print(x$weights)
  cat("What to expect on new rows says cross_validate().\n")
  invisible(x)
}

cross_validate <- function(formula, data, folds = 10, repeats = 1, title = "", prefer = NULL, cost = NULL, require = NULL,
                           measure = NULL, trees = 500, tune_forest = NULL, min_leaf = NULL, mtry = NULL,
                           calibrate = "auto", weight = NULL, seed = 1, threads = 0, ...) {
  frame <- model.frame(formula, data, na.action = na.pass)
  rows <- training(frame[-1], model.response(frame), weight, deparse(formula[[2]]))
  options <- settings(prefer, cost, require, measure, trees, tune_forest, min_leaf, mtry, calibrate, seed, threads, ...)
  answer <- tell(ask("cross_validate", list(
    table = rows$table, options = c(options, rows$options), judge = list(folds = folds, repeats = repeats),
    want = list("html"), title = title), rows$buffers))
  page <- rawToChar(answer$data[[answer$result$html + 1]])
  Encoding(page) <- "UTF-8"
  structure(class = "rfpragma_cv", list(
    report = answer$result$report, classes = unlist(answer$result$classes), measure = answer$result$measure,
    findings = answer$result$findings, page = page))
}

print.rfpragma_cv <- function(x, ...) {
  of <- function(rule) x$report$rules[[rule]]
  loss <- function(rule) if (is.null(rule$loss)) rule$pragma else rule$loss
  cat(sprintf("Expect on new rows: loss by %s %.4g, plain vote %.4g\n", x$measure, loss(of("tuned")), loss(of("plain"))))
  percent <- function(v, interval) {
    if (is.null(v)) return("-")
    if (is.null(interval)) return(sprintf("%.3g %%", 100 * v))
    sprintf("%.3g %% (%.3g-%.3g)", 100 * v, 100 * interval[[1]], 100 * interval[[2]])
  }
  for (class in x$classes) {
    f <- of("tuned")$classes[[class]]
    cat(sprintf("  %s: found %s, right %s\n", class, percent(f$recall, f$recall_interval),
                percent(f$precision, f$precision_interval)))
  }
  for (f in x$findings) if (f$grade != "note") cat(sprintf("  %s: %s\n", f$grade, f$text))
  invisible(x)
}

report_html <- function(x, file) {
  writeLines(x$page, file, useBytes = TRUE)
  invisible(file)
}

tune_weights <- function(prob, truth, prefer = NULL, cost = NULL, require = NULL, measure = NULL, seed = 1, threads = 0,
                         ...) {
  if (is.null(colnames(prob))) stop("prob has no names of columns; name each as the class it is of", call. = FALSE)
  at <- match(as.character(truth), colnames(prob))
  if (anyNA(at)) stop("truth has ", truth[is.na(at)][1], ", and prob no such column", call. = FALSE)
  options <- settings(prefer, cost, require, measure, NULL, NULL, NULL, NULL, NULL, seed, threads, ...)
  answer <- tell(ask("tune",
    list(scores = list(classes = as.list(colnames(prob)), buffer = 0, truth = 1), options = options),
    list(writeBin(as.double(t(prob)), raw(), endian = "little"), writeBin(at - 1L, raw(), endian = "little"))))
  weights <- stats::setNames(unlist(answer$result$weights), colnames(prob))
  attr(weights, "expected") <- unlist(answer$result$expected)
  weights
}
