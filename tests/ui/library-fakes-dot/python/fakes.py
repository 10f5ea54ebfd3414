def sell(x):
    return x.new_empty(x.shape)
