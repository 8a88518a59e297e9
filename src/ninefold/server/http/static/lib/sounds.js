/**
 * Short sounds, made here by oscillators: no files.
 *
 * @typedef {"move" | "reply" | "capture" | "win" | "loss" | "draw" | "turn" | "low"} Sound
 */

import { loadSettings } from "./settings.js";

/**
 * The notes of each sound: frequency in hertz, start and length in seconds, loudness from 0 to 1.
 *
 * @type {Record<Sound, {wave: OscillatorType, notes: [number, number, number, number][]}>}
 */
const SOUNDS = {
  move: { wave: "triangle", notes: [[330, 0, 0.09, 0.5]] },
  reply: { wave: "triangle", notes: [[247, 0, 0.1, 0.5]] },
  capture: { wave: "triangle", notes: [[392, 0, 0.09, 0.5], [587, 0.08, 0.16, 0.5]] },
  win: { wave: "triangle", notes: [[392, 0, 0.14, 0.5], [494, 0.12, 0.14, 0.5], [587, 0.24, 0.14, 0.5], [784, 0.36, 0.4, 0.6]] },
  loss: { wave: "sine", notes: [[330, 0, 0.2, 0.5], [262, 0.18, 0.2, 0.5], [196, 0.36, 0.4, 0.5]] },
  draw: { wave: "sine", notes: [[330, 0, 0.18, 0.5], [330, 0.22, 0.3, 0.4]] },
  turn: { wave: "sine", notes: [[659, 0, 0.12, 0.35], [880, 0.1, 0.2, 0.35]] },
  low: { wave: "square", notes: [[880, 0, 0.06, 0.2], [880, 0.12, 0.06, 0.2]] },
};
const VOLUME = 0.25;

/** @type {AudioContext | null} */
let audio = null;

/** Plays a sound, unless sounds are off. Before the first press on a page, browsers stay silent. @param {Sound} sound */
export function playSound(sound) {
  if (!loadSettings().sound || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  void audio.resume();
  const { wave, notes } = SOUNDS[sound];
  for (const note of notes) playNote(audio, wave, note);
}

/** @param {AudioContext} context @param {OscillatorType} wave @param {[number, number, number, number]} note */
function playNote(context, wave, [frequency, start, length, loudness]) {
  const from = context.currentTime + start;
  const oscillator = new OscillatorNode(context, { type: wave, frequency });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(loudness * VOLUME, from + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(from + length);
}
