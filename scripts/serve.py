"""Build the site and serve it to browsers on this machine."""

from __future__ import annotations

import argparse
import errno
import functools
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from scripts import StageError, run_main
from scripts.site import build_site

_HOST = "127.0.0.1"
_STAGE = "serve"


class SiteHandler(SimpleHTTPRequestHandler):
    """Serves the site's files with the types that browsers ask of modules and WebAssembly."""

    # The operating system's own table, which the base class reads, often lacks these.
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".css": "text/css",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript",
        ".json": "application/json",
        ".mjs": "text/javascript",
        ".packed": "application/octet-stream",
        ".svg": "image/svg+xml",
        ".webmanifest": "application/manifest+json",
        ".zip": "application/zip",
    }

    def end_headers(self) -> None:
        """Have the browser ask again each time: a rebuilt site must be seen at once."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: a line for each request would hide the address."""


class SiteServer(ThreadingHTTPServer):
    """Serves each request in a thread of its own."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over browsers that hang up: a page that is closed ends its downloads so."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def open_server(site: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of the site that listens already.

    Args:
        site: the site's folder.
        port: TCP port on 127.0.0.1; 0 for any free one.

    Raises:
        StageError: the port is taken or not allowed.
    """
    handler = functools.partial(SiteHandler, directory=str(site))
    try:
        return SiteServer((_HOST, port), handler)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        cause = f"port {port} is taken by another program" if taken else str(error)
        raise StageError(
            _STAGE, cause, "choose another port with --port, or end what uses this one"
        ) from error


def main() -> int:
    """Build, say the address, serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m scripts.serve", description=__doc__)
    parser.add_argument("--port", type=int, default=8000, help="0 for any free port")
    parser.add_argument("--wheel", type=Path, help="Triton's wheel; default: the released one")
    words = parser.parse_args()
    with open_server(build_site(words.wheel), words.port) as server:
        print(f"Triton Playground: http://{_HOST}:{server.server_port}/", flush=True)
        print("Ctrl+C ends it.", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    run_main(main)
