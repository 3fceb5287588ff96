#!/bin/sh
# Writes an archive of the store into a folder, and keeps the last seven.
#
#     30 3 * * *  ~/bin/backup.sh /mnt/backup/tacit
#
# The archive is encrypted with the key of the store, and the key is not inside: keep a copy of it elsewhere. To restore:
#
#     tacit import /mnt/backup/tacit/tacit-2026-11-22.zip --dry-run      # what is in it
#     tacit import /mnt/backup/tacit/tacit-2026-11-22.zip
#
# Do not use the old store any more after that: two copies that both run break each other's encryption.
set -eu
folder=${1:?usage: backup.sh FOLDER}
mkdir -p -m 700 "$folder"
tacit export -q --force "$folder/tacit-$(date +%F).zip"
# The newest last; all but seven go.
ls "$folder"/tacit-????-??-??.zip | head -n -7 | while read -r old; do rm -- "$old"; done
