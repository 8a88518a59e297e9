import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { createQrCode } from "#static/match/qr-code.js";
import { penalty } from "#static/match/qr-matrix.js";

/** Hashes of the symbols that the Python package qrcode 8 draws in byte mode, for masks 0 to 7. */
const KNOWN = [
  {
    text: "5",
    version: 1,
    level: "M",
    symbols: [
      "78535066cd09e119",
      "568f87f0c86f2b84",
      "bcb842db7f98256b",
      "a2c5ee5768f8f636",
      "ff08457e7ab2c8b3",
      "0ddd37f081194a5c",
      "c20408b7c2d8eff7",
      "a60244a8cbc8d464",
    ],
  },
  {
    text: "Ninefold",
    version: 1,
    level: "M",
    symbols: [
      "2a9ec83a7e7e2ac3",
      "7d5c65518a250ac1",
      "7eb3eb2a68acb2d9",
      "9ee5ccf5c1f68038",
      "84a14636bf439875",
      "c93c0272bf95b0da",
      "1e1e5b066ded15d7",
      "2b94386adc8f53fa",
    ],
  },
  {
    text: "http://localhost:8000/m/abc#invite=xyz",
    version: 3,
    level: "M",
    symbols: [
      "0e1965d5075c5865",
      "777c0add7abd22a4",
      "c5a98e334e2bb14c",
      "d7839801df4fd06b",
      "87442b0634d56c3a",
      "7523ebda1cb5f5f5",
      "c0f6f1f7900480d4",
      "2621087f62d4ff56",
    ],
  },
  {
    text: "http://192.168.178.20:8000/m/Zk3vQ9fTq2Lw#invite=4f0Jr3Yk1c9TnqVbZ2xWsg",
    version: 5,
    level: "M",
    symbols: [
      "81e8c72856f3bd59",
      "7f99d23a73ccfbdc",
      "28b0816a0b0fdce9",
      "3d6e646614d58fb2",
      "af0b7a6731b70755",
      "329750448cdb1b70",
      "bae9b19a365606b4",
      "ac32bc3436fbf7e6",
    ],
  },
  {
    text: "Grüße ✓",
    version: 1,
    level: "M",
    symbols: [
      "57a431579f846517",
      "6573d3cf49b96b02",
      "6007f6df3e40d4a1",
      "d6a46d12d3eed7ab",
      "06622778fd75a941",
      "7cfcaeb5ff5be54a",
      "b7a32887715f1c0b",
      "b826f9429922024e",
    ],
  },
  {
    text: "x".repeat(100),
    version: 6,
    level: "M",
    symbols: [
      "898a791db8daf879",
      "45f6a159a1a0bf70",
      "c4e995e60adf6c35",
      "57004a2bb3595724",
      "25d8278acc6d7c10",
      "103b849692b0e6f9",
      "554ac7affd33a2da",
      "ec034b65c16c3b6c",
    ],
  },
  {
    text: "https://play.example.org/m/" + "a".repeat(120),
    version: 8,
    level: "M",
    symbols: [
      "d37803c90ba3131e",
      "95d00ad8c4958ff9",
      "487892f8534ee245",
      "2424beb0e9d0db1d",
      "bbd577c3082df627",
      "a82f8ca24aefea05",
      "3a3140c7daad9acd",
      "259d716bb049b8f9",
    ],
  },
  {
    text: "y".repeat(150),
    version: 8,
    level: "M",
    symbols: [
      "06d9fc6248b7ed53",
      "230adb2b282df71c",
      "e7d99ad988dd6759",
      "eeed497bb347a6ac",
      "c43de0e036fc8ce6",
      "a3f5b5498d0f1d36",
      "f4781ea7683b40fc",
      "86f143fbbe3bbb8b",
    ],
  },
  {
    text: "z".repeat(180),
    version: 9,
    level: "M",
    symbols: [
      "fcb9a912d7b2c80e",
      "b5b8a6ef7916e3ed",
      "7487eb49d2e1d3f1",
      "3bf5950859676935",
      "be41c23c167ed061",
      "9d6df1129ead80ee",
      "90f868d23949c6fd",
      "e0334b8e1fa73701",
    ],
  },
  {
    text: "w".repeat(210),
    version: 10,
    level: "M",
    symbols: [
      "202f9fc2f519da3d",
      "16fedd5c8660ce59",
      "f19fc87f96ba2dd3",
      "76a337049e5a5338",
      "a8b8c897ad8fb961",
      "babcd8332c3a5597",
      "550e64cc8931e322",
      "c42f7eec58fe99a4",
    ],
  },
  {
    text: "v".repeat(250),
    version: 10,
    level: "L",
    symbols: [
      "40a70fee3807eedb",
      "597bb6ec9f3bc6de",
      "ca5ac292bda5378a",
      "1bc5ecce5dcbcb1e",
      "f8ea6974e20fc328",
      "43d484eacdfaffc3",
      "8ae158b4ab811ca8",
      "4a3ccd63f621d29a",
    ],
  },
];

const hash = (rows) =>
  createHash("sha256")
    .update(rows.map((row) => row.map(Number).join("")).join("\n"))
    .digest("hex")
    .slice(0, 16);

for (const { text, version, level, symbols } of KNOWN) {
  test(`${text.length} letters make the known symbols of version ${version}-${level}`, () => {
    symbols.forEach((known, mask) => {
      const drawn = createQrCode(text, { mask });
      assert.deepEqual([drawn.version, drawn.level, drawn.mask, hash(drawn.rows)], [version, level, mask, known]);
    });
  });
}

test("the mask with the lowest penalty is taken", () => {
  const points = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => penalty(createQrCode("Ninefold", { mask }).rows));
  assert.equal(penalty(createQrCode("Ninefold").rows), Math.min(...points));
});

test("a text that is too long is refused", () => {
  assert.throws(() => createQrCode("x".repeat(272)), RangeError);
  assert.equal(createQrCode("x".repeat(271)).version, 10);
});
