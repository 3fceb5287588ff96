# The C library is one file that shows the functions of its header and nothing else, and a program in C finds it.
set -eu

fail() {
    echo "$1" >&2
    exit 1
}

library=$TACIT_LIBRARY
header=$TACIT_REPOSITORY/include/simplex.h
[ -f "$library" ] || fail "there is no $library"

# The header, the list for the linker and the library have the same functions.
sed -n 's/^[a-z].*[ *]\(\(chat\|hs\)_[a-z_]*\)(.*/\1/p' "$header" | sort >declared
sed -n 's/^    \([a-z_]*\);$/\1/p' "$TACIT_REPOSITORY/packaging/simplex.symbols" | sort >listed
diff declared listed || fail "the list for the linker is another one"
nm -D --defined-only "$library" | sed 's/.* //' | sort >defined
diff declared defined || fail "the library shows other symbols"

dynamic=$(readelf -dW "$library")
case $dynamic in *NEEDED*[lL]ib*[sS]wift* | *libdispatch*) fail "it needs the Swift library" ;; esac
case $dynamic in *PATH\)*) fail "it looks for libraries in other places than the system's" ;; esac
case $dynamic in *TEXTREL*) fail "its code is changed when it is loaded" ;; esac
for static in "$TACIT_REPOSITORY"/.build/static/lib*.a; do
    name=$(basename "$static" .a)
    case $dynamic in *"[$name.so"*) fail "it needs $name" ;; esac
done

# Installed, a program in C is built with what pkg-config says.
make --no-print-directory -s -C "$TACIT_REPOSITORY" install program="$TACIT" library="$library" PREFIX=/usr/local \
    DESTDIR="$PWD/place"
place=$PWD/place/usr/local
cmp "$library" "$place/lib/libsimplex.so"
cat >main.c <<'END'
#include <simplex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char *argv[]) {
    chat_ctrl ctrl = NULL;
    hs_init_with_rtsopts(&argc, &argv);
    char *result = chat_migrate_init("store", "", "yesUp", &ctrl);
    if (strcmp(result, "{\"type\":\"ok\"}") || !ctrl) return 1;
    free(result);
    result = chat_send_cmd(ctrl, "/users");
    puts(result);
    free(result);
    result = chat_close_store(ctrl);
    if (*result) return 2;
    free(result);
    return 0;
}
END
compiler=$(command -v cc || command -v clang) || { echo "skipped: no C compiler is installed"; exit; }
export PKG_CONFIG_PATH="$place/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$PWD/place"
# shellcheck disable=SC2046 # several words
"$compiler" -Wall -Werror -o main main.c $(pkg-config --cflags --libs simplex) -Wl,-rpath,"$place/lib"
[ "$(./main)" = '{"result":{"type":"usersList","users":[]}}' ] || fail "the program printed something else"

make --no-print-directory -s -C "$TACIT_REPOSITORY" uninstall PREFIX=/usr/local DESTDIR="$PWD/place"
left=$(find place ! -type d)
[ -z "$left" ] || fail "still there: $left"
