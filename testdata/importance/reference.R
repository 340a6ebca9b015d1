# Permutation importance of R's randomForest, for TestImportanceOfR.
# Rscript reference.R      (made with R 4, randomForest 4.7-1.1; writes data.csv and reference.csv here)
# Three classes hang on strong and, less, on weak and kind; twin and copy tell the same; noise tells nothing.
suppressMessages(library(randomForest))
set.seed(11)
n <- 400
strong <- round(rnorm(n), 3)
twin <- round(rnorm(n), 3)
weak <- round(rnorm(n), 3)
kind <- sample(c("p", "q", "r"), n, replace = TRUE)
noise <- round(rnorm(n), 3)
s <- 2 * strong + twin + 0.7 * weak + c(p = -0.8, q = 0, r = 0.8)[kind] + rnorm(n, sd = 0.6)
class <- cut(s, c(-Inf, -1.5, 1, Inf), labels = c("a", "b", "c"))
data <- data.frame(strong, twin, copy = twin, weak, kind, noise, class)
write.csv(data, "data.csv", row.names = FALSE, quote = FALSE)
data$kind <- factor(data$kind)
forests <- lapply(1:10, function(seed) {
  set.seed(seed)
  forest <- randomForest(class ~ ., data, ntree = 1000, importance = TRUE)
  list(accuracy = importance(forest, type = 1, scale = FALSE)[, 1], gini = importance(forest, type = 2)[, 1])
})
accuracy <- sapply(forests, `[[`, "accuracy")
gini <- rowMeans(sapply(forests, `[[`, "gini"))
write.csv(data.frame(
  feature = rownames(accuracy), accuracy = signif(rowMeans(accuracy), 5),
  sd = signif(apply(accuracy, 1, sd), 3), impurity = signif(gini / sum(gini), 5)
), "reference.csv", row.names = FALSE, quote = FALSE)
