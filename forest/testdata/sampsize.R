# Bags of so many rows of each class, randomForest (Breiman, Cutler, Liaw, Wiener), on public sets, for sampsize.csv:
#
#   Rscript sampsize.R FOLDER > sampsize.csv
#
# FOLDER holds the sets as NAME/NAME.csv, the label last, in a column named class. They have no
# missing cells and no categories. Rows of the classes are in the order of their names. Mean and standard
# deviation are those of 20 seeds: what is error, out of bag, or recall of the rarest class.

library(randomForest)

folder <- commandArgs(trailingOnly = TRUE)[1]
trees <- 100
seeds <- 1:20

cat("what,set,draws,once,trees,seeds,mean,sd,version\n")
show <- function(name, draws, once) {
  data <- read.csv(file.path(folder, name, paste0(name, ".csv")))
  x <- as.matrix(data[, names(data) != "class"])
  y <- factor(as.character(data$class))
  rare <- which.min(table(y))
  rate <- sapply(seeds, function(seed) {
    set.seed(seed)
    fit <- randomForest(x, y, ntree = trees, mtry = floor(sqrt(ncol(x))), strata = y, sampsize = draws, replace = !once)
    fit$err.rate[trees, c(1, 1 + rare)]
  })
  for (what in 1:2) {
    v <- if (what == 1) rate[1, ] else 1 - rate[2, ]
    cat(sprintf("%s,%s,%s,%s,%d,%d,%.6f,%.6f,randomForest %s\n", c("error", "recall")[what], name, paste(draws, collapse = " "),
                tolower(once), trees, length(seeds), mean(v), sd(v), packageVersion("randomForest")))
  }
}
show("pima", c(50, 200), FALSE)
show("pima", c(200, 50), TRUE)
show("vehicle", c(20, 150, 60, 199), FALSE)
show("mammography", c(400, 100), FALSE)
show("mammography", c(1000, 130), TRUE)
