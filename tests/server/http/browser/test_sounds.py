"""The sounds, as Chromium makes them: rendered without a loudspeaker, and measured."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from ninefold.server.http.static_files import STATIC
from tests.support.browser_person import NewPerson

RATE = 44_100  # samples a second
RENDER = """async (rate) => {
    const { SOUNDS, scheduleSound } = await import("/modules/lib/sounds.js");
    const rendered = {};
    for (const sound of Object.keys(SOUNDS)) {
        const context = new OfflineAudioContext(1, 1.5 * rate, rate);
        scheduleSound(context, sound);
        rendered[sound] = [...(await context.startRendering()).getChannelData(0)];
    }
    return rendered;
}"""
# Counts the oscillators that the page starts.
COUNT = """() => {
    window.started = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.started++; return start.apply(this, when); };
}"""
AUDIBLE = 0.05  # of full scale: 26 dB below it
SILENT = 0.001
Samples = NDArray[np.float64]


class Heard(NamedTuple):
    """Loudness is of full scale; ``steepest`` is the largest step between two samples."""

    loudest: float
    seconds: float
    steepest: float
    melody: list[int]


def hear(samples: Samples) -> Heard:
    """What a listener notices."""
    audible = np.flatnonzero(np.abs(samples) > SILENT)
    steepest = float(np.max(np.abs(np.diff(samples))))
    return Heard(float(np.max(np.abs(samples))), float(audible[-1] / RATE), steepest, melody(samples))


def melody(samples: Samples) -> list[int]:
    """The notes one after the other, in steps of 50 hertz, with 0 for a pause between them."""
    window = RATE // 25
    stretches = samples[: len(samples) // window * window].reshape(-1, window)
    pitches = [pitch(stretch) if np.max(np.abs(stretch)) > AUDIBLE / 2 else 0 for stretch in stretches]
    notes = [note for note, _ in itertools.groupby(pitches)]
    return notes[:-1] if notes[-1] == 0 else notes


def pitch(stretch: Samples) -> int:
    spectrum = np.abs(np.fft.rfft(stretch * np.hanning(len(stretch)), 4 * len(stretch)))
    return round(float(np.argmax(spectrum)) * RATE / (4 * len(stretch)) / 50)


def module_of(url: str) -> str:
    return url.partition("/modules/")[2]


@pytest.fixture
def sounds(new_person: NewPerson) -> dict[str, Samples]:
    person = new_person()

    person.page.route("**/modules/**", lambda route: route.fulfill(path=STATIC / module_of(route.request.url)))
    person.page.goto("/nowhere")  # a page without scripts
    rendered = person.page.evaluate(RENDER, RATE)
    person.ignore_errors("Failed to load resource: the server responded with a status of 404")
    return {sound: np.array(samples) for sound, samples in rendered.items()}


def test_every_sound_is_audible_short_clean_and_unlike_the_others(sounds: dict[str, Samples]) -> None:
    assert set(sounds) == {"move", "reply", "capture", "win", "loss", "draw", "turn", "low"}
    heard = {sound: hear(samples) for sound, samples in sounds.items()}
    for sound, samples in sounds.items():
        loudest, seconds, steepest, notes = heard[sound]
        assert AUDIBLE < loudest < 0.5, sound  # two that meet do not clip either
        assert seconds < (0.2 if sound in ("move", "reply") else 0.9), sound
        assert notes, sound
        assert steepest < (0.15 if sound == "low" else 0.05), f"{sound} clicks"  # a square wave jumps
        assert np.max(np.abs(samples[-RATE // 10 :])) == 0, f"{sound} does not end"
        assert abs(np.mean(samples)) < SILENT, f"{sound} has a constant part"
    for one, other in itertools.combinations(heard, 2):
        assert heard[one].melody != heard[other].melody, f"{one} sounds like {other}: {heard[one].melody}"


def test_a_move_is_heard_unless_sounds_are_off(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/learn?game=classic")
    ann.page.evaluate(COUNT)
    ann.playable.first.click()
    ann.page.wait_for_function("window.started > 0")
    ann.page.keyboard.press("m")
    before = ann.page.evaluate("window.started")
    ann.button("Try again").or_(ann.button("Next step")).first.click()
    ann.playable.first.click()
    ann.page.locator("#feedback").wait_for()
    assert ann.page.evaluate("window.started") == before
