#!/usr/bin/env bash
# Serves the page built by web/build.sh to this computer only: web/serve.sh [PORT]. The default port is 8000.
set -euo pipefail

dist=$(dirname "$0")/dist
port=${1:-8000}
[[ $port =~ ^[0-9]{1,5}$ ]] && ((10#$port <= 65535)) || {
    echo "$0: the port must be a whole number from 0 (any free port) to 65535, not '$port'" >&2
    exit 2
}
[[ -f $dist/index.html ]] || {
    echo "$0: the page is not built yet; run web/build.sh first" >&2
    exit 1
}
command -v python3 >/dev/null || {
    echo "$0: python3 is not installed; use any other web server with $dist as its root" >&2
    exit 1
}
exec python3 - "$dist" "$port" <<'SERVER'
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class Page(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm"}

    def end_headers(self):
        # An isolated page gets a finer clock: Chromium's then has steps of 5 µs instead of 100 µs.
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        # Always serve the latest build.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        pass


folder, port = sys.argv[1], int(sys.argv[2])
try:
    server = ThreadingHTTPServer(("127.0.0.1", port), partial(Page, directory=folder))
except OSError as error:
    sys.exit(f"web/serve.sh: cannot use port {port} ({error.strerror}); choose another one")
print(f"Serving http://localhost:{server.server_port}/ (Ctrl+C to stop)", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    pass
SERVER
