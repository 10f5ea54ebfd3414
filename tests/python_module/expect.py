"""What the scripts of this folder check with."""


def equal(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


def raises(kind, call, *arguments, **flags):
    try:
        made = call(*arguments, **flags)
    except kind as error:
        return str(error)
    raise AssertionError(f"{call} did not fail: {made}")
