# The process that does the work. It connects to a socket of this session and answers requests: frames of a header in
# JSON and binary buffers, as docs/pipe.md of the repository describes them.

worker <- new.env(parent = emptyenv())
worker$connection <- NULL
worker$number <- 0

binary <- function() {
  name <- if (.Platform$OS.type == "windows") "rfpragma.exe" else "rfpragma"
  found <- c(Sys.getenv("RFPRAGMA_BINARY"), system.file("bin", name, package = "rfpragma"), unname(Sys.which("rfpragma")))
  found <- found[nzchar(found)]
  if (length(found) == 0) {
    stop("the command rfpragma is not found; put it on the PATH, or name it by the environment variable ",
         "RFPRAGMA_BINARY", call. = FALSE)
  }
  if (file.access(found[1], 1) != 0) {
    stop("'", found[1], "' cannot be run; name the command rfpragma by the environment variable RFPRAGMA_BINARY",
         call. = FALSE)
  }
  found[1]
}

rfpragma_available <- function() !inherits(try(binary(), silent = TRUE), "try-error")

# Opens a socket on a free port. Ports come from the clock: drawing them would change the random numbers of the session.
listen <- function() {
  from <- as.integer((as.numeric(Sys.time()) * 1e3 + Sys.getpid()) %% 20000)
  for (i in 0:199) {
    port <- 30000L + (from + i) %% 20000L
    socket <- tryCatch(suppressWarnings(serverSocket(port)), error = function(e) NULL)
    if (!is.null(socket)) return(list(socket = socket, port = port))
  }
  stop("no free port for the process that does the work", call. = FALSE)
}

start <- function() {
  path <- binary()
  at <- listen()
  on.exit(close(at$socket))
  secret <- paste0(basename(tempfile("")), basename(tempfile("")))
  Sys.setenv(RFPRAGMA_PIPE_SECRET = secret)
  on.exit(Sys.unsetenv("RFPRAGMA_PIPE_SECRET"), add = TRUE)
  system2(path, c("pipe", "--connect", at$port), wait = FALSE, stdout = FALSE, stderr = FALSE)
  wrong <- function(e) {
    stop("'", path, "' does not answer as rfpragma does; is it another program?", call. = FALSE)
  }
  connection <- tryCatch(
    suppressWarnings(socketAccept(at$socket, blocking = TRUE, open = "a+b", timeout = 30)), error = wrong)
  told <- tryCatch(readBin(connection, "raw", nchar(secret)), error = function(e) raw(0))
  if (!identical(told, charToRaw(secret))) {
    close(connection)
    wrong()
  }
  socketTimeout(connection, 1e7) # a fit takes as long as it takes
  worker$connection <- connection
  version <- ask("version")$result$protocol
  if (!identical(as.integer(version), 1L)) {
    stop_worker()
    stop("'", path, "' speaks version ", version, " of the protocol, and this package 1; install versions that belong ",
         "together", call. = FALSE)
  }
}

stop_worker <- function() {
  if (!is.null(worker$connection)) try(close(worker$connection), silent = TRUE)
  worker$connection <- NULL
}

read_bytes <- function(n) {
  parts <- list()
  while (n > 0) {
    part <- readBin(worker$connection, "raw", min(n, 2^24))
    if (length(part) == 0) {
      stop("the process that does the work has ended, as it does when memory runs out or it is killed; use fewer rows, ",
           "columns or trees, or more memory", call. = FALSE)
    }
    parts[[length(parts) + 1]] <- part
    n <- n - length(part)
  }
  if (length(parts) == 1) parts[[1]] else do.call(c, c(list(raw(0)), parts))
}

little <- function(n, bytes) as.raw(floor(n / 256^(seq_len(bytes) - 1)) %% 256)
number <- function(raw) sum(as.numeric(raw) * 256^(seq_along(raw) - 1))
fill <- function(n) raw((-n) %% 8)

# Asks and returns the result and the buffers. Whatever interrupts it ends the process.
ask <- function(op, fields = list(), buffers = list()) {
  if (is.null(worker$connection)) start()
  done <- FALSE
  on.exit(if (!done) stop_worker())
  worker$number <- worker$number + 1
  lengths <- vapply(buffers, length, 0)
  request <- c(list(id = worker$number, op = op, buffers = as.list(lengths)), fields)
  header <- charToRaw(enc2utf8(as.character(
    jsonlite::toJSON(request, auto_unbox = TRUE, digits = I(17), null = "null", na = "null"))))
  body <- do.call(c, c(list(raw(0)), lapply(buffers, function(b) c(b, fill(length(b))))))
  frame <- c(charToRaw("RFP1"), little(length(header), 4), little(length(body), 8), header, body)
  suppressWarnings(writeBin(frame, worker$connection))
  head <- read_bytes(16)
  if (!identical(head[1:4], charToRaw("RFP1"))) stop("the process that does the work answers nonsense", call. = FALSE)
  text <- rawToChar(read_bytes(number(head[5:8])))
  Encoding(text) <- "UTF-8"
  answer <- jsonlite::fromJSON(text, simplifyVector = FALSE)
  body <- read_bytes(number(head[9:16]))
  done <- TRUE
  if (!is.null(answer$error)) fail(answer$error)
  at <- 0
  answer$data <- lapply(answer$buffers, function(n) {
    part <- body[at + seq_len(n)]
    at <<- at + n + length(fill(n))
    part
  })
  answer
}

# Options stand in braces in messages, to be named as the reader knows them.
in_r <- function(text) {
  names <- c(trees = "trees", "min-leaf" = "min_leaf", mtry = "mtry", prefer = "prefer", cost = "cost", require = "require",
             measure = "measure", folds = "folds", seed = "seed", threads = "threads", "own votes" = "sure_share = 0")
  found <- gregexpr('\\{[a-z][a-z -]*(="([^"\\\\]|\\\\.)*")?\\}', text)
  regmatches(text, found) <- lapply(regmatches(text, found), function(all) {
    vapply(all, function(one) {
      name <- sub("[=}].*", "", substring(one, 2))
      value <- if (grepl("=", one, fixed = TRUE)) sub("\\}$", "", sub("^[^=]*=", "", one)) else ""
      known <- if (name %in% names(names)) names[[name]] else gsub("-", "_", name)
      if (nzchar(value)) paste(known, "=", value) else known
    }, "")
  })
  text
}

fail <- function(error) {
  condition <- structure(
    class = c(paste0("rfpragma_", error$code), "rfpragma_error", "error", "condition"),
    list(message = in_r(error$message), call = NULL, code = error$code, column = error$column, row = error$row))
  stop(condition)
}

tell <- function(answer) {
  for (w in answer$warnings) warning(in_r(w$text), call. = FALSE)
  invisible(answer)
}

.onUnload <- function(libpath) stop_worker()
