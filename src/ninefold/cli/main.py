"""The command line: it runs what was typed, and says with its exit code how that went."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence

from ninefold.cli.language import choose_language, translate_help
from ninefold.cli.parser import parser
from ninefold.core.errors import NotAllowed, Refusal, quoted
from ninefold.core.exit_codes import CANNOT_WRITE, CLOSED_PIPE, END_OF_INPUT, INTERRUPTED, REFUSED
from ninefold.core.messages import ENGLISH, current_language, text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0 also for a player who leaves with e."""
    _prepare_streams()
    try:
        code = _run(_given(*_localized(arguments)))
        sys.stdout.flush()
        return code
    except Refusal as refusal:
        print(text("cli.refused", refusal=refusal), file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print("\n" + text("cli.interrupted"), file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        closed = isinstance(error, BrokenPipeError)
        if not closed:
            print(text("cli.cannot_write", why=error.strerror), file=sys.stderr)
        # Nobody reads any more; keep the interpreter from complaining when it flushes on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE if closed else CANNOT_WRITE


def _localized(arguments: Sequence[str] | None) -> tuple[argparse.ArgumentParser, list[str]]:
    """The parser in the language that was chosen, and the arguments without that choice."""
    rest = choose_language(sys.argv[1:] if arguments is None else arguments)
    commands = parser()
    if current_language() != ENGLISH:
        translate_help(commands)
    return commands, rest


class _ClosedOutput(io.TextIOWrapper):
    """Standard output where the shell has closed it: it takes the place of the handle, and cannot be written."""

    def write(self, _: str, /) -> int:
        raise OSError(errno.EBADF, text("cli.closed_output"))


def _prepare_streams() -> None:
    """Bytes that are no text are read as question marks. Where nothing can be read, the input has ended; where nothing
    can be written, errors are not told."""
    for name, mode in (("stdin", "r"), ("stdout", "wb"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode)  # noqa: SIM115 - it lives as long as the process
            setattr(sys, name, _ClosedOutput(stream) if name == "stdout" else stream)
        elif hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="replace")


def _given(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments; the words of a position may also stand after an option."""
    given, rest = parser.parse_known_args(arguments)
    if rest and (not hasattr(given, "position") or any(word.startswith("-") for word in rest)):
        parser.error(argparse._("unrecognized arguments: %s") % " ".join(map(quoted, rest)))  # type: ignore[attr-defined]
    if rest:
        given.position += rest
    return given


def _run(given: argparse.Namespace) -> int:
    from ninefold.terminal.console.prompt import EndOfInput, PlayerLeft

    try:
        run: Callable[[argparse.Namespace], int] = given.run
        return run(given)
    except PlayerLeft:
        return 0
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package == "ninefold" or not given.extra:
            raise
        raise NotAllowed("not_installed", command=given.command, package=package, extra=given.extra) from None
    except EndOfInput as ended:
        print(str(ended) or text("cli.input_ended"), file=sys.stderr)
        return END_OF_INPUT
