"""A counter-based random number generator, the same in every array library and in ``native/batch/counter_rng.hpp``.

A number depends on the seed, the counter of the step and the number of the game alone, in 32-bit integers that wrap
around. There is no state, so any game can be stepped anywhere and in any order.
"""

from __future__ import annotations

from typing import Any

WORD = 2**32
_FIRST, _SECOND = 0x7FEB352D, 0x846CA68B
_COUNTER, _GAME = 0x9E3779B9, 0x9E3779B1


def signed(word: int) -> int:
    """The same 32 bits as a signed number."""
    return (word + WORD // 2) % WORD - WORD // 2


def mix_bits(word: int) -> int:
    """A bijection of 32-bit words whose every output bit depends on every input bit.

    >>> [hex(mix_bits(word)) for word in (0, 1, 2)]
    ['0x0', '0x688990c0', '0xd1132181']
    """
    word = (word ^ word >> 16) * _FIRST % WORD
    word = (word ^ word >> 15) * _SECOND % WORD
    return word ^ word >> 16


def _mix_array(words: Any) -> Any:
    """The same for an array of int32, where a shift to the right brings in copies of the sign."""
    words = (words ^ (words >> 16 & 0xFFFF)) * signed(_FIRST)
    words = (words ^ (words >> 15 & 0x1FFFF)) * signed(_SECOND)
    return words ^ (words >> 16 & 0xFFFF)


def counter_key(seed: Any, counter: Any) -> Any:
    """The random state that all games share at one step. Both are ints, or integer arrays of one number."""
    seeded = signed(mix_bits(seed % WORD)) if isinstance(seed, int) else _mix_array(seed)
    counted = signed(counter * _COUNTER) if isinstance(counter, int) else counter * signed(_COUNTER)
    if isinstance(seed, int) and isinstance(counter, int):
        return signed(mix_bits((seeded + counted) % WORD))
    return _mix_array(seeded + counted)


def random_bits(key: Any, games: Any) -> Any:
    """Thirty-two random bits for each of the games, given by number in an int32 array."""
    # The numbers may be a range, whose product PyTorch compiles to a range of larger steps, in C++ that must not
    # overflow. Of a range with all its bits taken it knows nothing, and multiplies numbers, which wrap.
    return _mix_array((games & -1) * signed(_GAME) ^ key)


def random_below(bits: Any, count: Any) -> Any:
    """Numbers from 0 to count - 1, by the upper sixteen bits; a count is at most 32,767. Of 65,536 such bits, each of
    81 numbers gets 809 or 810."""
    return (bits >> 16 & 0xFFFF) * count >> 16
