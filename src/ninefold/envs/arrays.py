"""The few things that array libraries do not do alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from operator import index
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

Array = Any  # of the library that a batch was made for


def astype(library: ModuleType, array: Array, dtype: Any) -> Array:
    """The standard's function; PyTorch has it as a method alone."""
    return library.astype(array, dtype) if hasattr(library, "astype") else array.to(dtype)


def is_integer(array: Array) -> bool:
    return str(array.dtype).rpartition(".")[2].startswith(("int", "uint"))


def signed(library: ModuleType, array: Array) -> Array:
    """Unsigned integers as signed ones; those that are too large become negative."""
    unsigned, bits = str(array.dtype).rpartition("uint")[1:]
    if not unsigned:
        return array
    return astype(library, array, library.int64 if bits == "64" else library.int32)


def rows(library: ModuleType, table: Array, index: Array) -> Array:
    """The rows of a table; PyTorch's function of the standard's name does something else."""
    if hasattr(library, "index_select"):
        return library.index_select(table, 0, index)
    return library.take(table, index, axis=0)


def put(library: ModuleType, device: Any, array: npt.NDArray[Any]) -> Array:
    """A NumPy array as one of a library, on a device or where the library likes it best."""
    return library.asarray(array, **placed(device))


def check_device(library: ModuleType, device: Any) -> None:
    """Libraries refuse a device in as many ways as they name them."""
    try:
        put(library, device, np.zeros(1, np.int32))
    except Exception as error:
        raise ValueError(
            f"{library.__name__} has no device {device!r}. A device is named as its library does: "
            "'cpu' in NumPy, 'cpu' or 'cuda:0' in PyTorch, jax.devices('cpu')[0] in JAX."
        ) from error


def placed(device: Any) -> dict[str, Any]:
    """Not every library takes a device; where none is asked for, none is named."""
    return {} if device is None else {"device": device}


def to_numpy(array: Array) -> npt.NDArray[Any]:
    """A copy on the CPU, or a view of what is there already."""
    if hasattr(array, "cpu"):  # PyTorch
        array = array.cpu()
    elif hasattr(array, "get"):  # CuPy
        array = array.get()
    return np.asarray(array) if hasattr(array, "__array__") else np.from_dlpack(array)


@contextmanager
def untraced() -> Iterator[None]:
    """Around what needs the numbers themselves: a library that traces a function has none, and errors of its own."""
    try:
        yield
    except TypeError as error:
        raise TypeError("jax.jit and jax.vmap cannot trace our own code. Call this outside of them.") from error


def whole(what: str, number: Any) -> int:
    """An integer of Python from one of any library, which may be an array without dimensions."""
    if not isinstance(number, int):
        with suppress(TypeError):
            return index(number)
    elif not isinstance(number, bool):
        return number
    raise TypeError(f"{what} is an integer, not {number!r}.")


def device_of(array: Array) -> Any:
    """The device of an array; None where it has none, as while a function is traced."""
    try:
        return getattr(array, "device", None)
    except Exception:  # each library refuses it for traced values with an error of its own
        return None


def kind_of(library: ModuleType, array: Array) -> type:
    """The class of a library's arrays, traced ones included."""
    return getattr(library, "ndarray", None) or type(array)
