# For scripts that measure the window: builds the program, starts a virtual display if there is none, and makes a folder.
# Sets `program` and `work`. On exit, ends the display and the process `lab`, and removes the folder.
cargo build --release --locked
program=${CARGO_TARGET_DIR:-target}/release/timeslice-lab
work=$(mktemp -d) lab= server=
trap 'kill $lab $server 2>/dev/null || true; rm -rf "$work"' EXIT
if [[ -z ${DISPLAY:-} ]]; then
    mkfifo "$work/display"
    Xvfb -displayfd 3 -screen 0 1600x1000x24 -noreset -nolisten tcp 3>"$work/display" 2>/dev/null &
    server=$!
    read -r number <"$work/display"
    export DISPLAY=:$number
fi
