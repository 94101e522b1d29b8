"""Names for type annotations, which have no effect."""


class _Any:
    def __getitem__(self, item):
        return self

    def __call__(self, *arguments):
        return arguments[-1] if arguments else self


Any = Callable = Dict = Final = Generic = Iterable = Iterator = List = Literal = Optional = _Any()
Sequence = Set = Tuple = Type = TypeVar = Union = cast = _Any()
TYPE_CHECKING = False
