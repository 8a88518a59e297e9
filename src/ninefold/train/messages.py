"""The messages of training."""

from __future__ import annotations

from ninefold.core.messages import register

register(
    {
        "no_rows": ("There are no rows in {folder}.", "Make some: ninefold train generate GAME --out FOLDER."),
        "no_rows.plan": (
            "The rows in {folder} were made by another plan.",
            "Give the same game, options, depth, seed and network, or another folder.",
        ),
        "no_fit": ("There is no fit {file}.", "Make one: ninefold train fit ROWS --out FILE."),
        "no_fit.other": ("The fit {file} is of other rows, or damaged.", "Name another file, or remove it."),
        "train.files": "files of games",
        "train.generated": "{rows} new rows in {folder}",
        "train.interrupted": "Interrupted after {done} of {files} files. The same command goes on.",
        "train.fitting": "{rows} rows; the value of a logit is {scale}; on {device}",
        "train.epoch": (
            "epoch {number} of {epochs}: loss {loss:.5f}, held out {held_out_loss:.5f}, correlation {correlation:.4f}"
        ),
        "train.fit_interrupted": "Interrupted after {done} of {epochs} epochs. The same command goes on.",
        "train.exported": "{file} {about}",
    }
)
