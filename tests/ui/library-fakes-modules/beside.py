def something(x):
    return x
