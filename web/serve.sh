#!/usr/bin/env bash
# Serves the page that web/build.sh has made, on this computer alone: web/serve.sh [PORT], 8000 unless given.
set -euo pipefail

dist=$(dirname "$0")/dist
port=${1:-8000}
[[ $port =~ ^[0-9]{1,5}$ ]] && ((10#$port <= 65535)) || {
    echo "$0 takes a port, a whole number from 0 (any that is free) to 65535, not '$port'" >&2
    exit 2
}
[[ -f $dist/index.html ]] || {
    echo "$0: there is no page yet; web/build.sh makes it" >&2
    exit 1
}
command -v python3 >/dev/null || {
    echo "$0: python3 is not installed; any other web server will do, its root being $dist" >&2
    exit 1
}
exec python3 - "$dist" "$port" <<'SERVER'
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class Page(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm"}

    def end_headers(self):
        # A page that is by itself is given a finer clock: steps of 5 µs instead of 100 in Chromium.
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        # What was just built is what is shown.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        pass


folder, port = sys.argv[1], int(sys.argv[2])
try:
    server = ThreadingHTTPServer(("127.0.0.1", port), partial(Page, directory=folder))
except OSError as error:
    sys.exit(f"web/serve.sh: port {port} cannot be had ({error.strerror}); name another one")
print(f"http://localhost:{server.server_port}/ shows the page; Ctrl+C ends it", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    pass
SERVER
