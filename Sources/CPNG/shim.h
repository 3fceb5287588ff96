#include <png.h>

// Swift cannot see constants that are made of others, and the two functions that describe an image are macros.
static const png_uint_32 TACIT_PNG_RGB = PNG_FORMAT_RGB;
