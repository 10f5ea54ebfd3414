def sell(stock, counts, *, price_of_each_one_of_all_these_goods=1.0):
    return stock.new_empty(stock.shape)
