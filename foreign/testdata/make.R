# Models of ranger and what they say of rows, for the tests of package foreign:
#
#   Rscript make.R ROWS.csv FOLDER
#
# Rows have a column class; all are grown on, and all are answered for.

library(ranger)
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source(file.path(here, "ranger_json.R"))
args <- commandArgs(TRUE)
trees <- if (length(args) > 2) as.integer(args[3]) else 5
rows <- read.csv(args[1], stringsAsFactors = TRUE, check.names = FALSE, na.strings = c("", "?"))
names(rows) <- gsub(" ", "_", names(rows))
rows$class <- factor(rows$class)
rows <- rows[colMeans(is.na(rows)) < 0.3] # its version 0.14 takes no missing cells
rows <- rows[complete.cases(rows), ]
rows <- droplevels(rows[ave(seq_len(nrow(rows)), rows$class, FUN = length) > 4, ])
grown <- rows[seq_len(nrow(rows)) %% 2 == 1, ]
write <- function(name, model, scores) {
  export(model, grown, file.path(args[2], paste0(name, ".json")))
  jsonlite::write_json(list(rows = jsonlite::unbox("complete.csv"), features = model$forest$independent.variable.names, classes = levels(rows$class), scores = matrix(sprintf("%.17g", scores), nrow(scores))),
                       file.path(args[2], paste0(name, ".scores.json")), auto_unbox = FALSE)
}
grow <- function(...) ranger(dependent.variable.name = "class", data = grown, num.trees = trees, seed = 1, num.threads = 1, ...)
shares <- grow(probability = TRUE, min.node.size = 10)
write("ranger-probability", shares, predict(shares, rows)$predictions[, levels(rows$class)])
for (how in c("ignore", "order", "partition")) {
  if (how == "partition" && any(sapply(rows, function(x) is.factor(x) && nlevels(x) > 20))) next
  votes <- grow(respect.unordered.factors = how)
  each <- predict(votes, rows, predict.all = TRUE)$predictions
  counts <- sapply(seq_along(votes$forest$levels), function(k) rowSums(each == k)) / trees
  colnames(counts) <- votes$forest$levels
  write(paste0("ranger-votes-", how), votes, counts[, levels(rows$class)])
}
write.csv(rows, file.path(args[2], "complete.csv"), row.names = FALSE, na = "", quote = FALSE)
