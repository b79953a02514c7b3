"""Runs a program on a terminal of its own and presses keys.

Reads a JSON object from standard input: argv, env, cwd, size [columns, lines], stdout ("terminal" or "pipe"), steps. A step is
["see", text], ["press", text], ["size", [columns, lines]] or ["signal", number]. Without a size there is no terminal
at all. Prints a JSON object: status, stdout, drawn, restored (is the terminal as it was before?).
"""

import fcntl, json, os, pty, re, select, signal, struct, subprocess, sys, termios, time, unicodedata

wanted = json.load(sys.stdin)
common = dict(env=wanted["env"], cwd=wanted["cwd"])
if not wanted.get("size"):
    done = subprocess.run(wanted["argv"], stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True, timeout=30, **common)
    print(json.dumps({"status": done.returncode, "stdout": done.stdout.decode(), "drawn": done.stderr.decode(), "restored": True}))
    sys.exit()

main, other = pty.openpty()


def resize(size):
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))


def own_terminal():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


resize(wanted["size"])
before = termios.tcgetattr(other)
piped = wanted["stdout"] == "pipe"
child = subprocess.Popen(
    wanted["argv"], stdin=other, stdout=subprocess.PIPE if piped else other, stderr=other, preexec_fn=own_terminal, **common
)
drawn = b""


def read(seconds):
    global drawn
    if select.select([main], [], [], seconds)[0]:
        try:
            drawn += os.read(main, 65536)
        except OSError:
            time.sleep(seconds)


def screen(drawn):
    """The lines of the screen: as much of a terminal as the program makes use of."""
    cells, row, column = {}, 1, 1
    for token in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|.", drawn.decode(errors="replace"), re.S):
        if token.startswith("\x1b["):
            if token[-1] == "H":
                row, column = ([int(part) for part in token[2:-1].split(";") if part] + [1, 1])[:2]
            elif token[-1] == "J":
                cells = {}
        elif token >= " " and not unicodedata.combining(token):
            cells[row, column] = token
            column += 2 if unicodedata.east_asian_width(token) in "WF" else 1
    width = max((column for _, column in cells), default=0)
    lines = range(1, max((row for row, _ in cells), default=0) + 1)
    return "\n".join("".join(cells.get((row, column), " ") for column in range(1, width + 1)) for row in lines)


resized = False
for kind, what in wanted["steps"]:
    if kind == "see":
        end = time.time() + 30
        while what not in screen(drawn):
            if time.time() > end:
                child.kill()
                sys.exit(f"never saw {what!r} in \n{screen(drawn)}")
            read(0.05)
    elif kind == "press":
        if resized:
            # A key that comes in the same moment as the signal of a new size waits for the next one: nobody types so.
            still, end = time.time(), time.time() + 10
            while time.time() < min(still + 0.5, end):
                before_read = len(drawn)
                read(0.05)
                still = still if len(drawn) == before_read else time.time()
            resized = False
        os.write(main, what.encode())
    elif kind == "size":
        resize(what)
        drawn = b""
        child.send_signal(signal.SIGWINCH)
        resized = True
    elif kind == "signal":
        child.send_signal(what)

end = time.time() + 30
while child.poll() is None and time.time() < end:
    read(0.05)
child.poll() is None and child.kill()
read(0.05)
out = child.stdout.read().decode() if piped else ""
restored = termios.tcgetattr(other) == before
print(json.dumps({"status": child.wait(), "stdout": out, "drawn": drawn.decode(errors="replace"), "restored": restored}))
