# Columns as the other side takes them: numbers as they are, factors and texts as indices of levels.
encode <- function(x, name = "data") {
  columns <- list()
  buffers <- list()
  for (column in names(x)) {
    coded <- encode_column(x[[column]], column)
    columns[[length(columns) + 1]] <- c(list(name = column, buffer = length(buffers)), coded$is)
    buffers[[length(buffers) + 1]] <- coded$bytes
  }
  list(table = list(name = name, rows = nrow(x), columns = columns), buffers = buffers)
}

encode_column <- function(v, name) {
  category <- function(v) {
    codes <- as.integer(v) - 1L
    codes[is.na(codes)] <- -1L
    list(is = list(type = "category", levels = as.list(enc2utf8(levels(v)))), bytes = writeBin(codes, raw(), endian = "little"))
  }
  if (inherits(v, c("Date", "POSIXt"))) v <- format(v)
  if (is.logical(v)) {
    v <- factor(ifelse(v, "true", "false"), c("false", "true"))
  } else if (is.character(v)) {
    v <- factor(v)
  }
  if (is.factor(v)) return(category(v))
  if (!is.numeric(v) || !is.null(dim(v))) {
    stop("column ", name, " holds ", class(v)[1], ", which is neither a number nor a category; make columns of numbers of ",
         "what matters of it", call. = FALSE)
  }
  if (is.integer(v) && !anyNA(v)) {
    return(list(is = list(type = "int32"), bytes = writeBin(as.integer(v), raw(), endian = "little")))
  }
  list(is = list(type = "float64"), bytes = writeBin(as.double(v), raw(), endian = "little"))
}

doubles <- function(bytes) readBin(bytes, "double", length(bytes) / 8, size = 8, endian = "little")

by_class <- function(bytes, classes) {
  matrix(doubles(bytes), ncol = length(classes), byrow = TRUE, dimnames = list(NULL, classes))
}
