#!/bin/sh
# Sends a message to a contact when a command starts to fail, and when it works again.
#
#     */5 * * * *  ~/bin/health-check.sh @ops web curl -fsS -o /dev/null --max-time 10 https://www.example.org/
#
# TARGET receives the message. NAME is the name of the check in the message. COMMAND must fail if there is a problem. The result of
# the last run is stored in ~/.local/state/health-check.
set -eu
[ $# -ge 3 ] || { echo "usage: health-check.sh TARGET NAME COMMAND..." >&2; exit 64; }
target=$1 name=$2
shift 2

folder=${XDG_STATE_HOME:-$HOME/.local/state}/health-check
mkdir -p "$folder"
before=$(cat "$folder/$name" 2>/dev/null || echo works)
if output=$("$@" 2>&1); then now=works; else now=fails; fi
[ "$now" != "$before" ] || exit 0

case $now in
works) text="$name works again" ;;
fails) text="$name fails: $(printf '%s' "$output" | head -c 500)" ;;
esac
tacit send -q "$target" -- "$text" || [ $? -eq 75 ] # 75: queued, the next fetch sends it
echo "$now" >"$folder/$name"
