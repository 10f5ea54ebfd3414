def pack(goods):
    return goods


class Built:
    pass
