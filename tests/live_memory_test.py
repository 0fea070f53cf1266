#!/usr/bin/env python3
"""Many idle live connections at one server: each takes little memory, and all hear of a move.

usage: live_memory_test.py PATH_TO_ROWBOT [CONNECTIONS]

With 10,000 it wants `ulimit -n 20500` (client and server have one limit each) and a quiet minute.
"""

import resource
import selectors
import socket
import sys
import tempfile
import unittest
from pathlib import Path

from serving import Serving, Visitor

ROWBOT = ""
CONNECTIONS = 2000
MOST_BYTES_EACH = 8 * 1024


def resident_bytes(pid):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


class Watchers:
    """WebSockets that watch one game and say nothing."""

    def __init__(self, port, path):
        self.request = (
            f"GET {path}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
        ).encode()
        self.port = port
        self.sockets = []

    def open(self, count):
        while len(self.sockets) < count:
            batch = []
            for _ in range(min(100, count - len(self.sockets))):
                one = socket.create_connection(("127.0.0.1", self.port), timeout=60)
                one.sendall(self.request)
                batch.append(one)
            for one in batch:
                answer = self.until(one, b'"moves"')
                if not answer.startswith(b"HTTP/1.1 101"):
                    raise AssertionError(f"connection {len(self.sockets)}: {answer!r}")
                self.sockets.append(one)

    @staticmethod
    def until(one, text):
        answer = b""
        while text not in answer:
            part = one.recv(65536)
            if not part:
                return answer
            answer += part
        return answer

    def hear(self, text):
        """How many hear this text within a minute of silence."""
        heard = 0
        with selectors.DefaultSelector() as selector:
            for one in self.sockets:
                selector.register(one, selectors.EVENT_READ, b"")
            while heard < len(self.sockets):
                ready = selector.select(60)
                if not ready:
                    break
                for key, _ in ready:
                    answer = key.data + key.fileobj.recv(65536)
                    selector.modify(key.fileobj, selectors.EVENT_READ, answer)
                    if text in answer:
                        heard += 1
                        selector.unregister(key.fileobj)
        return heard

    def close(self):
        for one in self.sockets:
            one.close()


class LiveMemoryTest(unittest.TestCase):
    def test_idle_live_connections_take_little_memory(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < CONNECTIONS + 200:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, CONNECTIONS + 200), hard))
        with tempfile.TemporaryDirectory() as folder, Serving(
            ROWBOT, Path(folder) / "games.db", 0, "--robot", "none"
        ) as server:
            visitor = Visitor(server.port)
            path = f"/api/v1/games/{visitor.post('/api/v1/games', {'human': 'both'})[1]['game']}"
            watchers = Watchers(server.port, path)
            watchers.open(100)  # what the first ones take is not theirs alone
            before = resident_bytes(server.process.pid)
            watchers.open(CONNECTIONS)
            each = (resident_bytes(server.process.pid) - before) / (CONNECTIONS - 100)
            print(f"{CONNECTIONS} live connections: {each:.0f} bytes each")
            self.assertIn("rowbot_connections %d\n" % (CONNECTIONS + 1), visitor.get("/metrics")[1].decode())
            self.assertEqual(visitor.post(path + "/moves", {"column": 4})[0], 200)
            self.assertEqual(watchers.hear(b'"moves":"4"'), CONNECTIONS)
            after = (resident_bytes(server.process.pid) - before) / (CONNECTIONS - 100)
            print(f"after news for all: {after:.0f} bytes each")
            watchers.close()
            visitor.close()
            self.assertLess(each, MOST_BYTES_EACH)
            self.assertLess(after, MOST_BYTES_EACH)


if __name__ == "__main__":
    ROWBOT = sys.argv[1]
    if len(sys.argv) > 2:
        CONNECTIONS = int(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
