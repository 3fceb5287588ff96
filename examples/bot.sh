#!/bin/sh
# Answers messages: "ping" with "pong", "time" with the time, other texts with a list of commands.
#
#     tacit watch --cursor bot --exec ./bot.sh     # answer messages as they arrive
#     tacit read --cursor bot --exec ./bot.sh      # answer received messages, for cron after tacit fetch
#
# It runs once for each message, with one JSON object on standard input. If it fails, it runs again for the same message; --once
# prevents a second answer. Needs jq.
set -eu
message=$(cat)
field() { printf '%s' "$message" | jq -r "$1 // empty"; }

# Sent messages, and events such as a new contact, need no answer.
[ "$(field .type)" = message ] && [ "$(field .direction)" = in ] || exit 0

case $(field .text) in
ping) answer=pong ;;
time) answer=$(date -u +%H:%M) ;;
*) answer='I know: ping, time' ;;
esac
exec tacit send -q --wait queued --once "bot-$(field .id)" "id:$(field .chat_id)" -- "$answer"
