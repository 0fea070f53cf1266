"""A real `rowbot serve` for tests, and a visitor who talks to it."""

import http.client
import json
import re
import subprocess
import threading


class Serving:
    """The server as a process of its own; `with Serving(program, database) as server`."""

    def __init__(self, program, database, port=0, *more, enter=None):
        self.command = [program, "serve", "--port", str(port), "--db", str(database), *more]
        self.process = None
        self.port = port
        self.enter = enter  # called in the new process before the program begins

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=self.enter
        )
        line = self.process.stdout.readline()
        found = re.search(r"http://[^:]+:(\d+)/", line)
        if not found:
            raise AssertionError(f"no address: {line!r} {self.process.stderr.read()}")
        self.port = int(found.group(1))
        # Nobody may fill the pipe.
        self.messages = []  # what it wrote on standard error so far
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=60)
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()

    def listen(self):
        for line in self.process.stderr:
            self.messages.append(line)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Visitor:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def call(self, method, path, body=None, headers=None):
        """Status, JSON (or text) and headers."""
        data = None if body is None else json.dumps(body)
        type_of_body = {} if data is None else {"Content-Type": "application/json"}
        self.connection.request(method, path, data, {**type_of_body, **(headers or {})})
        answer = self.connection.getresponse()
        text = answer.read()
        is_json = answer.getheader("Content-Type", "").startswith("application/json")
        return answer.status, json.loads(text) if is_json else text, answer

    def get(self, path):
        return self.call("GET", path)[:2]

    def post(self, path, body=None):
        return self.call("POST", path, body)[:2]

    def close(self):
        self.connection.close()
