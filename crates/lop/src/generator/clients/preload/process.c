/* process.c: how it begins and ends: which process draws, when it starts to, and what is left to do when it is over.
 *
 * What it keeps to: a process that passes everything on never draws again, and a fork of one that draws passes everything on. From
 * the first draw on, the choices, the spans and the events change only in the hands of the one thread that holds the lock, or in a fork,
 * which has no other thread.
 */
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static enum { UNKNOWN, PASSING, ASKED, DRAWING } state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* A signal's handler may draw in the middle of a draw; it gets a real number. */
static __thread int is_inside;

/* The choices, if they were given by the number of their file. It is moved out of the way of a program that closes all it knows, and so
 * is that of the events. */
static int choices_file = -1;
/* Once the program ends, what is written goes out at once. */
static int is_ending;

int is_asked(void) {
    set_up();
    return state != PASSING;
}

static int moved(const char *variable) {
    const char *place = getenv(variable);
    int file, high;
    if (!place || strncmp(place, "fd:", 3) != 0) return -1;
    file = atoi(place + 3);
    high = fcntl(file, F_DUPFD_CLOEXEC, 900);
    return high >= 0 ? high : fcntl(file, F_DUPFD_CLOEXEC, 3);
}

static void before_fork(void) {
    pthread_mutex_lock(&lock);
}

static void after_fork(void) {
    pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void) {
    pthread_mutex_init(&lock, NULL);
    /* A fork that has not drawn yet may still become the generator: a shell draws nothing and forks to start it. */
    if (state == DRAWING) {
        state = PASSING;
        forget_events();
    }
}

__attribute__((constructor)) void set_up(void) {
    if (state != UNKNOWN) return;
    state = getenv("LOP_CHOICES") ? ASKED : PASSING;
    find_real();
    if (state == PASSING) return;
    find_itself();
    choices_file = moved("LOP_CHOICES");
    events_file = moved("LOP_EVENTS");
    lead_engines();
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static int open_named(const char *variable, int flags) {
    const char *place = getenv(variable);
    if (!place) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, place, flags | O_CLOEXEC, 0666);
}

/* The first draw of all. Nothing can be said to anybody if the choices cannot be read. */
static void begin(void) {
    if (choices_file < 0) choices_file = open_named("LOP_CHOICES", O_RDONLY);
    if (choices_file < 0) _exit(2);
    read_choices(choices_file);
    syscall(SYS_close, choices_file);
    if (events_file < 0 && getenv("LOP_EVENTS")) {
        int file = open_named("LOP_EVENTS", O_WRONLY | O_CREAT | O_TRUNC);
        events_file = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 900);
        if (events_file < 0) events_file = file;
        else syscall(SYS_close, file);
    }
    identify_events();
    unsetenv("LOP_CHOICES");
    state = DRAWING;
}

int enter(void) {
    int error = errno;
    set_up();
    if (state == PASSING || is_inside) return 0;
    is_inside = 1;
    pthread_mutex_lock(&lock);
    if (state == ASKED) begin();
    errno = error;
    return 1;
}

void leave(void) {
    is_followed = 0;
    if (is_ending) flush();
    pthread_mutex_unlock(&lock);
    is_inside = 0;
}

__attribute__((destructor)) static void end(void) {
    if (state != DRAWING || is_inside) return;
    pthread_mutex_lock(&lock);
    end_all();
    flush();
    is_ending = 1;
    pthread_mutex_unlock(&lock);
}

/* A program that ends this way runs no destructor. */
STANDS_IN void _exit(int code) {
    /* Some other thread may hold the lock for good, so nobody waits for it here. */
    if (state == DRAWING && !is_inside && pthread_mutex_trylock(&lock) == 0) {
        end_all();
        flush();
    }
    for (;;) syscall(SYS_exit_group, code);
}

STANDS_IN void _Exit(int code) {
    _exit(code);
}

/* Programs that start as a service close whatever may be open; this one they do not know of. */
STANDS_IN int close(int file) {
    if (file >= 0 && file == events_file) {
        errno = EBADF;
        return -1;
    }
    return real.close ? real.close(file) : (int)syscall(SYS_close, file);
}
