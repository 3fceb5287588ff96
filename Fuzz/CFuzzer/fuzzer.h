#include <stddef.h>
#include <stdint.h>

// libFuzzer's own loop, which calls `body` with one input after the other.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*body)(const uint8_t *data, size_t size));
