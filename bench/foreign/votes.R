# Votes of R's randomForest, in the form that rfpragma tunes. Arguments and files are those of votes.py:
#
#   Rscript votes.R TRAIN.csv NEW.csv OOB.csv VOTES.csv

library(randomForest)
args <- commandArgs(TRUE)
train <- read.csv(args[1], stringsAsFactors = TRUE)
new <- read.csv(args[2], stringsAsFactors = TRUE)
for (column in names(train)) if (is.factor(train[[column]])) new[[column]] <- factor(new[[column]], levels(train[[column]]))
train <- na.roughfix(train) # randomForest takes no missing cells
new <- na.roughfix(new)

set.seed(1)
forest <- randomForest(class ~ ., train, ntree = 300, norm.votes = FALSE)
written <- function(votes, labels, path) write.csv(data.frame(class = labels, votes, check.names = FALSE), path, row.names = FALSE, quote = FALSE)
written(forest$votes, train$class, args[3])
written(predict(forest, new, type = "vote", norm.votes = FALSE), new$class, args[4])
