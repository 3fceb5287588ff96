#!/bin/sh
# Writes an archive of the store to a folder, and keeps the last seven archives.
#
#     30 3 * * *  ~/bin/backup.sh /mnt/backup/tacit
#
# The archive is encrypted with the key of the store and does not contain the key: keep a copy of it elsewhere. To restore:
#
#     tacit import /mnt/backup/tacit/tacit-2026-11-22.zip --dry-run      # show the contents
#     tacit import /mnt/backup/tacit/tacit-2026-11-22.zip
#
# After that, do not use the old store: two copies that both run break the encryption of all conversations.
set -eu
folder=${1:?usage: backup.sh FOLDER}
mkdir -p -m 700 "$folder"
tacit export -q --force "$folder/tacit-$(date +%F).zip"
# Sorted by date: all but the last seven are removed.
ls "$folder"/tacit-????-??-??.zip | head -n -7 | while read -r old; do rm -- "$old"; done
