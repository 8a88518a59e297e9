"""QR codes for the terminal, after ISO/IEC 18004: byte mode, versions 1 to 10, drawn with half blocks.

The error correction is of level M, or L if M has no room, as in the browser client (static/match/qr-code.js).
"""

from __future__ import annotations

from itertools import product, zip_longest

Modules = list[list[int]]  # rows of modules; 1 is dark

# By level and version: error correction codewords in a block, and how many blocks.
CORRECTION = {
    "L": ((7, 1), (10, 1), (15, 1), (20, 1), (26, 1), (18, 2), (20, 2), (24, 2), (30, 2), (18, 4)),
    "M": ((10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5)),
}
LEVEL_BITS = {"L": 1, "M": 0}
MASKS = (  # a mask inverts the modules where this is 0
    lambda x, y: (x + y) % 2,
    lambda _, y: y % 2,
    lambda x, _: x % 3,
    lambda x, y: (x + y) % 3,
    lambda x, y: (x // 3 + y // 2) % 2,
    lambda x, y: x * y % 2 + x * y % 3,
    lambda x, y: (x * y % 2 + x * y % 3) % 2,
    lambda x, y: ((x + y) % 2 + x * y % 3) % 2,
)
QUIET = 2  # light modules around the code: the standard has four, scanners need fewer


def qr_code(content: str) -> Modules | None:
    """The modules of the smallest code for a text; None for one that is too long."""
    data = content.encode()
    for level, version in product("ML", range(1, 11)):
        count = 8 if version < 10 else 16
        room = _data_capacity(version, level)
        if 4 + count + 8 * len(data) <= 8 * room:
            bits = f"0100{len(data):0{count}b}" + "".join(f"{byte:08b}" for byte in data)
            codewords = _interleave(_padded(bits, room), version, level)
            return min((_matrix(codewords, version, level, mask) for mask in range(8)), key=penalty)
    return None


def half_blocks(modules: Modules) -> list[str]:
    """A code with two modules a character, and light ones around it: to be shown dark on light."""
    side = [0] * QUIET
    width = len(modules) + 2 * QUIET
    rows = [[0] * width] * QUIET + [side + row + side for row in modules] + [[0] * width] * (QUIET + 1)
    pairs = zip(rows[::2], rows[1::2], strict=False)
    return ["".join(" ▀▄█"[up + 2 * down] for up, down in zip(upper, lower, strict=True)) for upper, lower in pairs]


# Codewords


def _data_capacity(version: int, level: str) -> int:
    """The bytes for data: all modules without function patterns, format information and error correction."""
    modules = (16 * version + 128) * version + 64
    if version >= 2:
        patterns = version // 7 + 2
        modules -= (25 * patterns - 10) * patterns - 55
    if version >= 7:
        modules -= 36
    correction, blocks = CORRECTION[level][version - 1]
    return modules // 8 - correction * blocks


def _padded(bits: str, room: int) -> list[int]:
    """The data as codewords, filled up."""
    bits = (bits + "0000")[: room * 8]
    codewords = [int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8)]
    return codewords + [(0xEC, 0x11)[n % 2] for n in range(room - len(codewords))]


def _interleave(codewords: list[int], version: int, level: str) -> list[int]:
    """Blocks of data, of which later ones may be one longer, and their error correction, codeword by codeword."""
    correction, count = CORRECTION[level][version - 1]
    short, longer = divmod(len(codewords), count)
    divisor = _generator(correction)
    blocks, start = list[list[int]](), 0
    for block in range(count):
        end = start + short + (block >= count - longer)
        blocks.append(codewords[start:end])
        start = end
    checks = [_remainder(block, divisor) for block in blocks]
    columns = [*zip_longest(*blocks), *zip_longest(*checks)]
    return [codeword for column in columns for codeword in column if codeword is not None]


def _multiply(one: int, other: int) -> int:
    """The product in GF(256), modulo the standard's polynomial."""
    result = 0
    for bit in range(7, -1, -1):
        result = (result << 1) ^ (result >> 7) * 0x11D
        result ^= (other >> bit & 1) * one
    return result


def _generator(degree: int) -> list[int]:
    """The generator polynomial of the Reed-Solomon code."""
    root, terms = 1, [0] * (degree - 1) + [1]
    for _ in range(degree):
        terms = [_multiply(term, root) ^ next_term for term, next_term in zip(terms, [*terms[1:], 0], strict=True)]
        root = _multiply(root, 2)
    return terms


def _remainder(data: list[int], divisor: list[int]) -> list[int]:
    """The error correction codewords of a block."""
    rest = [0] * len(divisor)
    for codeword in data:
        factor = codeword ^ rest[0]
        rest = [up ^ _multiply(term, factor) for term, up in zip(divisor, [*rest[1:], 0], strict=True)]
    return rest


# Modules


def _matrix(codewords: list[int], version: int, level: str, mask: int) -> Modules:
    size = version * 4 + 17
    fixed: dict[tuple[int, int], int] = {}  # function patterns and information, by column and row
    for x, y in ((3, 3), (size - 4, 3), (3, size - 4)):
        fixed |= _rings(x, y, 4, (2, 4), size)  # finder patterns with their separators
    last = size - 7
    positions = [] if version == 1 else [6, last] if version < 7 else [6, 6 + (last - 6) // 2, last]
    for x, y in product(positions, positions):
        if (x, y) not in fixed:
            fixed |= _rings(x, y, 2, (1,), size)
    for n in range(8, size - 8):
        fixed[n, 6] = fixed[6, n] = 1 - n % 2
    fixed |= _format(size, LEVEL_BITS[level] << 3 | mask)
    if version >= 7:
        fixed |= _version(size, version)
    return _filled(fixed, size, codewords, mask)


def _rings(x: int, y: int, reach: int, light: tuple[int, ...], size: int) -> dict[tuple[int, int], int]:
    around = range(-reach, reach + 1)
    ring = {(x + dx, y + dy): int(max(abs(dx), abs(dy)) not in light) for dx, dy in product(around, around)}
    return {place: dark for place, dark in ring.items() if 0 <= place[0] < size and 0 <= place[1] < size}


def _format(size: int, value: int) -> dict[tuple[int, int], int]:
    rest = value
    for _ in range(10):
        rest = (rest << 1) ^ (rest >> 9) * 0x537
    bits = (value << 10 | rest) ^ 0x5412
    places = {(8, size - 8): 1}
    for n in range(15):
        dark = bits >> n & 1
        places[8, n if n < 6 else n + 1 if n < 8 else size - 15 + n] = dark
        places[size - 1 - n if n < 8 else 7 if n == 8 else 14 - n, 8] = dark
    return places


def _version(size: int, version: int) -> dict[tuple[int, int], int]:
    rest = version
    for _ in range(12):
        rest = (rest << 1) ^ (rest >> 11) * 0x1F25
    bits, places = version << 12 | rest, dict[tuple[int, int], int]()
    for n in range(18):
        far, near = size - 11 + n % 3, n // 3
        places[far, near] = places[near, far] = bits >> n & 1
    return places


def _filled(fixed: dict[tuple[int, int], int], size: int, codewords: list[int], mask: int) -> Modules:
    """The codewords, two columns at a time, up and down from the right, where nothing is fixed."""
    bits = iter(bit for codeword in codewords for bit in map(int, f"{codeword:08b}"))
    rows = [[fixed.get((x, y), 0) for x in range(size)] for y in range(size)]
    rights = [right - (right <= 6) for right in range(size - 1, 0, -2)]
    for turn, right in enumerate(rights):
        for y in range(size) if turn % 2 else reversed(range(size)):
            for x in (right, right - 1):
                if (x, y) not in fixed:
                    rows[y][x] = next(bits, 0) ^ (not MASKS[mask](x, y))
    return rows


def penalty(rows: Modules) -> int:
    """The standard's four rules: the lower, the easier it is to scan."""
    import re

    size = len(rows)
    lines = ["".join(map(str, line)) for line in (*rows, *zip(*rows, strict=True))]
    points = sum(len(run) - 2 for line in lines for run in re.findall("0{5,}|1{5,}", line))
    finders = "(?=10111010000|00001011101)"
    points += sum(40 * len(re.findall(finders, line)) for line in lines)
    for y, x in product(range(1, size), range(1, size)):
        points += 3 * (rows[y - 1][x - 1] == rows[y - 1][x] == rows[y][x - 1] == rows[y][x])
    dark = sum(map(sum, rows))
    return points + 10 * (abs(dark * 20 - size * size * 10) // (size * size))
