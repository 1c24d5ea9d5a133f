#!/usr/bin/env python3
"""Starts a broker and three boards that are joined over it, kills one of them at a time under load, and checks what
clients saw. Usage: failover.py BOARD [ROUNDS]

Clients publish on all boards. Readers connect to any board that runs, and after each loss to another one, with the
identifier of their last event. Each reader must see each acknowledged post exactly once, and each board must have
stored the same posts, each once.
"""
import http.client, json, os, random, shutil, signal, subprocess, sys, tempfile, threading, time

LIMIT = 300  # seconds for everything
board = sys.argv[1]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
folder = tempfile.mkdtemp()
deadline = time.monotonic() + LIMIT
# A board that hangs at its start ends the script, and the script ends it.
signal.alarm(LIMIT + 30)
guard = ["setpriv", "--pdeathsig", "KILL", "--"]
lock = threading.Lock()
ports = {}  # number of a board that runs → its port
acknowledged = set()
isDone = threading.Event()  # the load has ended
failures = []


def fail(text):
    failures.append(text)
    isDone.set()


class Board:
    def __init__(self, number):
        self.number = number
        self.port = 0  # the same after a restart
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            guard + [board, "serve", "--port", str(self.port), "--data", f"{folder}/{self.number}.posts", "--join",
                     f"mqtt+unix:{folder}/socket"], stdout=subprocess.PIPE, text=True,
            stderr=open(f"{folder}/{self.number}.log", "a"))
        for line in self.process.stdout:
            if line.startswith("Board at http://"):
                self.port = int(line.strip().rstrip("/").rsplit(":", 1)[1])
                with lock:
                    ports[self.number] = self.port
                return
        fail(f"board {self.number} does not start")

    def kill(self):
        with lock:
            del ports[self.number]
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def stored(port, count):
    """Reads a number of posts of a board from its beginning."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/topics/load?after=0", headers={"Accept": "text/event-stream"})
    response = connection.getresponse()
    texts = set()
    while len(texts) < count and (line := response.readline()):
        if line.startswith(b"data:"):
            texts.add(json.loads(line[5:])["text"])
    connection.close()
    return texts


def metric(port, name):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


def publish(port, text):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/topics/load", text, {"Content-Type": "text/plain"})
    return connection.getresponse().status == 201


def any_port(but=None):
    with lock:
        others = [port for port in ports.values() if port != but]
    return random.choice(others) if others else None


def write(name):
    number = 0
    while not isDone.is_set():
        number += 1
        text = f"{name}-{number}"
        port = any_port()
        try:
            if publish(port, text):
                with lock:
                    acknowledged.add(text)
        except (OSError, http.client.HTTPException):
            pass  # without an answer, the post may be there or not


class Reader(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.seen = {}  # text → number of times
        self.place = "0"
        self.port = None
        self.connections = 0
        self.changed = threading.Condition()

    def run(self):
        while True:
            port = any_port(but=self.port) or any_port()
            if port is None:
                time.sleep(0.01)
                continue
            self.port = port
            try:
                self.read(port)
            except (OSError, http.client.HTTPException, AttributeError):
                pass

    def read(self, port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {"Accept": "text/event-stream", "Last-Event-ID": self.place}
        connection.request("GET", "/topics/load", headers=headers)
        response = connection.getresponse()
        self.connections += 1
        place = self.place
        data = None
        while line := response.readline():
            line = line.decode().rstrip("\n")
            if line.startswith("id:"):
                place = line[3:].strip()
            elif line.startswith("data:"):
                data = line[5:]
            elif not line:
                # The end of an event: one that is cut off does not count.
                self.place = place
                if data:
                    with self.changed:
                        text = json.loads(data)["text"]
                        self.seen[text] = self.seen.get(text, 0) + 1
                        self.changed.notify_all()
                data = None

    def wait(self, texts):
        with self.changed:
            return self.changed.wait_for(lambda: texts <= self.seen.keys(), deadline - time.monotonic())


def main():
    with open(f"{folder}/broker.conf", "w") as file:
        file.write(f"user {os.environ.get('USER', 'root')}\nallow_anonymous true\nlistener 0 {folder}/socket\n")
    broker = subprocess.Popen(
        guard + ["mosquitto", "-c", f"{folder}/broker.conf"], stderr=open(f"{folder}/broker.log", "w"))
    while not os.path.exists(f"{folder}/socket"):
        if broker.poll() is not None or time.monotonic() > deadline:
            return fail("mosquitto does not start")
        time.sleep(0.01)
    boards = [Board(number) for number in range(3)]
    readers = [Reader() for _ in range(6)]
    writers = [threading.Thread(target=write, args=(f"w{n}",), daemon=True) for n in range(4)]
    for thread in readers + writers:
        thread.start()
    for number in range(rounds):
        with lock:
            target = len(acknowledged) + 100
        while len(acknowledged) < target and not isDone.is_set():
            if time.monotonic() > deadline:
                return fail("too few posts were acknowledged")
            time.sleep(0.01)
        victim = boards[number % 3]
        victim.kill()
        # The others go on without it.
        with lock:
            target = len(acknowledged) + 100
        while len(acknowledged) < target and not isDone.is_set():
            if time.monotonic() > deadline:
                return fail("the other boards do not go on")
            time.sleep(0.01)
        victim.start()
    isDone.set()
    for thread in writers:
        thread.join()
    # Each board sends its posts in order, so these come after all others that readers could see twice.
    ends = {f"end-{board.number}" for board in boards}
    for board in boards:
        if not publish(board.port, f"end-{board.number}"):
            return fail(f"board {board.number} does not accept the last post")
    texts = acknowledged | ends
    for number, reader in enumerate(readers):
        isComplete = reader.wait(texts)
        with reader.changed:
            seen = dict(reader.seen)
        if not isComplete:
            fail(f"reader {number} misses {len(texts - seen.keys())} of {len(texts)} posts")
        repeated = [text for text, count in seen.items() if count > 1]
        if repeated:
            fail(f"reader {number} saw {len(repeated)} posts more than once, such as {repeated[0]}")
    # Posts without an answer may be there, too.
    everything = set().union(*(reader.seen.keys() for reader in readers))
    for board in boards:
        if stored(board.port, len(everything)) != everything:
            fail(f"board {board.number} does not have the posts that readers saw")
        # Clients do not see a post that a board has stored twice.
        count = int(metric(board.port, "board_posts"))
        if count != len(everything):
            fail(f"board {board.number} has stored {count} posts instead of {len(everything)}")
        if metric(board.port, "board_copied_posts_total") < 1:
            fail(f"board {board.number} has counted no posts of others")
        # The broker may tell a board later who else is there.
        while metric(board.port, "board_peers") != 2 or metric(board.port, "board_waiting_messages") != 0:
            if time.monotonic() > deadline:
                return fail(f"board {board.number} does not count the others, or sends not all")
            time.sleep(0.01)
    connections = sum(reader.connections for reader in readers)
    if connections <= len(readers):
        fail("no reader has changed boards")
    if not failures:
        print(f"{len(texts)} posts, {rounds} kills, {connections} connections of {len(readers)} readers: all was seen once")


try:
    main()
except Exception as error:
    fail(repr(error))
if failures:
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"The logs are in {folder}.", file=sys.stderr)
else:
    shutil.rmtree(folder)
sys.stdout.flush()
os._exit(1 if failures else 0)
