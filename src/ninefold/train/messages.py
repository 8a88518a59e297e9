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
        "no_rows.damaged": (
            "The file {file} is damaged, or was written by another version.",
            "Remove it: ninefold train generate makes it again.",
        ),
        "no_fit": ("There is no fit {file}.", "Make one: ninefold train fit ROWS --out FILE."),
        "no_fit.other": ("The fit {file} is of other rows, or damaged.", "Name another file, or remove it."),
        "no_run.plan": (
            "The run in {folder} is of another game, other options or another seed.",
            "Give the same ones, or another folder.",
        ),
        "no_run.damaged": (
            "The file {file} is damaged, or was written by another version.",
            "Remove it, or name another folder.",
        ),
        "train.alphazero": "A run in {folder}, after {done} of {iterations} iterations",
        "train.iteration": (
            "iteration {done} of {iterations}: loss of the policy {policy:.4f} and of the value {value:.4f}; "
            "{seconds:.0f} s"
        ),
        "train.against": "  against {opponent}: {share:.0f}% ({won} won, {drawn} drawn, {lost} lost)",
        "train.alphazero_interrupted": "Interrupted after {done} of {iterations} iterations. The same command goes on.",
        "train.curve": "{game}: points against the levels",
        "train.player": "Weights written. Play against them: alphazero:{file}",
        "no_data": ("There is no complete data set in {folder}.", "Make one: ninefold data FOLDER."),
        "no_data.plan": (
            "The data in {folder} was made by another plan, or by another version.",
            "Give the same games, positions, depth and seed, or another folder.",
        ),
        "no_data.busy": (
            "Another process is making the data set in {folder}.",
            "Wait until it has ended, or stop it: then the same command goes on.",
        ),
        "no_data.damaged": (
            "The file {file} is damaged, or was written by another version.",
            "Make the data set again in a new folder.",
        ),
        "no_data.damaged_file": ("The file {file} is damaged.", "Remove it: the same command makes it again."),
        "cannot_write.data_set": (
            "The data set in {folder} cannot be written: {why}.",
            "What is done is kept. When there is room, the same command goes on.",
        ),
        "no_data.occupied": ("The folder {folder} holds something else.", "Name a new folder, or an empty one."),
        "data.unit": "positions of {game}",
        "data.complete": "The data set in {folder} is complete: {rows:,} rows, {megabytes:.1f} MB in {files} files.",
        "data.interrupted": "Interrupted. What is done is kept: the same command goes on.",
        "data.right": "{folder}: nothing is wrong.",
        "data.fault.file": "{file} is missing, or is not as it was written.",
        "data.fault.count": "{game}: {distinct} distinct positions among {rows}; {expected} were asked for.",
        "data.fault.rules": "{game}: {position} does not agree with the rules.",
        "data.fault.labels": "{game}: game {number} gives other labels when it is played again.",
        "train.files": "files of games",
        "train.generated": "{rows} new rows in {folder}",
        "train.interrupted": "Interrupted after {done} of {files} files. The same command goes on.",
        "train.epochs": "epochs",
        "train.fitting": "{rows} rows; the value of a logit is {scale}; on {device}",
        "train.epoch": (
            "epoch {number} of {epochs}: loss {loss:.5f}, held out {held_out_loss:.5f}, correlation {correlation:.4f}"
        ),
        "train.fit_interrupted": "Interrupted after {done} of {epochs} epochs. The same command goes on.",
        "train.exported": "{file} {about}",
    }
)
