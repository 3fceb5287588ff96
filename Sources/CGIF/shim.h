#include <stdlib.h>
#include <gif_lib.h>
