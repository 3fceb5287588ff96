# The program is one file: no library is needed beside it, and nobody can slip one in.
set -eu

fail() {
    echo "$1" >&2
    exit 1
}

[ -x "$TACIT" ] || fail "there is no $TACIT"
dynamic=$(readelf -dW "$TACIT")
sections=$(readelf -SW "$TACIT")

case $dynamic in
*"FLAGS_1)"*NOW*PIE*) ;;
*) fail "it is not position-independent, or resolves addresses late" ;;
esac
case $dynamic in *PATH*) fail "it looks for libraries in other places than the system's" ;; esac
case $dynamic in *NEEDED*[lL]ib*[sS]wift* | *libFoundation* | *libdispatch*) fail "it needs the Swift library" ;; esac
# Searching a text for a text (String.contains) links a library for regular expressions: 1.3 MB for one call.
if grep -aq _StringProcessing "$TACIT"; then fail "it holds the library for regular expressions"; fi
case $sections in *.symtab* | *.debug_*) fail "it is not stripped" ;; esac

# Where the system has no static form of a library, scripts/build leaves it out of this folder.
for library in "$TACIT_REPOSITORY"/.build/static/lib*.a; do
    name=$(basename "$library" .a)
    case $dynamic in *"[$name.so"*) fail "it needs $name" ;; esac
done
