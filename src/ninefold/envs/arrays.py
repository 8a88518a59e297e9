"""The few things that array libraries do differently."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.core.messages import text

Array = Any  # of the library that a batch was made for


def library_named(name: str) -> ModuleType:
    """The library of a batch that was pickled, by its name: modules cannot be pickled."""
    return import_module(name)


def astype(library: ModuleType, array: Array, dtype: Any) -> Array:
    """The function of the standard, which PyTorch has as a method only."""
    return library.astype(array, dtype) if hasattr(library, "astype") else array.to(dtype)


def is_jax(library: ModuleType) -> bool:
    return library.__name__ == "jax.numpy"


def is_traced(library: ModuleType, *arrays: Array) -> bool:
    """True while JAX or PyTorch traces a function: its arrays have shapes and types, but no values."""
    if is_jax(library):
        from jax.core import Tracer

        return any(isinstance(array, Tracer) for array in arrays)
    return library.__name__ == "torch" and bool(library.compiler.is_compiling())


def is_integer(array: Array) -> bool:
    return str(array.dtype).rpartition(".")[2].startswith(("int", "uint"))


def signed(library: ModuleType, array: Array) -> Array:
    """Unsigned integers as signed ones; those that are too large become negative."""
    unsigned, bits = str(array.dtype).rpartition("uint")[1:]
    if not unsigned:
        return array
    return astype(library, array, library.int64 if bits == "64" else library.int32)


def take_rows(library: ModuleType, table: Array, index: Array) -> Array:
    """The rows of a table; PyTorch's function of the standard's name does something else."""
    if hasattr(library, "index_select"):
        return library.index_select(table, 0, index)
    if is_jax(library):  # without a check of every index
        return table.at[index].get(mode="promise_in_bounds")
    return library.take(table, index, axis=0)


def put(library: ModuleType, device: Any, array: npt.NDArray[Any]) -> Array:
    """A NumPy array as one of a library, on a device or on the library's default device."""
    return library.asarray(array, **device_argument(device))


def check_device(library: ModuleType, device: Any) -> None:
    """Refuse a device that a library does not have; every library raises an error of its own."""
    try:
        put(library, device, np.zeros(1, np.int32))
    except Exception as error:
        raise ValueError(text("envs.device", library=library.__name__, device=repr(device))) from error


def device_argument(device: Any) -> dict[str, Any]:
    """The keyword argument for a device; not every library has one, so it is left out for the default."""
    return {} if device is None else {"device": device}


def to_numpy(array: Array) -> npt.NDArray[Any]:
    """A copy on the CPU, or a view of an array that is there already."""
    if hasattr(array, "cpu"):  # PyTorch
        array = array.cpu()
    elif hasattr(array, "get"):  # CuPy
        array = array.get()
    return np.asarray(array) if hasattr(array, "__array__") else np.from_dlpack(array)


def device_of(array: Array) -> Any:
    """The device of an array; None if it has none, as while a function is traced."""
    try:
        return getattr(array, "device", None)
    except Exception:  # each library refuses it for traced values with an error of its own
        return None


def array_class(library: ModuleType, array: Array) -> type:
    """The class of a library's arrays, including traced ones."""
    return getattr(library, "ndarray", None) or type(array)
