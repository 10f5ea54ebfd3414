def right(x):
    return x + 1


class Built:
    pass
