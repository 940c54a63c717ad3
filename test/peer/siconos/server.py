"""Runs scripts of this folder, each in a process of its own that is forked from here, where Siconos has been imported:
an import takes longer than most models do.

Standard input, one JSON array a line: [number, script file, folder]. The folder has `in`, what the script reads from its
standard input; what it prints to its standard output and error goes to `out` and `err` there.

Standard output, one line for each script that has ended: number and exit status, -n after signal n.
"""

import json
import os
import runpy
import signal
import sys
import traceback

import numpy  # noqa: F401
import siconos.kernel  # noqa: F401
import siconos.mechanics.joints  # noqa: F401
import siconos.numerics  # noqa: F401


def redirect(path, flags, descriptor):
    opened = os.open(path, flags, 0o600)
    os.dup2(opened, descriptor)
    os.close(opened)


def run(script, folder):
    """The script itself, to the end of this process."""
    status = 1
    try:
        redirect(os.path.join(folder, "in"), os.O_RDONLY, 0)
        redirect(os.path.join(folder, "out"), os.O_WRONLY | os.O_CREAT, 1)
        redirect(os.path.join(folder, "err"), os.O_WRONLY | os.O_CREAT, 2)
        # What the server has read ahead belongs to others.
        sys.stdin = os.fdopen(0, "r", closefd=False)
        sys.path[0] = os.path.dirname(script)
        runpy.run_path(script, run_name="__main__")
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def attend(number, script, folder):
    """Waits for the script, and says how it ended, even where it crashed."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child == 0:
        run(script, folder)
    _, status = os.waitpid(child, 0)
    os.write(1, f"{number} {os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def main():
    # Nobody waits for those who attend.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        request = json.loads(line)
        if os.fork() == 0:
            attend(*request)


main()
