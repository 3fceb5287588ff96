// Parts of the C library that Swift's Glibc module leaves out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

// The headers show these only to programs that ask for GNU extensions.
struct sockaddr;
int pipe2(int descriptors[2], int flags);
int accept4(int socket, struct sockaddr *address, unsigned int *length, int flags);
