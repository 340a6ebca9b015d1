# Reference values for calib, from R's glm, isoreg and prop.test.
#   Rscript reference.R        (made with R 4.2.2; writes r.csv and wilson.csv here)
# Columns of r.csv: the case, its rows, and the probability at each row by Platt's sigmoid on
# the raw score, by Platt's sigmoid on the log odds (empty where a score is outside [0, 1]),
# and by isotonic regression.
set.seed(20)
epsilon <- 1e-15

platt <- function(x, hit, w) {
  plus <- sum(w[hit == 1]); minus <- sum(w[hit == 0])
  target <- ifelse(hit == 1, (plus + 1) / (plus + 2), 1 / (minus + 2))
  fit <- suppressWarnings(glm(target ~ x, weights = w, family = binomial(),
    control = glm.control(epsilon = 1e-14, maxit = 200)))
  as.numeric(fitted(fit))
}

logit <- function(p) { p <- pmin(pmax(p, epsilon), 1 - epsilon); log(p) - log1p(-p) }

# isoreg knows no weights: whole weights are rows repeated.
isotonic <- function(score, hit, w) {
  i <- rep(seq_along(score), w)
  fit <- isoreg(score[i], hit[i])
  yf <- numeric(length(i))
  yf[if (fit$isOrd) seq_along(i) else fit$ord] <- fit$yf
  yf[match(seq_along(score), i)]
}

table <- function(name, score, hit, w = rep(1, length(score))) {
  shares <- all(score >= 0 & score <= 1)
  data.frame(case = name, score = score, hit = hit, weight = w, platt_raw = platt(score, hit, w),
    platt = if (shares) platt(logit(score), hit, w) else NA, isotonic = isotonic(score, hit, w))
}

share <- rbinom(80, 20, rbeta(80, 0.6, 0.9)) / 20
margin <- rnorm(60, 0, 2)
rare <- (rbinom(120, 200, rbeta(120, 0.5, 6)) + 0.5) / 201
all <- rbind(
  table("votes", share, rbinom(80, 1, 0.1 + 0.8 * share)),
  table("margins", margin, rbinom(60, 1, plogis(1.5 * margin - 0.4)), sample(1:4, 60, TRUE)),
  table("far from zero", margin * 1e3 + 5e6, rbinom(60, 1, plogis(margin))),
  table("tiny", margin * 1e-9, rbinom(60, 1, plogis(margin))),
  table("rare", rare, rbinom(120, 1, rare)),
  table("separated", (1:20) / 21, as.numeric(1:20 > 8)),
  table("backwards", share[1:30], rbinom(30, 1, 0.9 - 0.8 * share[1:30])))
all[-1] <- lapply(all[-1], function(v) ifelse(is.na(v), "", sprintf("%.17g", v)))
write.csv(all, "r.csv", row.names = FALSE, quote = FALSE)

cases <- data.frame(hits = c(0, 1, 3, 5, 10, 50, 309, 402, 1), n = c(10, 1, 10, 10, 10, 100, 3553, 875, 1000))
limits <- mapply(function(h, n) suppressWarnings(prop.test(h, n, correct = FALSE))$conf.int, cases$hits, cases$n)
write.csv(data.frame(cases, low = sprintf("%.17g", limits[1, ]), high = sprintf("%.17g", limits[2, ])),
  "wilson.csv", row.names = FALSE, quote = FALSE)
