# Reference values for the maps of calib that reference.R leaves out, from R's glm, optimize and isoreg.
#   Rscript maps.R        (made with R 4.2.2; reads r.csv, writes maps.csv here)
# Columns of maps.csv: the case of r.csv, a score of it, and the probability there by beta
# calibration and by temperature (empty where a score is outside [0, 1]), both with Platt's
# targets, and by centred isotonic regression.
epsilon <- 1e-15
clip <- function(s) pmin(pmax(s, epsilon), 1 - epsilon)

target <- function(hit, w) {
  plus <- sum(w[hit == 1]); minus <- sum(w[hit == 0])
  ifelse(hit == 1, (plus + 1) / (plus + 2), 1 / (minus + 2))
}

beta <- function(s, hit, w) {
  x <- cbind(log(clip(s)), -log1p(-clip(s)))
  t <- target(hit, w)
  fit <- function(use) suppressWarnings(glm.fit(cbind(1, x[, use, drop = FALSE]), t, w, family = binomial(),
    control = glm.control(epsilon = 1e-15, maxit = 500)))
  # The loss by the linear predictor e: glm's deviance takes probabilities next to 1 for 1.
  loss <- function(e) sum(w * (log1p(exp(-abs(e))) + pmax(e, 0) - t * e))
  best <- NULL
  for (use in list(1:2, 1, 2, integer(0))) { # the best of those without a negative coefficient
    f <- fit(use)
    if (all(f$coefficients[-1] >= 0) && (is.null(best) || loss(f$linear.predictors) < loss(best$linear.predictors) - 1e-9)) best <- f
  }
  best$fitted.values
}

temperature <- function(s, hit, w) {
  z <- log(clip(s)) - log1p(-clip(s))
  t <- target(hit, w)
  loss <- function(x) sum(w * (log1p(exp(-abs(x * z))) + pmax(x * z, 0) - t * x * z))
  x <- optimize(loss, c(0, 100), tol = 1e-12)$minimum
  plogis(x * z)
}

# Blocks of isoreg, each at its weighted mean score; those of value 0 and 1 keep their ends.
centred <- function(s, hit, w) {
  i <- rep(seq_along(s), w)
  i <- i[order(s[i])]
  pooled <- tapply(hit[i], s[i], mean); n <- as.numeric(table(s[i])); x <- sort(unique(s[i]))
  value <- isoreg(s[i], ave(hit[i], s[i]))$yf[match(x, s[i])]
  block <- cumsum(c(TRUE, diff(value) > 1e-12))
  knots <- do.call(rbind, lapply(split(seq_along(x), block), function(b) {
    v <- value[b[1]]
    if (v < 1e-12 || v > 1 - 1e-12) cbind(x[b], v) else cbind(sum(x[b] * n[b]) / sum(n[b]), v)
  }))
  if (nrow(knots) == 1) return(rep(knots[1, 2], length(s)))
  approx(knots[, 1], knots[, 2], s, rule = 2)$y
}

rows <- read.csv("r.csv")
out <- do.call(rbind, lapply(unique(rows$case), function(name) {
  d <- rows[rows$case == name, ]
  shares <- all(d$score >= 0 & d$score <= 1)
  data.frame(case = name, score = d$score, beta = if (shares) beta(d$score, d$hit, d$weight) else NA,
    temperature = if (shares) temperature(d$score, d$hit, d$weight) else NA, centred = centred(d$score, d$hit, d$weight))
}))
out[-1] <- lapply(out[-1], function(v) ifelse(is.na(v), "", sprintf("%.17g", v)))
write.csv(out, "maps.csv", row.names = FALSE, quote = FALSE)
