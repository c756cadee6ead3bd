# A small stock table.
library(stats)

limit <- 0x10
names <- c("apple", "pear", 'dried "fig"')
prices <- c(apple = 3, pear = 4.5, fig = 1.2e1)
counts = list(1L, NULL, TRUE, NA, Inf)

stock <- data.frame(
  name = names,
  price = unname(prices),
  stringsAsFactors = FALSE
)

# Adds a row at the end.
add_item <- function(table, name, price = 1, ...) {
  if (price < 0 || !is.character(name)) {
    stop("bad item: \"", name, "\"\n")
  } else if (nrow(table) >= limit) {
    warning("the table is full")
    return(table)
  } else {
    message(sprintf("adding %s", name))
  }
  rbind(table, data.frame(name = name, price = price, ...))
}

total <- function(values, weights = rep(1, length(values))) {
  sum <- 0
  for (i in seq_along(values)) {
    if (is.na(values[i])) next
    sum <- sum + values[[i]] * weights[i]
  }
  sum
}

`%+%` <- function(a, b) paste0(a, b)

describe <- function(kind) switch(kind,
  fresh = "use soon",
  frozen = ,
  dried = "keeps long",
  "unknown"
)

stock <- add_item(stock, "nut", price = 7)
stock$cost <- stock$price * 2 ^ 3 %% 5
stock[stock$price > 4 & stock$name != "fig", "cost"] <- -1
stock[["size"]] <- ifelse(stock$price >= 4, "large", "small")

n <- 10
while (n > 0) {
  n <- n - 3
  if (n == 4) break
}

repeat {
  n <- n + 1
  if (n > 5 && TRUE) break
}

result <- tryCatch({
  total(stock$price, weights = 1:4)
}, error = function(e) {
  conditionMessage(e)
}, finally = cat("done\n"))

squares <- sapply(1:5, \(x) x^2)
model <- lm(cost ~ price + I(price^2), data = stock)
shown <- squares |> rev() |> head(n = 2)
base::print(names[-1] %+% "\t")
apply(matrix(1:6, nrow = 2), 1, function(row) max(row) %in% c(5, 6))
"last" -> label
invisible(lapply(counts, is.null))
