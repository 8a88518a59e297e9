"""Tables for pandas, which is imported only when one is asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from ninefold.core.errors import NotAllowed

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame


def data_frame(columns: Mapping[str, Sequence[object]], *, integers: Collection[str] = ()) -> DataFrame:
    """A table of columns; ``integers`` names those of whole numbers in which some may be missing."""
    try:
        import pandas as pd
    except ImportError:
        raise NotAllowed("no_pandas") from None
    return pd.DataFrame(dict(columns)).astype(dict.fromkeys(integers, "Int64"))
