/**
 * Short sounds, made here by oscillators: no files.
 *
 * @typedef {"move" | "reply" | "capture" | "win" | "loss" | "draw" | "turn" | "low"} Sound
 *
 * @typedef {[frequency: number, start: number, length: number, loudness: number]} Note frequency in hertz, start and
 *   length in seconds, loudness from 0 to 1
 */

import { loadSettings } from "./settings.js";

/**
 * The notes of each sound. One that taps begins above its note and falls to it, as wood does.
 *
 * @type {Record<Sound, {wave: OscillatorType, taps?: boolean, notes: Note[]}>}
 */
export const SOUNDS = {
  move: { wave: "triangle", taps: true, notes: [[330, 0, 0.11, 0.8]] },
  reply: { wave: "triangle", taps: true, notes: [[220, 0, 0.13, 0.9]] },
  capture: { wave: "triangle", taps: true, notes: [[392, 0, 0.1, 0.7], [587, 0.08, 0.18, 0.7]] },
  win: { wave: "triangle", notes: [[392, 0, 0.16, 0.6], [494, 0.12, 0.16, 0.6], [587, 0.24, 0.16, 0.6], [784, 0.36, 0.45, 0.8]] },
  loss: { wave: "sine", notes: [[330, 0, 0.22, 0.7], [262, 0.18, 0.22, 0.7], [196, 0.36, 0.45, 0.8]] },
  draw: { wave: "sine", notes: [[330, 0, 0.2, 0.7], [330, 0.24, 0.32, 0.6]] },
  turn: { wave: "sine", notes: [[659, 0, 0.13, 0.5], [880, 0.1, 0.22, 0.5]] },
  low: { wave: "square", notes: [[880, 0, 0.07, 0.22], [880, 0.13, 0.07, 0.22]] },
};
const VOLUME = 0.3;
const ATTACK = 0.006; // seconds
const SILENCE = 0.002; // of full scale, in which a note ends
const TAP = { from: 1.7, seconds: 0.03 }; // how far above its note a tap begins, and how long it falls

/** @type {AudioContext | null} */
let audio = null;

/** Plays a sound, unless sounds are off. Before the first press on a page, browsers stay silent. @param {Sound} sound */
export function playSound(sound) {
  if (!loadSettings().sound || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  void audio.resume();
  scheduleSound(audio, sound);
}

/** Makes a sound begin now. @param {BaseAudioContext} context @param {Sound} sound */
export function scheduleSound(context, sound) {
  const { wave, taps = false, notes } = SOUNDS[sound];
  for (const note of notes) playNote(context, wave, taps, note);
}

/** @param {BaseAudioContext} context @param {OscillatorType} wave @param {boolean} taps @param {Note} note */
function playNote(context, wave, taps, [frequency, start, length, loudness]) {
  const from = context.currentTime + start;
  const oscillator = new OscillatorNode(context, { type: wave, frequency });
  if (taps) {
    oscillator.frequency.setValueAtTime(frequency * TAP.from, from);
    oscillator.frequency.exponentialRampToValueAtTime(frequency, from + TAP.seconds);
  }
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(loudness * VOLUME, from + ATTACK);
  gain.gain.exponentialRampToValueAtTime(SILENCE, from + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(from + length);
}
