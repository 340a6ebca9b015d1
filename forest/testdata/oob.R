# Out-of-bag error of randomForest (Breiman, Cutler, Liaw, Wiener) on public sets, for oob.csv:
#
#   Rscript oob.R FOLDER > oob.csv
#
# FOLDER holds the sets as NAME/NAME.csv, the label last, in a column named class. They have no
# missing cells and no categories. Of letter every fifth row is taken, the first among them.
# Mean and standard deviation are those of 20 seeds, the error that of all trees.

library(randomForest)

folder <- commandArgs(trailingOnly = TRUE)[1]
trees <- 100
seeds <- 1:20

cat("set,rows,trees,mtry,seeds,mean,sd,version\n")
for (name in c("satimage", "letter", "vehicle", "phoneme", "pima", "mammography")) {
  data <- read.csv(file.path(folder, name, paste0(name, ".csv")))
  if (name == "letter") data <- data[seq(1, nrow(data), 5), ]
  x <- as.matrix(data[, names(data) != "class"])
  y <- factor(as.character(data$class))
  mtry <- floor(sqrt(ncol(x)))
  error <- sapply(seeds, function(seed) {
    set.seed(seed)
    unname(randomForest(x, y, ntree = trees, mtry = mtry)$err.rate[trees, "OOB"])
  })
  cat(sprintf("%s,%d,%d,%d,%d,%.6f,%.6f,randomForest %s\n", name, nrow(x), trees, mtry, length(seeds),
              mean(error), sd(error), packageVersion("randomForest")))
}
