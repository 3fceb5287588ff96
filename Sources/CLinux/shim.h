// Parts of the C library that Swift's Glibc module leaves out.
#include <fcntl.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

// The headers show these only to programs that ask for GNU extensions.
struct sockaddr;
int syncfs(int descriptor);
int pipe2(int descriptors[2], int flags);
int memfd_create(const char *name, unsigned int flags);
int accept4(int socket, struct sockaddr *address, unsigned int *length, int flags);
static const int TACIT_O_TMPFILE = __O_TMPFILE | O_DIRECTORY;

// The kernel keyring (keyrings(7)) has no functions in the C library, and syscall is variadic.
#include <linux/keyctl.h>
#include <linux/memfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

static inline long tacit_add_key(const char *description, const void *payload, size_t size, int keyring) {
    return syscall(SYS_add_key, "user", description, payload, size, keyring);
}

static inline long tacit_search_key(int keyring, const char *description) {
    return syscall(SYS_keyctl, KEYCTL_SEARCH, keyring, "user", description, 0);
}

static inline long tacit_read_key(int key, void *payload, size_t size) {
    return syscall(SYS_keyctl, KEYCTL_READ, key, payload, size);
}

static inline long tacit_keyctl(int operation, int key, unsigned long argument) {
    return syscall(SYS_keyctl, operation, key, argument, 0, 0);
}

// Who is at the other end of a Unix socket (unix(7)), which the headers show to programs that ask for GNU extensions.
#include <sys/socket.h>
struct tacit_ucred {
    int pid;
    unsigned int uid;
    unsigned int gid;
};

// A descriptor that is readable when a process has ended (pidfd_open(2)); the C library has it since 2.36.
static inline int tacit_pidfd_open(int pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

// prctl is variadic.
#include <sys/prctl.h>
static inline int tacit_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
