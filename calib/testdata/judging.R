# Reference values for the judging half of calib, on the rows of judging.csv (see judging.py):
# CORP by reliabilitydiag, slope and intercept by glm, and again with Spiegelhalter's z by rms,
# the standard error of the AUC by pROC, net benefit, binned Murphy parts and the standard errors
# of the scores by their formulas over the rows.
#   Rscript judging.R     (made with R 4.2.2, reliabilitydiag 0.2.1, rms 6.5-0, pROC 1.18.0; writes judging-r.csv and
#                         judging-band.csv here)
# Whole weights are rows repeated; real weights are known to glm alone. Cells without a value are empty.
suppressMessages({ library(reliabilitydiag); library(rms); library(pROC) })
all <- read.csv("judging.csv")
clip <- function(p) pmin(pmax(p, 1e-15), 1 - 1e-15)
# 0 log 0 is 0: a recalibrated probability of 0 or 1 is never wrong on its own rows.
logarithmic <- function(y, p) ifelse(y == 1, -log(p), -log1p(-p))

one <- function(rows) {
  out <- list()
  y <- rows$hit; w <- rows$weight; x <- qlogis(clip(rows$prob))
  fit <- function(f) suppressWarnings(glm(f, weights = w, family = binomial(), control = glm.control(epsilon = 1e-15, maxit = 100)))
  a <- summary(fit(y ~ offset(x)))$coefficients; b <- summary(fit(y ~ x))$coefficients
  out$intercept <- a[1, 1]; out$intercept_se <- a[1, 2]; out$slope <- b[2, 1]; out$slope_se <- b[2, 2]
  if (any(w != round(w))) return(out)
  i <- rep(seq_along(y), w); y <- y[i]; p <- rows$prob[i]
  r <- reliabilitydiag(p, y = y, region.level = NA)
  s <- summary(r)
  out[c("brier", "mcb", "dsc", "unc")] <- unlist(s[1, c("mean_score", "miscalibration", "discrimination", "uncertainty")])
  s <- summary(r, score = function(y, p) logarithmic(y, if (identical(p, r[[1]]$cases$x)) clip(p) else p))
  out[c("log_loss", "log_mcb", "log_dsc", "log_unc")] <- unlist(s[1, c("mean_score", "miscalibration", "discrimination", "uncertainty")])
  out$curve <- nrow(unique(r[[1]]$cases["CEP_pav"]))
  if (all(p > 0 & p < 1)) {
    v <- val.prob(p, y, pl = FALSE)
    out$z <- v[["S:z"]]; out$slope_rms <- v[["Slope"]]
  }
  for (t in c(0.1, 0.35)) out[[paste0("benefit_", t)]] <- (sum(p >= t & y == 1) - sum(p >= t & y == 0) * t / (1 - t)) / length(y)
  # Murphy's parts on five bins: reliability, resolution, variance and covariance within.
  bin <- findInterval(p, (0:5) / 5, rightmost.closed = TRUE)
  mp <- ave(p, bin); my <- ave(y, bin)
  out$reliability <- mean((mp - my)^2); out$resolution <- mean((my - mean(y))^2)
  out$within <- mean((p - mp)^2) - 2 * mean((p - mp) * (y - my))
  out$ece <- mean(abs(mp - my))
  n <- length(y); q <- clip(p)
  out$brier_se <- sd((p - y)^2) / sqrt(n)
  out$log_loss_se <- sd(ifelse(y == 1, -log(q), -log(clip(1 - p)))) / sqrt(n)
  out$auc_se <- sqrt(var(roc(y, p, direction = "<", quiet = TRUE)))
  out
}

names <- unique(all$case)
figures <- lapply(names, function(n) one(all[all$case == n, ]))
columns <- names(figures[[1]])
table <- do.call(rbind, lapply(seq_along(names), function(k)
  data.frame(case = names[k], t(sapply(columns, function(c) if (is.null(figures[[k]][[c]])) "" else sprintf("%.17g", figures[[k]][[c]]))), check.names = FALSE)))
write.csv(table, "judging-r.csv", row.names = FALSE, quote = FALSE)

# What the recalibrated shares of the votes are in 90 % of 5000 draws as if they were right, and
# how often their MCB is at least the one seen, by isoreg and rbinom; judging-band.csv. Equal
# probabilities are pooled as their hits come first.
set.seed(5)
drawn <- function(p, y) {
  i <- order(p, -y)
  fit <- isoreg(y[i])$yf
  list(share = fit[match(sort(unique(p)), p[i])], mcb = mean((p - y)^2) - mean((fit - y[i])^2))
}
band <- do.call(rbind, lapply(c("votes", "calibrated"), function(n) {
  p <- all$prob[all$case == n]; seen <- drawn(p, all$hit[all$case == n])$mcb
  draws <- lapply(1:5000, function(k) drawn(p, rbinom(length(p), 1, p)))
  q <- apply(sapply(draws, `[[`, "share"), 1, quantile, c(0.05, 0.95), type = 1)
  data.frame(case = n, prob = sort(unique(p)), low = q[1, ], high = q[2, ], p = mean(sapply(draws, `[[`, "mcb") >= seen))
}))
band[-1] <- lapply(band[-1], function(v) sprintf("%.17g", v))
write.csv(band, "judging-band.csv", row.names = FALSE, quote = FALSE)
