/**
 * A QR code of a text: byte mode, error correction M (L where M has no room), versions 1 to 10. No DOM.
 * After ISO/IEC 18004; the words (data, blocks, mask, finder) are the standard's.
 */

import { MASKS, draw, penalty } from "./qr-matrix.js";

/** Per level and version: code words for correction in a block, and how many blocks. */
const CORRECTION = {
  L: [
    [7, 1],
    [10, 1],
    [15, 1],
    [20, 1],
    [26, 1],
    [18, 2],
    [20, 2],
    [24, 2],
    [30, 2],
    [18, 4],
  ],
  M: [
    [10, 1],
    [16, 1],
    [26, 1],
    [18, 2],
    [24, 2],
    [16, 4],
    [18, 4],
    [22, 4],
    [22, 5],
    [26, 5],
  ],
};
const VERSIONS = 10;

/**
 * @param {string} text
 * @param {{mask?: number}} [fixed] for tests; the best mask otherwise
 * @returns {{version: number, level: "L" | "M", mask: number, rows: boolean[][]}} rows of dark modules, no margin
 */
export function qr(text, fixed = {}) {
  const bytes = [...new TextEncoder().encode(text)];
  const { version, level } = smallest(bytes.length);
  const words = interleave(dataWords(bytes, version, level), version, level);
  const drawn = Array.from({ length: MASKS }, (_, mask) => mask)
    .filter((mask) => fixed.mask === undefined || mask === fixed.mask)
    .map((mask) => ({ mask, rows: draw(words, version, level, mask) }));
  const best = drawn.reduce((one, other) => (penalty(other.rows) < penalty(one.rows) ? other : one));
  return { version, level, ...best };
}

/**
 * Code words in a symbol: its modules without patterns and information, in bytes.
 *
 * @param {number} version
 */
function capacity(version) {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const patterns = Math.floor(version / 7) + 2;
    modules -= (25 * patterns - 10) * patterns - 55;
  }
  if (version >= 7) modules -= 36;
  return Math.floor(modules / 8);
}

/**
 * @param {number} version
 * @param {"L" | "M"} level
 */
function dataCapacity(version, level) {
  const [correction, blocks] = CORRECTION[level][version - 1];
  return capacity(version) - correction * blocks;
}

/** @param {number} version */
const lengthBits = (version) => (version < 10 ? 8 : 16);

/**
 * @param {number} length
 * @returns {{version: number, level: "L" | "M"}}
 */
function smallest(length) {
  for (const level of /** @type {const} */ (["M", "L"])) {
    for (let version = 1; version <= VERSIONS; version++) {
      if (4 + lengthBits(version) + 8 * length <= 8 * dataCapacity(version, level)) return { version, level };
    }
  }
  throw new RangeError("This text is too long for a QR code.");
}

/**
 * @param {number[]} bytes
 * @param {number} version
 * @param {"L" | "M"} level
 */
function dataWords(bytes, version, level) {
  const room = dataCapacity(version, level);
  const inBits = (/** @type {number} */ value, /** @type {number} */ width) => value.toString(2).padStart(width, "0");
  const bits = "0100" + inBits(bytes.length, lengthBits(version)) + bytes.map((byte) => inBits(byte, 8)).join("");
  const closed = (bits + "0000").slice(0, room * 8);
  const words = (closed.padEnd(Math.ceil(closed.length / 8) * 8, "0").match(/.{8}/g) ?? []).map((word) =>
    parseInt(word, 2),
  );
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/**
 * Blocks with their correction, woven together; the later blocks may have one data word more.
 *
 * @param {number[]} words
 * @param {number} version
 * @param {"L" | "M"} level
 */
function interleave(words, version, level) {
  const [correction, count] = CORRECTION[level][version - 1];
  const short = Math.floor(words.length / count);
  const longer = words.length % count;
  const divisor = generator(correction);
  let start = 0;
  const blocks = Array.from({ length: count }, (_, block) => {
    const data = words.slice(start, (start += short + (block >= count - longer ? 1 : 0)));
    return { data, check: remainder(data, divisor) };
  });
  const column = (/** @type {"data" | "check"} */ part, /** @type {number} */ n) =>
    blocks.map((block) => block[part][n]).filter((word) => word !== undefined);
  const columns = (/** @type {"data" | "check"} */ part, /** @type {number} */ length) =>
    Array.from({ length }, (_, n) => column(part, n)).flat();
  return [...columns("data", short + 1), ...columns("check", correction)];
}

/**
 * Product in the field of 256 elements that the standard uses.
 *
 * @param {number} one
 * @param {number} other
 */
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/** @param {number} degree */
function generator(degree) {
  let root = 1;
  let terms = [...new Array(degree - 1).fill(0), 1];
  for (let n = 0; n < degree; n++, root = times(root, 2)) {
    terms = terms.map((term, place) => times(term, root) ^ (terms[place + 1] ?? 0));
  }
  return terms;
}

/**
 * @param {number[]} data
 * @param {number[]} divisor
 */
function remainder(data, divisor) {
  return data.reduce((rest, word) => {
    const factor = word ^ rest[0];
    return divisor.map((term, place) => (rest[place + 1] ?? 0) ^ times(term, factor));
  }, new Array(divisor.length).fill(0));
}
