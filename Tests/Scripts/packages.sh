# limit: 300
# What is handed out is complete, the same whenever and wherever it is made, and leaves nothing behind when it is removed.
set -eu

fail() {
    echo "$1" >&2
    exit 1
}

unset SOURCE_DATE_EPOCH DPKG_ROOT
repository=$TACIT_REPOSITORY
quiet="make --no-print-directory -s"

# A copy without history that makes packages in a folder of its own. What is ignored stays behind.
copy() {
    mkdir "$1"
    (cd "$repository" && find . -maxdepth 1 ! -name . ! -name .build ! -name .git ! -name .swiftpm) |
        (cd "$repository" && xargs tar -cf -) | tar -xf - -C "$1"
}

# Installed, everything is there and names the program where it is; uninstalled, nothing is.
for prefix in /usr/local "$HOME/.local"; do
    place=$PWD/place
    $quiet -C "$repository" install program="$TACIT" PREFIX="$prefix" DESTDIR="$place"
    installed=$place$prefix
    cmp "$TACIT" "$installed/bin/tacit"
    units=$(find "$installed" -name '*.service' -o -name '*.timer')
    [ "$(echo "$units" | wc -l)" = 6 ] || fail "there are other units: $units"
    # shellcheck disable=SC2086 # names without spaces
    wrong=$(grep -h '^Exec' $units "$installed/share/applications/tacit.desktop" | grep -v -e "=$prefix/bin/tacit " \
        -e '^ExecReload=/bin/kill -HUP \$MAINPID$') || true
    [ -z "$wrong" ] || fail "the program is not there: $wrong"
    [ -x "$installed/share/doc/tacit/examples/hooks/on-message" ] || fail "there is no example of a hook"
    [ ! -e "$installed/bin/simplex-chat" ] || fail "the link is there although nobody asked for it"
    $quiet -C "$repository" uninstall PREFIX="$prefix" DESTDIR="$place"
    left=$(find "$place" ! -type d)
    [ -z "$left" ] || fail "still there: $left"
    [ ! -e "$installed/share/doc/tacit" ] || fail "an empty folder is left"
    rm -r "$place"
done

# The link is installed if that is asked for, and the official program is never replaced or removed.
place=$PWD/place
$quiet -C "$repository" install program="$TACIT" DESTDIR="$place" SIMPLEX_CHAT=yes
link=$place/usr/local/bin/simplex-chat
[ "$(readlink "$link")" = tacit ] || fail "there is no link"
[ "$("$link" --version)" = "tacit $("$TACIT" version --plain)" ] || fail "the link is no program"
$quiet -C "$repository" install program="$TACIT" DESTDIR="$place" SIMPLEX_CHAT=yes
$quiet -C "$repository" uninstall DESTDIR="$place"
[ ! -L "$link" ] || fail "the link is still there"
echo official >"$link"
if $quiet -C "$repository" install program="$TACIT" DESTDIR="$place" SIMPLEX_CHAT=yes 2>log; then fail "it was replaced"; fi
grep -q 'is another program' log || { cat log; fail "it is not said why"; }
$quiet -C "$repository" install program="$TACIT" DESTDIR="$place"
$quiet -C "$repository" uninstall DESTDIR="$place"
[ "$(cat "$link")" = official ] || fail "the official program is gone"
rm -r "$place"

grep -q '^MimeType=x-scheme-handler/simplex;$' "$repository/desktop/tacit.desktop" || fail "nobody opens links"
if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "$repository/desktop/tacit.desktop"
else
    echo "skipped: desktop-file-validate is not installed"
fi

# The package.
if command -v dpkg-deb >/dev/null; then
    copy one
    copy another
    export SOURCE_DATE_EPOCH=1790000000
    one=$PWD/one/$($quiet -C one deb program="$TACIT")
    # Elsewhere, with another umask, other temporary files, and files that are older.
    mkdir other-temporary
    find another -exec touch -h -d '2001-01-01' {} +
    another=$PWD/another/$(umask 077 && TMPDIR=$PWD/other-temporary TZ=Asia/Tokyo $quiet -C another deb program="$TACIT")
    unset SOURCE_DATE_EPOCH
    cmp "$one" "$another" || fail "two packages with one program differ"

    [ "$(dpkg-deb -f "$one" Package)" = tacit ]
    version=$("$TACIT" version --plain)
    [ "$(dpkg-deb -f "$one" Version)" = "$version-1" ] || fail "the package has another version than the program"
    needed=$(dpkg-deb -f "$one" Depends)
    case $needed in *"libc6 (>= "*) ;; *) fail "it needs nothing: $needed" ;; esac
    # A glibc that refuses the program must be refused by the package.
    if readelf -VW "$TACIT" | grep -q GLIBC_ABI_DT_RELR; then
        oldest=$(echo "$needed" | sed 's/^.*libc6 (>= \([^)]*\)).*$/\1/')
        dpkg --compare-versions "$oldest" ge 2.36 || fail "an older glibc will do: $needed"
    fi

    dpkg-deb -x "$one" contents
    dpkg-deb -e "$one" control
    (cd contents && md5sum --quiet -c ../control/md5sums)
    [ "$(wc -l <control/md5sums)" = "$(find contents -type f | wc -l)" ] || fail "not every file has a sum"
    cmp "$TACIT" contents/usr/bin/tacit
    for page in "$repository"/man/*; do
        gzip -dc "contents/usr/share/man/man${page##*.}/${page##*/}.gz" | cmp - "$page"
    done
    for file in README.md SECURITY.md docs/demo.svg copyright changelog.gz changelog.Debian.gz; do
        [ -s "contents/usr/share/doc/tacit/$file" ] || fail "there is no $file"
    done
    writable=$(find contents -perm /022 ! -type l)
    [ -z "$writable" ] || fail "others may write to $writable"

    if command -v lintian >/dev/null; then
        lintian --allow-root --fail-on error,warning "$one"
    else
        echo "skipped: lintian is not installed"
    fi

    # Installed in a system that is empty, and removed again.
    system=$PWD/system
    mkdir -p "$system/var/lib/dpkg/updates" "$system/var/lib/dpkg/info" "$system/var/lib/dpkg/alternatives" \
        "$system/var/log" "$system/etc/alternatives"
    : >"$system/var/lib/dpkg/status"
    : >"$system/var/lib/dpkg/available"
    # The empty system has no glibc and no shell.
    dpkg="dpkg --root=$system --force-not-root --force-bad-path --force-depends --force-script-chrootless"
    PATH=$PATH:/usr/sbin:/sbin $dpkg -i "$one" >log 2>&1 || { cat log; fail "it cannot be installed"; }
    cmp "$TACIT" "$system/usr/bin/tacit"
    [ "$(readlink "$system/usr/bin/simplex-chat")" = /etc/alternatives/simplex-chat ] || fail "no alternative"
    [ "$(readlink "$system/etc/alternatives/simplex-chat")" = /usr/bin/tacit ] || fail "another alternative"
    PATH=$PATH:/usr/sbin:/sbin $dpkg -P tacit >log 2>&1 || { cat log; fail "it cannot be removed"; }
    left=$(cd "$system" && find . -name '*tacit*' -o -name '*simplex*')
    [ -z "$left" ] || fail "still there: $left"
else
    echo "skipped: dpkg-deb is not installed"
fi

# The archive of the source.
if git -C "$repository" rev-parse --git-dir >/dev/null 2>&1; then
    one=$repository/$($quiet -C "$repository" dist 2>/dev/null)
    git clone -q --no-hardlinks "$repository" clone
    another=$PWD/clone/$(TZ=Asia/Tokyo $quiet -C clone dist)
    cmp "$one" "$another" || fail "two archives of one commit differ"
    mkdir archive
    tar -xzf "$one" -C archive --strip-components 1
    (cd archive && find . ! -type d | sort) >in-archive
    git -C "$repository" ls-tree -r --name-only HEAD | sed 's|^|./|' | sort >in-commit
    cmp in-archive in-commit || fail "the archive is not the commit"
else
    echo "skipped: there is no history to make an archive of"
fi
