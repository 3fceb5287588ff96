// Parts of the C library that Swift's Glibc module leaves out.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

// The headers show these only to programs that ask for GNU extensions.
struct sockaddr;
int syncfs(int descriptor);
int pipe2(int descriptors[2], int flags);
int accept4(int socket, struct sockaddr *address, unsigned int *length, int flags);
static const int TACIT_O_TMPFILE = __O_TMPFILE | O_DIRECTORY;
