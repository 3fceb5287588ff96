# limit: 180
# A small part of what `make soak` does: nothing is lost, whatever is killed.
set -e
"$TACIT_REPOSITORY/Tests/Soak/soak.py" --program "$TACIT" --messages 60 --kills 12 --relay-kills 2 --seed 7
"$TACIT_REPOSITORY/Tests/Soak/integrity.py" --program "$TACIT" --kills 24 --full 12 --seed 7
"$TACIT_REPOSITORY/Tests/Soak/moving.py" --program "$TACIT" --kills 20 --seed 7
"$TACIT_REPOSITORY/Tests/Soak/channel-relay.py" --program "$TACIT" --kills 6 --seed 7
