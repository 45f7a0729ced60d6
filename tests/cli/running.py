"""Ways to run the command line: in this process, in one of its own, on a terminal."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from chatcodec.cli.main import cli

HI = [{"role": "user", "content": "Hi"}]
HI_PROMPT = b"<seed:bos>user\nHi<seed:eos><seed:bos>assistant\n"
HI_TEXT = HI_PROMPT.decode()

_QUIET = {"NO_COLOR": None, "FORCE_COLOR": None, "COLUMNS": None, "TERM": "xterm"}


class Ran(NamedTuple):
    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def errors(self) -> list[str]:
        return self.err.splitlines()


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def run(*args: str, stdin: Any = b"", env: dict[str, str] | None = None) -> Ran:
    """Run in this process. `stdin` is bytes, or a value to send as JSON."""
    sent = stdin if isinstance(stdin, bytes) else as_json(stdin)
    result = CliRunner().invoke(cli, args, input=sent, env=_QUIET | (env or {}))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return Ran(result.exit_code, result.stdout_bytes, result.stderr)


def environment(env: dict[str, str] | None = None) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in _QUIET}
    return inherited | {"TERM": "xterm"} | (env or {})


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "chatcodec", *args]


def spawn(*args: str, stdin: Any = b"", env: dict[str, str] | None = None) -> Ran:
    """Run in a process of its own."""
    sent = stdin if isinstance(stdin, bytes) else as_json(stdin)
    done = subprocess.run(command(*args), input=sent, capture_output=True, env=environment(env), timeout=120)
    return Ran(done.returncode, done.stdout, done.stderr.decode())


def on_terminal(*args: str, env: dict[str, str] | None = None, stdin: int = subprocess.DEVNULL) -> str:
    """Return what a terminal of 80 columns gets to see of stdout and stderr; newlines are as in a file."""
    import fcntl
    import struct
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(command(*args), stdin=stdin, stdout=theirs, stderr=theirs, env=environment(env))
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 65536):
            seen += chunk
    except OSError:  # how Linux says that nobody writes any more
        pass
    finally:
        os.close(ours)
        process.wait(timeout=60)
    return seen.decode().replace("\r\n", "\n")


def hear_signals() -> None:
    """Be run in a child, so that it hears of Ctrl-C also if this process was started where that is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def write_json(path: Path, value: Any) -> str:
    path.write_bytes(as_json(value))
    return str(path)


def write_lines(path: Path, *values: Any) -> str:
    path.write_bytes(b"".join(as_json(value) + b"\n" for value in values))
    return str(path)
