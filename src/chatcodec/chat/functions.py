"""placeholder."""


def describe_function(f, index):
    raise NotImplementedError
