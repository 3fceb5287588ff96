#include <zstd.h>
#include <zstd_errors.h>

// Swift cannot see constants that are computed by a macro.
static const unsigned long long TACIT_ZSTD_SIZE_UNKNOWN = ZSTD_CONTENTSIZE_UNKNOWN;
static const unsigned long long TACIT_ZSTD_SIZE_ERROR = ZSTD_CONTENTSIZE_ERROR;
