# Write a forest of ranger for rfpragma import; data are the rows that it was grown on.
export <- function(model, data, path) {
  f <- model$forest
  features <- f$independent.variable.names
  levels <- lapply(Filter(is.factor, as.list(data)[features]), levels)
  if (!is.null(f$covariate.levels)) levels[] <- f$covariate.levels[match(names(levels), features)] # as it ordered them
  exact <- function(x) I(sprintf("%.17g", x))
  trees <- lapply(seq_len(f$num.trees), function(t) {
    tree <- list(left = f$child.nodeIDs[[t]][[1]], right = f$child.nodeIDs[[t]][[2]],
                 feature = f$split.varIDs[[t]], at = exact(f$split.values[[t]]))
    if (!is.null(f$terminal.class.counts)) tree$counts <- lapply(f$terminal.class.counts[[t]], exact)
    lapply(tree, I)
  })
  out <- list(format = "ranger", version = as.character(packageVersion("ranger")), classes = I(f$levels),
              class_values = I(f$class.values), features = I(features), levels = lapply(levels, I),
              ordered = I(f$is.ordered), trees = trees)
  if (!length(levels)) out$levels <- NULL
  jsonlite::write_json(out, path, auto_unbox = TRUE)
}
