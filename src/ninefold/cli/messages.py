"""The words of the command line."""

from ninefold.core.messages import Template

ENGLISH: dict[str, Template] = {
    "not_installed": ("ninefold {command} needs {package}, which is not installed.", "pip install 'ninefold[{extra}]'"),
    "cli.input_ended": "The input has ended; so has Ninefold.",
    "cli.interrupted": "Interrupted.",
    "cli.cannot_write": "ninefold: cannot write: {why}.",
    "cli.refused": "ninefold: {refusal}",
    "cli.version": "ninefold {version} ({core})",
    "cli.core.native": "native core on {processor}",
    "cli.core.python": "pure Python, without the native core",
}
