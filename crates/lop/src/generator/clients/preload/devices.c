/* devices.c: the files /dev/urandom and /dev/random, which programs open and read as they do any other.
 *
 * What it keeps to: only what is read from a random device comes from lop, and all other files are the program's as ever. Whether a number
 * still belongs to a device is looked up at each read, since the program may have closed it in ways that nobody sees here.
 */
#include "preload.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* musl's headers make these names other ones, but a program may have been linked with either. */
#undef open64
#undef openat64
#undef fopen64

/* Which of the open files are random devices; those with a higher number are not noticed. */
enum { MOST_FILES = 4096 };
static unsigned char is_device[MOST_FILES];

static int names_device(const char *path) {
    return path && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

static int open_at(int directory, const char *path, int flags, mode_t mode) {
    /* An allocator may open files before this library is set up; then the C library cannot be asked for its functions yet. */
    int file = real.openat ? real.openat(directory, path, flags, mode) : (int)syscall(SYS_openat, directory, path, flags, mode);
    if (file >= 0 && file < MOST_FILES && names_device(path) && is_asked()) is_device[file] = 1;
    return file;
}

/* The mode is only there if a file may be made. */
#define TAKE_MODE(flags, mode)                               \
    mode_t mode = 0;                                         \
    if ((flags)&O_CREAT || ((flags)&O_TMPFILE) == O_TMPFILE) { \
        va_list rest;                                        \
        va_start(rest, flags);                               \
        mode = va_arg(rest, mode_t);                         \
        va_end(rest);                                        \
    }

STANDS_IN int open(const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_at(AT_FDCWD, path, flags, mode);
}

STANDS_IN int open64(const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

STANDS_IN int openat(int directory, const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_at(directory, path, flags, mode);
}

STANDS_IN int openat64(int directory, const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_at(directory, path, flags | O_LARGEFILE, mode);
}

STANDS_IN ssize_t read(int file, void *buffer, size_t count) {
    if (file >= 0 && file < MOST_FILES && is_device[file]) {
        struct stat what;
        /* The program may have closed it and opened another file, which then has the same number. */
        is_device[file] = fstat(file, &what) == 0 && S_ISCHR(what.st_mode) && major(what.st_rdev) == 1 &&
                          (minor(what.st_rdev) == 8 || minor(what.st_rdev) == 9);
        if (is_device[file] && enter()) {
            /* Who asks for that much wants to fill a buffer, and takes less. */
            if (count >= 4096) count = 64;
            draw_bytes(buffer, count);
            leave();
            return (ssize_t)count;
        }
    }
    return real.read ? real.read(file, buffer, count) : syscall(SYS_read, file, buffer, count);
}

static ssize_t read_device(void *buffer_of_stream, char *buffer, size_t count) {
    (void)buffer_of_stream;
    if (enter()) {
        draw_bytes(buffer, count);
        leave();
    } else {
        real_bytes(buffer, count);
    }
    return (ssize_t)count;
}

static int close_device(void *buffer_of_stream) {
    free(buffer_of_stream);
    return 0;
}

/* A stream with a buffer of eight bytes, which are one choice; as many as a stream has as a rule would be drawn for nothing. The streams
 * of libstdc++ only take the number of the file and read from that. */
static FILE *open_stream(const char *path, const char *mode, const void *caller) {
    static const cookie_io_functions_t functions = {read_device, NULL, NULL, close_device};
    Dl_info info;
    FILE *stream;
    char *buffer;
    set_up();
    if (!names_device(path) || !is_asked()) return real.fopen(path, mode);
    if (dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libstdc++")) {
        stream = real.fopen(path, mode);
        if (stream && fileno(stream) < MOST_FILES) is_device[fileno(stream)] = 1;
        return stream;
    }
    buffer = malloc(8);
    stream = buffer ? fopencookie(buffer, mode, functions) : NULL;
    if (stream) setvbuf(stream, buffer, _IOFBF, 8);
    else free(buffer);
    return stream;
}

STANDS_IN FILE *fopen(const char *path, const char *mode) {
    return open_stream(path, mode, __builtin_return_address(0));
}

STANDS_IN FILE *fopen64(const char *path, const char *mode) {
    return open_stream(path, mode, __builtin_return_address(0));
}
