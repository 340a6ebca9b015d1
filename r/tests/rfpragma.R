library(rfpragma)

if (!rfpragma_available()) {
  cat("skipped: the command rfpragma is not there\n")
  quit(save = "no")
}
command <- function(...) system2(rfpragma:::binary(), c(...), stdout = TRUE, stderr = FALSE)

# 600 made-up rows, of all types of columns and with missing cells
set.seed(1)
n <- 600
ill <- runif(n) < 0.2
data <- data.frame(
  age = sample(20:80, n, TRUE), level = round(rnorm(n, ill), 3), sex = factor(sample(c("f", "m"), n, TRUE)),
  ward = ifelse(runif(n) < 0.1, NA, sample(c("A", "B", "C"), n, TRUE)), fever = runif(n) < 0.2 + 0.6 * ill)
data$level[sample(n, 20)] <- NA
data$class <- ifelse(ill, "ill", "well")

# the same rows and seed give the same model, byte for byte
folder <- tempfile("rfpragma")
dir.create(folder)
csv <- transform(data, fever = tolower(fever))
write.csv(csv, file.path(folder, "data.csv"), row.names = FALSE, na = "")
command("train", file.path(folder, "data.csv"), "--prefer", "ill", "--trees", "60", "--seed", "5", "-o",
        file.path(folder, "model.rfp"))
fit <- rfpragma(class ~ ., data, prefer = "ill", trees = 60, seed = 5, threads = 2)
file <- file.path(folder, "model.rfp")
stopifnot(identical(fit$model, readBin(file, "raw", file.size(file))))
unlink(folder, recursive = TRUE)

# predictions, also after the model went through a file, and of rows with levels that are new
p <- predict(fit, data, "prob")
stopifnot(dim(p) == c(n, 2), colnames(p) == c("ill", "well"), abs(rowSums(p) - 1) < 1e-9)
stopifnot(rowSums(predict(fit, data, "votes")) == 60, levels(predict(fit, data)) == c("ill", "well"))
stopifnot(mean(predict(fit, data)[ill] == "ill") > 0.9, fit$weights["well"] == 1, dim(fit$votes) == c(n, 2))
kept <- unserialize(serialize(fit, NULL))
rfpragma:::stop_worker()
stopifnot(identical(predict(kept, data, "prob"), p))
other <- transform(data[1:3, ], ward = "Z")
stopifnot(nrow(suppressWarnings(predict(fit, other, "prob"))) == 3)
invisible(capture.output(print(fit)))

# the other interface, weights of rows, costs
again <- rfpragma(data[names(data) != "class"], data$class, prefer = "ill", trees = 60, seed = 5)
stopifnot(identical(again$model, fit$model))
by_cost <- rfpragma(class ~ age + level, data, cost = c(ill = 50, well = 5), trees = 30, weight = rep(2, n))
costs <- matrix(c(0, 5, 50, 0), 2, dimnames = list(c("ill", "well"), NULL))
as_matrix <- rfpragma(class ~ age + level, data, cost = costs, trees = 30, weight = rep(2, n))
stopifnot(identical(by_cost$model, as_matrix$model))

# what to expect
cv <- cross_validate(class ~ ., data, folds = 3, prefer = "ill", trees = 40, title = "Wards")
said <- capture.output(print(cv))
stopifnot(any(grepl("ill: found", said)), grepl("Wards", cv$page), length(cv$findings) > 0)

# any model's probabilities
w <- tune_weights(fit$votes, data$class, prefer = "ill")
stopifnot(names(w) == c("ill", "well"), w["ill"] > w["well"], attr(w, "expected")["loss"] > 0)

# what is wrong is said in terms of R, and the next request is answered
caught <- tryCatch(rfpragma(class ~ ., data, prefer = "sick", trees = 5), rfpragma_error = identity)
stopifnot(inherits(caught, "rfpragma_option"), grepl("^prefer: ", conditionMessage(caught)))
caught <- tryCatch(rfpragma(class ~ ., data, trees = 0), error = conditionMessage)
stopifnot(grepl("trees is 0", caught))
caught <- tryCatch(rfpragma(class ~ ., transform(data, level = 1 / 0), trees = 5), error = conditionMessage)
stopifnot(grepl("ignore = \"level\"", caught), !grepl("--", caught))
before <- .Random.seed
invisible(predict(fit, data))
stopifnot(identical(before, .Random.seed))

# a process that ends, a command that is another program, and none
rfpragma:::stop_worker()
Sys.setenv(RFPRAGMA_BINARY = "/nowhere/rfpragma")
stopifnot(grepl("cannot be run", tryCatch(predict(fit, data), error = conditionMessage)))
