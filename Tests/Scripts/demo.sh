# The demonstration is the first thing that people try.
set -eu
"$TACIT" demo >shown
grep -q 'good to hear from you' shown
# It leaves nothing behind.
[ -z "$(find "$TMPDIR" -name 'tacit-demo-*')" ]
