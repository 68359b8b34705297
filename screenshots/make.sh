#!/usr/bin/env bash
# Retakes all screenshots and the recording from the real window on its own virtual display (Xvfb):
# screenshots/make.sh [FOLDER].
# FRAMES is the number of frames drawn before each screenshot. The default of 420 fills the plots.
set -euo pipefail

folder=$(realpath "${1:-$(dirname "$0")}")
mkdir -p "$folder/strategies" "$folder/views"
frames=${FRAMES:-420}
cd "$(dirname "$0")/.."

for tool in Xvfb xdotool cargo; do
    command -v "$tool" >/dev/null || {
        echo "$0: $tool is not installed (Debian, Ubuntu: apt-get install xvfb xdotool; cargo: https://rustup.rs)" >&2
        exit 1
    }
done

cargo build --release --locked
work=$(mktemp -d)
server= lab=
trap 'kill $lab $server 2>/dev/null || true; rm -rf "$work"' EXIT

# Waits until a command succeeds: await DESCRIPTION COMMAND...
await() {
    local what=$1 deadline=$((SECONDS + 60))
    shift
    until "$@"; do
        if ((SECONDS > deadline)); then
            echo "$0: gave up waiting for $what" >&2
            exit 1
        fi
        sleep 0.05
    done
}

Xvfb -displayfd 3 -screen 0 1600x1000x24 -noreset -nolisten tcp 3>"$work/display" 2>/dev/null &
server=$!
await "Xvfb" test -s "$work/display"
DISPLAY=:$(cat "$work/display")
export DISPLAY
unset WAYLAND_DISPLAY
xdotool mousemove 1599 999 # outside the window, so the target moves by itself

timeslice-lab() {
    cargo run --release --locked --quiet -- "$@"
}

# Takes NAME.png of the window: shoot NAME FLAGS...
shoot() {
    local name=$1
    shift
    timeslice-lab "$@" --frames "$frames" --screenshot "$folder/$name.png"
    echo "$folder/$name.png"
}

# Opens the window, so that keys can control it: open FLAGS... The log goes to $work/log.
open() {
    : >"$work/log"
    timeslice-lab "$@" --log "$work/log" &
    lab=$!
    await "the window" grep -q ' frame ' "$work/log"
    xdotool search --onlyvisible --name '^Timeslice Lab' windowfocus --sync
}

# Waits until the window has closed and has saved FILE: close FILE.
close() {
    wait "$lab"
    lab=
    echo "$folder/$1"
}

log_has() {
    (($(grep -c "$1" "$work/log") >= $2))
}

# Everything runs on the simulated machine, because drawing may take much longer on this one.

# Record views/switching.gif with keys: all tasks at once, the same work spread over the interval, and back. The window
# closes by itself, because the question before quitting would be in the recording.
open --size 960x600 --strategy all-at-once --still 1 --frames 180 --record "$folder/views/switching.gif"
xdotool key space
for strategy in fixed-interval all-at-once; do
    key=$(timeslice-lab list | awk -v strategy="$strategy" '$2 == strategy { print $1 }')
    recorded=$((${recorded:-0} + 60))
    await "$recorded frames" log_has ' frame ' "$recorded"
    xdotool key "$key"
done
close views/switching.gif

# Takes NAME.png: still NAME FLAGS...
still() {
    local name=$1
    shift
    timeslice-lab "$@" --still "$frames" --frames 10 --screenshot "$folder/$name.png"
    echo "$folder/$name.png"
}

still views/grid
still views/loops --view loops
still views/jitter --view loops --jitter-ms 0.3
# Needs many frames until the answer is found.
shoot views/compare --view compare --entities 800 --cost-us 60 --cost-spread 0.8 --budget-ms 3 --worst-s 1 \
    --still "$frames"
still views/million --entities 1000000 --cost-us 0 --churn-per-s 2000

keys=$(timeslice-lab list | awk '/^Strategies/ { on = 1; next } /^$/ { on = 0 } on { print length($1) == 1 ? $2 : $1 }')
for key in $keys; do
    case $key in
        all-at-once) ;;                                      # taken below, between two bursts
        time-budget) still "strategies/$key" --strategy "$key" --cost-us 400 ;; # more than the budget allows
        *) still "strategies/$key" --strategy "$key" ;;
    esac
done

# Takes NAME.png AFTER frames after the last frame in which all tasks run: still_burst NAME AFTER FLAGS...
still_burst() {
    local name=$1 after=$2 burst
    shift 2
    burst=$(timeslice-lab run --strategy all-at-once "$@" --frames "$((frames - after))" |
        awk -F, '$5 == 400 { frame = $1 } END { print frame }')
    timeslice-lab --strategy all-at-once "$@" --still "$((burst + 1 + after))" --frames 10 --screenshot "$folder/$name.png"
    echo "$folder/$name.png"
}

still_burst strategies/all-at-once 12
still_burst views/burst 0 --cost-us 120 --cost-spread 0.4

# The timeline of a small crowd with a pinned entity. The window closes by itself, because Escape would unpin the
# entity.
open --still "$frames" --frames 400 --entities 72 --cost-us 550 --cost-spread 0.4 --screenshot "$folder/views/timeline.png"
xdotool mousemove --window "$(xdotool search --onlyvisible --name '^Timeslice Lab')" 568 236 # an entity
xdotool click 1
await "the pin" log_has ' pinned ' 1
xdotool mousemove --window "$(xdotool search --onlyvisible --name '^Timeslice Lab')" 126 661 # away from the capsules and from anything with a tooltip
xdotool key t
await "the timeline" log_has ' timeline shown' 1
close views/timeline.png

# The window closes by itself some seconds after the key that shows the help, because Escape would close the help.
open --still "$frames" --frames 300 --screenshot "$folder/views/help.png"
xdotool key question
await "the help" log_has ' help shown' 1
close views/help.png

open --strategy request-list --entities 900 --still "$frames" --frames 300 --screenshot "$folder/views/staleness.png"
xdotool key s
await "the staleness colours" log_has ' staleness shown' 1
close views/staleness.png

# The example. A scripted player plays for some seconds, then F12 saves horde.png in the current folder.
repository=$PWD
(cd "$work" && exec cargo run --release --locked --quiet --manifest-path "$repository/Cargo.toml" --example horde -- --frames 1000000) &
lab=$!
while kill -0 "$lab" && ! xdotool search --onlyvisible --name '^Horde$' windowfocus --sync 2>/dev/null; do
    sleep 0.2 # cargo may have to build it
done
sleep "$((frames / 60 + 1))"
xdotool key F12 Escape
wait "$lab"
lab=
mv "$work/horde.png" "$folder/horde.png"
echo "$folder/horde.png"
