#include <zlib.h>

// The functions that begin a stream are macros, which Swift cannot see. The negative window makes it raw deflate,
// without the header of zlib's own format.
static inline int tacit_deflate_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}

static inline int tacit_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, -MAX_WBITS);
}
