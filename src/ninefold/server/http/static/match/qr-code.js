/**
 * Encodes a text as a QR code, after ISO/IEC 18004. No DOM.
 *
 * Byte mode, versions 1 to 10, error correction level M, or L if M has no room.
 */

import { MASKS, drawMatrix, penalty } from "./qr-matrix.js";

/** @typedef {"L" | "M"} Level of error correction */

/** By level and version: error correction codewords in a block, and how many blocks. */
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
 * @param {string} content
 * @param {{mask?: number}} [fixed] for tests; otherwise the best mask is taken
 * @returns {{version: number, level: Level, mask: number, rows: boolean[][]}} rows of modules, true if dark
 */
export function createQrCode(content, fixed = {}) {
  const bytes = [...new TextEncoder().encode(content)];
  const { version, level } = smallestVersion(bytes.length);
  const codewords = interleave(dataCodewords(bytes, version, level), version, level);
  const candidates = Array.from({ length: MASKS }, (_, mask) => mask)
    .filter((mask) => fixed.mask === undefined || mask === fixed.mask)
    .map((mask) => ({ mask, rows: drawMatrix(codewords, version, level, mask) }));
  const best = candidates.reduce((one, other) => (penalty(other.rows) < penalty(one.rows) ? other : one));
  return { version, level, ...best };
}

/**
 * The codewords in a symbol: its modules without function patterns and format information, in bytes.
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
 * @param {Level} level
 */
function dataCapacity(version, level) {
  const [correction, blocks] = CORRECTION[level][version - 1];
  return capacity(version) - correction * blocks;
}

/** @param {number} version */
const lengthBits = (version) => (version < 10 ? 8 : 16);

/**
 * @param {number} length
 * @returns {{version: number, level: Level}}
 */
function smallestVersion(length) {
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
 * @param {Level} level
 */
function dataCodewords(bytes, version, level) {
  const room = dataCapacity(version, level);
  const inBits = (/** @type {number} */ value, /** @type {number} */ width) => value.toString(2).padStart(width, "0");
  const bits = "0100" + inBits(bytes.length, lengthBits(version)) + bytes.map((byte) => inBits(byte, 8)).join("");
  const terminated = (bits + "0000").slice(0, room * 8);
  const padded = terminated.padEnd(Math.ceil(terminated.length / 8) * 8, "0");
  const codewords = (padded.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2));
  for (let pad = 0xec; codewords.length < room; pad ^= 0xec ^ 0x11) codewords.push(pad);
  return codewords;
}

/**
 * Splits the data into blocks, adds their error correction and interleaves them. Later blocks may be one longer.
 *
 * @param {number[]} codewords
 * @param {number} version
 * @param {Level} level
 */
function interleave(codewords, version, level) {
  const [correction, count] = CORRECTION[level][version - 1];
  const short = Math.floor(codewords.length / count);
  const longer = codewords.length % count;
  const divisor = generatorPolynomial(correction);
  let start = 0;
  const blocks = Array.from({ length: count }, (_, block) => {
    const data = codewords.slice(start, (start += short + (block >= count - longer ? 1 : 0)));
    return { data, check: remainder(data, divisor) };
  });
  const column = (/** @type {"data" | "check"} */ part, /** @type {number} */ index) =>
    blocks.map((block) => block[part][index]).filter((codeword) => codeword !== undefined);
  const columns = (/** @type {"data" | "check"} */ part, /** @type {number} */ length) =>
    Array.from({ length }, (_, index) => column(part, index)).flat();
  return [...columns("data", short + 1), ...columns("check", correction)];
}

/**
 * The product in GF(256), modulo the standard's polynomial.
 *
 * @param {number} one
 * @param {number} other
 */
function multiply(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/** The generator polynomial of the Reed-Solomon code. @param {number} degree */
function generatorPolynomial(degree) {
  let root = 1;
  let terms = [...new Array(degree - 1).fill(0), 1];
  for (let n = 0; n < degree; n++, root = multiply(root, 2)) {
    terms = terms.map((term, index) => multiply(term, root) ^ (terms[index + 1] ?? 0));
  }
  return terms;
}

/**
 * The error correction codewords of a block.
 *
 * @param {number[]} data
 * @param {number[]} divisor
 */
function remainder(data, divisor) {
  return data.reduce((rest, codeword) => {
    const factor = codeword ^ rest[0];
    return divisor.map((term, index) => (rest[index + 1] ?? 0) ^ multiply(term, factor));
  }, new Array(divisor.length).fill(0));
}
