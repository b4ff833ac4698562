"""A client of `zeno serve`: starts a server, sends requests as JSON lines, follows cursors. Standard library only.

    with Zeno("path/to/folder") as zeno:
        for hit in zeno.pages("grep", "hits", pattern="TODO"):
            print(hit["path"], hit["line"], hit["text"])
"""

import json
import subprocess
import sys


class ZenoError(Exception):
    """The message of an answer with ok: false."""


class Zeno:
    def __init__(self, root, *flags, command="zeno"):
        arguments = [command, "serve", "--root", root, *flags]
        self._server = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._number = 0

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()

    def close(self):
        """Ends the input; the server exits after its last answer."""
        self._server.stdin.close()
        self._server.stdout.close()
        return self._server.wait()

    def request(self, op, **args):
        """Sends one request and returns its result. Answers come in the order of the requests."""
        self._number += 1
        line = json.dumps({"id": str(self._number), "op": op, "args": args})
        self._server.stdin.write(line.encode() + b"\n")
        self._server.stdin.flush()
        answer = json.loads(self._server.stdout.readline() or b'{"ok":false,"error":{"message":"the server ended"}}')
        if not answer["ok"]:
            raise ZenoError(answer["error"]["message"])
        return answer["result"]

    def pages(self, op, items, **args):
        """Yields the items of all pages of an answer."""
        while True:
            result = self.request(op, **args)
            yield from result[items]
            if "next_cursor" not in result:
                return
            args["cursor"] = result["next_cursor"]


if __name__ == "__main__":
    with Zeno(sys.argv[1]) as server:
        for found in server.pages("grep", "hits", pattern=sys.argv[2], max_hits=1000):
            print(f"{found['path']}:{found['line']}: {found['text']}")
