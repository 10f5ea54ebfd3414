class Built:
    pass
