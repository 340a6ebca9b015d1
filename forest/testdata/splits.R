# Root splits of other programs on public sets, for splits.csv:
#
#   Rscript splits.R FOLDER > splits.csv
#
# FOLDER holds the sets as NAME/NAME.csv, the label last, in a column named class. The sets have no
# missing cells and no categories. All rows and all features are taken. What is compared is which
# feature is cut, and how many rows have values up to the cut:
#
#   hellinger   ranger, splitrule "hellinger", which is for two classes
#   pragma      rpart with Gini and altered priors, a row of class c weighing
#               R/N_c + (sum of the P of the other classes)/(N - N_c), with R and P the products
#               of importance and slopes: 9 and 1 of the rarest class, 0.5 and 0.5 of the others

library(ranger)
library(rpart)

folder <- commandArgs(trailingOnly = TRUE)[1]
read <- function(name) {
  data <- read.csv(file.path(folder, name, paste0(name, ".csv")))
  data$class <- factor(as.character(data$class))
  data
}
show <- function(what, name, data, feature, cut, program) {
  cat(sprintf("%s,%s,%d,%s,%d,%s %s\n", what, name, nrow(data), feature, sum(data[[feature]] <= cut), program, packageVersion(program)))
}

cat("what,set,rows,feature,left,version\n")
for (name in c("pima", "phoneme", "mammography", "oil_spill", "ionosphere")) {
  data <- read(name)
  forest <- ranger(class ~ ., data, num.trees = 1, mtry = ncol(data) - 1, replace = FALSE, sample.fraction = 1,
                   splitrule = "hellinger", max.depth = 1, num.threads = 1, seed = 1)
  root <- treeInfo(forest)[1, ]
  show("hellinger", name, data, root$splitvarName, root$splitval, "ranger")
}
for (name in c("pima", "phoneme", "mammography", "oil_spill", "satimage", "vehicle", "glass")) {
  data <- read(name)
  n <- table(data$class)
  rare <- which.min(n)
  recall <- replace(rep(0.5, length(n)), rare, 9)
  precision <- replace(rep(0.5, length(n)), rare, 1)
  price <- recall / n + (sum(precision) - precision) / (sum(n) - n)
  prior <- as.vector(n * price / sum(n * price))
  prior[1] <- 1 - sum(prior[-1]) # rpart wants the sum to the last bit
  tree <- rpart(class ~ ., data, method = "class", parms = list(prior = prior, split = "gini"),
                control = rpart.control(minsplit = 2, minbucket = 1, cp = -1, maxdepth = 1, xval = 0, maxcompete = 0, maxsurrogate = 0))
  show("pragma", name, data, rownames(tree$splits)[1], tree$splits[1, "index"], "rpart")
}
