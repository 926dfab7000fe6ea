"""Does a restart lose a request while somebody else holds the door, as systemd does for posencd.socket?

activation.py POSENCD - opens a socket, hands it to one server after another by systemd's protocol (sd_listen_fds,
sd_notify), and asks all the time. Ends with 0 when each said that it was ready and nothing failed.
"""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile

LOAD = pathlib.Path(__file__).parent / "load.py"
RESTARTS = 4
SECONDS = 6
PATIENCE_S = 60
FIRST_FD = 3


def start(posencd, door, notify_path, log):
    """A server that has the door as descriptor 3, and knows that it is meant for it."""

    def hand_over():
        os.dup2(door.fileno(), FIRST_FD)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", NOTIFY_SOCKET=notify_path)
        os.execv(posencd, [posencd, "--threads", "2"])

    # execv() in preexec_fn: LISTEN_PID must be the process's own number, and the environment is made before it.
    return subprocess.Popen([posencd], preexec_fn=hand_over, close_fds=False, stdout=log, stderr=log)


def told(notify, word):
    """Waits for a datagram with that line."""
    while True:
        if word in notify.recv(4096).decode().split("\n"):
            return


def main():
    posencd = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "log"), "w+") as log:
        door = socket.create_server(("127.0.0.1", 0), backlog=1024)
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify.bind(os.path.join(folder, "notify"))
        notify.settimeout(PATIENCE_S)
        server = start(posencd, door, notify.getsockname(), log)
        try:
            told(notify, "READY=1")
            url = f"http://127.0.0.1:{door.getsockname()[1]}"
            load = subprocess.Popen([sys.executable, LOAD, url, str(SECONDS), "1"])
            for _ in range(RESTARTS):
                try:
                    load.wait(SECONDS / (RESTARTS + 1))
                except subprocess.TimeoutExpired:
                    pass
                server.send_signal(signal.SIGTERM)
                told(notify, "STOPPING=1")
                if server.wait(PATIENCE_S) != 0:
                    print(f"        a server ended with {server.returncode}")
                    return 1
                server = start(posencd, door, notify.getsockname(), log)
                told(notify, "READY=1")
            return load.wait(PATIENCE_S + SECONDS)
        except (TimeoutError, subprocess.TimeoutExpired) as error:
            log.seek(0)
            print(f"        {error!r}\n{log.read()}")
            return 1
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
