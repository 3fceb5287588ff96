#!/bin/sh
# Warns a contact once a day about each file system that is nearly full.
#
#     0 * * * *  ~/bin/disk-monitor.sh @ops 90
set -eu
target=${1:?usage: disk-monitor.sh TARGET [PERCENT]} limit=${2:-90}

df -P -x tmpfs -x devtmpfs | awk -v limit="$limit" 'NR > 1 && $5 + 0 >= limit { print $5, $6 }' |
    while read -r used place; do
        tacit send -q "$target" --once "disk-$place-$(date +%F)" -- "$place on $(hostname) is $used full" || [ $? -eq 75 ]
    done
