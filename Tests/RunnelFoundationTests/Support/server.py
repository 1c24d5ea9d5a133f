"""The server for the tests of requests. It prints its two ports, one that accepts connections and
one that refuses them, and then a log with one line per event. It ends with its standard input."""
import http.server
import os
import socket
import sys
import threading
import urllib.parse

lock = threading.Lock()


def say(line):
    with lock:
        print(line, flush=True)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        say(f"{self.command} {self.path}")
        path = urllib.parse.unquote(self.path).split("/")
        self.length = int(self.headers.get("Content-Length", 0))
        self.body = self.rfile.read(self.length)
        getattr(self, "answer_" + path[1])(*path[2:])

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_any

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)

    def answer_status(self, code):
        self.answer(int(code), b"status " + code.encode())

    def answer_unauthorized(self, scheme):
        self.answer(401, b"who are you?", WWW_Authenticate=f'{scheme} realm="tests"')

    def answer_private(self):
        if self.headers.get("Authorization"):
            self.answer(200, b"come in")
        else:
            self.answer_unauthorized("Basic")

    def answer_echo(self):
        kind = self.headers.get("Content-Type", "none")
        self.answer(200, self.command.encode() + b" " + self.body, Content_Type=kind)

    def answer_text(self, name, encoding):
        kind = "text/plain" if name == "none" else f"text/plain; charset={name}"
        self.answer(200, "Grüße".encode(encoding), Content_Type=kind)

    def answer_json(self, text):
        self.answer(200, text.encode(), Content_Type="application/json")

    def answer_big(self, size):
        self.answer(200, (bytes(range(251)) * (int(size) // 251 + 1))[: int(size)])

    def answer_redirect(self, times):
        times = int(times)
        self.answer(302, b"go on", Location=f"/redirect/{times - 1}" if times > 1 else "/echo")

    def answer_circle(self):
        self.answer(302, Location="/circle")

    def answer_slow(self):
        self.wait_until_left()

    def answer_drip(self):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"begun")
        say("begun")
        self.wait_until_left()

    def wait_until_left(self):
        try:
            while self.connection.recv(1):
                pass
        except OSError:
            pass
        say(f"left {self.path}")
        self.close_connection = True

    def answer_half(self):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"half")
        self.close_connection = True

    def answer_halfchunk(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"4\r\nhalf\r\n10\r\nof")
        self.close_connection = True

    def answer_nothing(self):
        self.close_connection = True

    def answer_garbage(self):
        self.wfile.write(b"\0\1\2 this is not HTTP\r\n\r\n")
        self.close_connection = True

    def log_message(self, format, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # Tests disconnect during responses.


server = Server(("127.0.0.1", 0), Handler)
refusing = socket.socket()
refusing.bind(("127.0.0.1", 0))  # Never listens.
say(server.server_port)
say(refusing.getsockname()[1])
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
