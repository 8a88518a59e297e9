/**
 * Draws the matrix of a QR code: function patterns, masked codewords, and the penalty of a mask. No DOM.
 */

const LEVEL_BITS = { L: 1, M: 0 };

/** True if a mask inverts the module at (x, y). */
const MASK_PATTERNS = [
  (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 2 === 0,
  (/** @type {number} */ _, /** @type {number} */ y) => y % 2 === 0,
  (/** @type {number} */ x) => x % 3 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 3 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

export const MASKS = MASK_PATTERNS.length;

/** @param {number} version */
const sizeOf = (version) => version * 4 + 17;

/**
 * @param {number[]} codewords
 * @param {number} version
 * @param {import("./qr-code.js").Level} level
 * @param {number} mask
 */
export function drawMatrix(codewords, version, level, mask) {
  const size = sizeOf(version);
  /** @type {(boolean | undefined)[][]} */
  const rows = Array.from({ length: size }, () => new Array(size).fill(undefined));
  const put = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ dark) => {
    if (x >= 0 && y >= 0 && x < size && y < size) rows[y][x] = dark;
  };
  drawFunctionPatterns(put, rows, version);
  drawFormat(put, size, (LEVEL_BITS[level] << 3) | mask);
  if (version >= 7) drawVersion(put, size, version);
  drawCodewords(rows, codewords, mask);
  return /** @type {boolean[][]} */ (rows);
}

/**
 * @param {(x: number, y: number, dark: boolean) => void} put
 * @param {(boolean | undefined)[][]} rows
 * @param {number} version
 */
function drawFunctionPatterns(put, rows, version) {
  const size = rows.length;
  const drawRings = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ reach,
    /** @type {number[]} */ light,
  ) => {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++)
        put(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  };
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ])
    drawRings(x, y, 4, [2, 4]); // finder patterns with their separators
  const positions = alignmentPositions(version);
  for (const x of positions) for (const y of positions) if (rows[y][x] === undefined) drawRings(x, y, 2, [1]);
  for (let n = 8; n < size - 8; n++) {
    put(n, 6, n % 2 === 0);
    put(6, n, n % 2 === 0);
  }
}

/** @param {number} version */
function alignmentPositions(version) {
  if (version === 1) return [];
  const last = sizeOf(version) - 7;
  return version < 7 ? [6, last] : [6, 6 + (last - 6) / 2, last];
}

/**
 * @param {(x: number, y: number, dark: boolean) => void} put
 * @param {number} size
 * @param {number} format
 */
function drawFormat(put, size, format) {
  let rest = format;
  for (let n = 0; n < 10; n++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((format << 10) | rest) ^ 0x5412;
  for (let n = 0; n < 15; n++) {
    const dark = ((bits >> n) & 1) === 1;
    put(8, n < 6 ? n : n < 8 ? n + 1 : size - 15 + n, dark);
    put(n < 8 ? size - 1 - n : n === 8 ? 7 : 14 - n, 8, dark);
  }
  put(8, size - 8, true);
}

/**
 * @param {(x: number, y: number, dark: boolean) => void} put
 * @param {number} size
 * @param {number} version
 */
function drawVersion(put, size, version) {
  let rest = version;
  for (let n = 0; n < 12; n++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let n = 0; n < 18; n++) {
    const dark = ((bits >> n) & 1) === 1;
    const [far, near] = [size - 11 + (n % 3), Math.floor(n / 3)];
    put(far, near, dark);
    put(near, far, dark);
  }
}

/**
 * Draws the codewords, two columns at a time, up and down from the right.
 *
 * @param {(boolean | undefined)[][]} rows
 * @param {number[]} codewords
 * @param {number} mask
 */
function drawCodewords(rows, codewords, mask) {
  const size = rows.length;
  let bit = 0;
  let up = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let n = 0; n < size; n++) {
      const y = up ? size - 1 - n : n;
      for (const x of [right, right - 1]) {
        if (rows[y][x] !== undefined) continue;
        const dark = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        rows[y][x] = dark !== MASK_PATTERNS[mask](x, y);
        bit += 1;
      }
    }
  }
}

/**
 * The penalty of a matrix by the standard's four rules: the lower, the easier it is to scan.
 *
 * @param {boolean[][]} rows
 */
export function penalty(rows) {
  const size = rows.length;
  const across = rows.map((row) => row.map(Number).join(""));
  const down = rows.map((_, x) => rows.map((row) => Number(row[x])).join(""));
  let points = 0;
  for (const line of [...across, ...down]) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) points += run.length - 2;
    for (let at = 0; at + 11 <= size; at++) {
      if (line.startsWith("10111010000", at) || line.startsWith("00001011101", at)) points += 40;
    }
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const dark = rows[y][x];
      if (rows[y - 1][x] === dark && rows[y][x - 1] === dark && rows[y - 1][x - 1] === dark) points += 3;
    }
  }
  const dark = across.join("").replace(/0/g, "").length;
  return points + 10 * Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size));
}
