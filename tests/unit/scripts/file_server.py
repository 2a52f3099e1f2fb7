"""A real HTTP server for files, which can break off or refuse transfers."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FileServer:
    """Serves bytes by path on 127.0.0.1 and notes the Range header of every request."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.ranges: list[str | None] = []
        # How many bytes of a body to send before the connection breaks, request by request.
        self.break_after: list[int] = []
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self._thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        self._thread.start()
        self._shutdown: Callable[[], None] = server.shutdown
        self._close: Callable[[], None] = server.server_close

    def close(self) -> None:
        self._shutdown()
        self._thread.join()
        self._close()


def _handler(owner: FileServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = owner.files.get(self.path)
            if body is None:
                self.send_error(404)
                return
            asked = self.headers.get("Range")
            owner.ranges.append(asked)
            start = int(match[1]) if (match := re.match(r"bytes=(\d+)-", asked or "")) else 0
            if start >= len(body) > 0:
                self.send_error(416)
                return
            rest = body[start:]
            self.send_response(206 if asked else 200)
            self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "x/y")
            self.send_header("Content-Length", str(len(rest)))
            self.end_headers()
            broken = owner.break_after.pop(0) if owner.break_after else len(rest)
            self.wfile.write(rest[:broken])
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
