from os import PathLike
from typing import Callable, Optional, Union

__version__: str

def reduce(
    data: Union[bytes, bytearray],
    test: Callable[[bytes], object],
    *,
    name: Optional[Union[str, PathLike[str]]] = None,
    language: Optional[str] = None,
    strategy: Optional[str] = None,
    jobs: int = 1,
    max_tests: Optional[int] = None,
    max_seconds: Optional[float] = None,
) -> bytes:
    """Return the smallest input found for which the test is true."""
