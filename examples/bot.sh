#!/bin/sh
# Answers messages: "ping" with "pong", "time" with the time, anything else with a list of what it knows.
#
#     tacit watch --cursor bot --exec ./bot.sh     # as they arrive
#     tacit read --cursor bot --exec ./bot.sh      # those that have arrived, for cron after tacit fetch
#
# It is run once for each message, with one JSON object on standard input. If it fails, the message comes again: --once makes
# that safe. Needs jq.
set -eu
message=$(cat)
field() { printf '%s' "$message" | jq -r "$1 // empty"; }

# Its own messages and events such as a new contact need no answer.
[ "$(field .type)" = message ] && [ "$(field .direction)" = in ] || exit 0

case $(field .text) in
ping) answer=pong ;;
time) answer=$(date -u +%H:%M) ;;
*) answer='I know: ping, time' ;;
esac
exec tacit send -q --wait queued --once "bot-$(field .id)" "id:$(field .chat_id)" -- "$answer"
