# Every page of the manual is understood by groff and mandoc, and `make install` puts pages and completions in place.
set -eu
cd "$TACIT_REPOSITORY"

for program in groff mandoc; do
    command -v $program >/dev/null || echo "skipped: $program is not installed"
done
for page in man/*; do
    if command -v groff >/dev/null; then
        said=$(groff -ww -man -Tutf8 -z "$page" 2>&1)
        [ -z "$said" ] || { echo "$said"; exit 1; }
    fi
    if command -v mandoc >/dev/null; then mandoc -T lint "$page"; fi
done

place=$TMPDIR/place
make --no-print-directory install program="$TACIT" DESTDIR="$place" PREFIX=/usr
[ -x "$place/usr/bin/tacit" ]
for page in man/*; do
    cmp "$page" "$place/usr/share/man/man${page##*.}/${page##*/}"
done
cmp completions/tacit.bash "$place/usr/share/bash-completion/completions/tacit"
cmp completions/_tacit "$place/usr/share/zsh/site-functions/_tacit"
cmp completions/tacit.fish "$place/usr/share/fish/vendor_completions.d/tacit.fish"
for shell in bash fish; do "$TACIT" completion $shell | cmp - completions/tacit.$shell; done
"$TACIT" completion zsh | cmp - completions/_tacit
