/** The rules that the browser client has offline, read from their files. */

import { readFile } from "node:fs/promises";

import { loadCore } from "../../../../../src/ninefold/server/http/static/offline/core.js";
import { loadRulebook } from "../../../../../src/ninefold/server/http/static/offline/rulebook.js";

const STATIC = new URL("../../../../../src/ninefold/server/http/static/", import.meta.url);
const FOLDER = new URL("offline/data/", STATIC);

const bytes = async (name) => {
  const buffer = await readFile(new URL(name, FOLDER));
  return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
};

const json = async (name) => JSON.parse(await readFile(new URL(name, FOLDER), "utf8"));

/** The engine that scripts/web_engine.py has compiled. */
export const openCore = async () => loadCore(await readFile(new URL("engine/ninefold.wasm", STATIC)));

export const openBook = () => loadRulebook({ json, bytes, core: openCore });
