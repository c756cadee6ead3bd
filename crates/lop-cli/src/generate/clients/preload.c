/* preload.c: makes a program that knows nothing of lop draw its random numbers from lop.
 *
 *     cc -shared -fPIC -O2 -o preload.so preload.c -ldl
 *     LD_PRELOAD=./preload.so LOP_CHOICES=choices LOP_EVENTS=events csmith
 *
 * It stands in for the random functions of the C library and for /dev/urandom and /dev/random, on Linux with glibc. Without
 * LOP_CHOICES it passes everything on to the real ones. How lop and a generator talk is described in docs/protocol.md.
 *
 * Spans come from the stack. At each draw it is compared with the stack at the draw before: a function that is still
 * running is a span that is still open, and one that draws from an earlier place than before has begun another iteration of a loop.
 *
 * What it keeps to: it writes to nothing but LOP_EVENTS. The first process that draws is the generator, and takes LOP_CHOICES out of
 * its environment, so that programs which it starts draw real random numbers; so do its forks.
 */
#undef _FORTIFY_SOURCE
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>
#include <unwind.h>

static void set_up(void);
static int enter(void);
static void leave(void);
static uint64_t draw_up_to(uint64_t most);
static int32_t draw_signed(void);
static double draw_unit(void);
static void draw_bytes(void *buffer, size_t count);

/* ---- The real functions ---- */

static struct {
    int (*rand)(void);
    int (*rand_r)(unsigned *);
    long (*random)(void);
    void (*srand)(unsigned);
    void (*srandom)(unsigned);
    void (*srand48)(long);
    unsigned short *(*seed48)(unsigned short *);
    void (*lcong48)(unsigned short *);
    long (*lrand48)(void);
    long (*mrand48)(void);
    double (*drand48)(void);
    long (*nrand48)(unsigned short *);
    long (*jrand48)(unsigned short *);
    double (*erand48)(unsigned short *);
    ssize_t (*getrandom)(void *, size_t, unsigned);
    int (*getentropy)(void *, size_t);
    uint32_t (*arc4random)(void);
    uint32_t (*arc4random_uniform)(uint32_t);
    void (*arc4random_buf)(void *, size_t);
    unsigned (*random_device)(void *);
    int (*openat)(int, const char *, int, ...);
    ssize_t (*read)(int, void *, size_t);
    int (*close)(int);
    FILE *(*fopen)(const char *, const char *);
} real;

static void find_real(void) {
    /* POSIX has dlsym return functions as data, and ISO C has no cast between the two. */
#define FIND(name, symbol) *(void **)&real.name = dlsym(RTLD_NEXT, symbol)
    FIND(rand, "rand");
    FIND(rand_r, "rand_r");
    FIND(random, "random");
    FIND(srand, "srand");
    FIND(srandom, "srandom");
    FIND(srand48, "srand48");
    FIND(seed48, "seed48");
    FIND(lcong48, "lcong48");
    FIND(lrand48, "lrand48");
    FIND(mrand48, "mrand48");
    FIND(drand48, "drand48");
    FIND(nrand48, "nrand48");
    FIND(jrand48, "jrand48");
    FIND(erand48, "erand48");
    FIND(getrandom, "getrandom");
    FIND(getentropy, "getentropy");
    FIND(arc4random, "arc4random");
    FIND(arc4random_uniform, "arc4random_uniform");
    FIND(arc4random_buf, "arc4random_buf");
    FIND(random_device, "_ZNSt13random_device9_M_getvalEv");
    FIND(openat, "openat");
    FIND(read, "read");
    FIND(close, "close");
    FIND(fopen, "fopen");
#undef FIND
}

/* Real random bytes where the C library is too old for arc4random. */
static void real_bytes(void *buffer, size_t count) {
    char *at = buffer;
    while (count) {
        long got = syscall(SYS_getrandom, at, count, 0);
        if (got <= 0) return;
        at += got;
        count -= (size_t)got;
    }
}

/* ---- The functions that it stands in for ---- */

int rand(void) {
    int value;
    if (!enter()) return real.rand();
    value = (int)draw_up_to(RAND_MAX);
    leave();
    return value;
}

int rand_r(unsigned *seed) {
    int value;
    if (!enter()) return real.rand_r(seed);
    value = (int)draw_up_to(RAND_MAX);
    leave();
    return value;
}

static int draw_31_bits(long *value) {
    if (!enter()) return 0;
    *value = (long)draw_up_to(INT32_MAX);
    leave();
    return 1;
}

long random(void) {
    long value;
    return draw_31_bits(&value) ? value : real.random();
}

long lrand48(void) {
    long value;
    return draw_31_bits(&value) ? value : real.lrand48();
}

long nrand48(unsigned short state[3]) {
    long value;
    return draw_31_bits(&value) ? value : real.nrand48(state);
}

long mrand48(void) {
    long value;
    if (!enter()) return real.mrand48();
    value = draw_signed();
    leave();
    return value;
}

long jrand48(unsigned short state[3]) {
    long value;
    if (!enter()) return real.jrand48(state);
    value = draw_signed();
    leave();
    return value;
}

double drand48(void) {
    double value;
    if (!enter()) return real.drand48();
    value = draw_unit();
    leave();
    return value;
}

double erand48(unsigned short state[3]) {
    double value;
    if (!enter()) return real.erand48(state);
    value = draw_unit();
    leave();
    return value;
}

ssize_t getrandom(void *buffer, size_t count, unsigned flags) {
    if (!enter()) return real.getrandom ? real.getrandom(buffer, count, flags) : syscall(SYS_getrandom, buffer, count, flags);
    draw_bytes(buffer, count);
    leave();
    return (ssize_t)count;
}

int getentropy(void *buffer, size_t count) {
    if (count > 256) {
        errno = EIO;
        return -1;
    }
    if (enter()) {
        draw_bytes(buffer, count);
        leave();
        return 0;
    }
    if (real.getentropy) return real.getentropy(buffer, count);
    real_bytes(buffer, count);
    return 0;
}

void arc4random_buf(void *buffer, size_t count) {
    if (enter()) {
        draw_bytes(buffer, count);
        leave();
    } else if (real.arc4random_buf) {
        real.arc4random_buf(buffer, count);
    } else {
        real_bytes(buffer, count);
    }
}

uint32_t arc4random(void) {
    uint32_t value;
    if (enter()) {
        value = (uint32_t)draw_up_to(UINT32_MAX);
        leave();
        return value;
    }
    if (real.arc4random) return real.arc4random();
    real_bytes(&value, sizeof value);
    return value;
}

uint32_t arc4random_uniform(uint32_t bound) {
    uint64_t value;
    if (bound < 2) return 0;
    if (enter()) {
        value = draw_up_to(bound - 1);
        leave();
        return (uint32_t)value;
    }
    if (real.arc4random_uniform) return real.arc4random_uniform(bound);
    real_bytes(&value, sizeof value);
    return (uint32_t)(value % bound);
}

/* std::random_device of libstdc++ may ask the processor, which nobody can stand in for; so this stands in for its method
 * `_M_getval`. */
unsigned _ZNSt13random_device9_M_getvalEv(void *device) {
    unsigned value;
    if (enter()) {
        value = (unsigned)draw_up_to(UINT32_MAX);
        leave();
        return value;
    }
    if (real.random_device) return real.random_device(device);
    real_bytes(&value, sizeof value);
    return value;
}

/* Seeds mean nothing: what is drawn comes from lop. */
static int is_asked(void);

void srand(unsigned seed) {
    if (!is_asked()) real.srand(seed);
}

void srandom(unsigned seed) {
    if (!is_asked()) real.srandom(seed);
}

void srand48(long seed) {
    if (!is_asked()) real.srand48(seed);
}

unsigned short *seed48(unsigned short seed[3]) {
    static unsigned short before[3];
    return is_asked() ? before : real.seed48(seed);
}

void lcong48(unsigned short state[7]) {
    if (!is_asked()) real.lcong48(state);
}

/* ---- The random devices ---- */

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

int open(const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int directory, const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_at(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_at(directory, path, flags | O_LARGEFILE, mode);
}

ssize_t read(int file, void *buffer, size_t count) {
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

FILE *fopen(const char *path, const char *mode) {
    return open_stream(path, mode, __builtin_return_address(0));
}

FILE *fopen64(const char *path, const char *mode) {
    return open_stream(path, mode, __builtin_return_address(0));
}

/* ---- How it begins and ends ---- */

static enum { UNKNOWN, PASSING, ASKED, DRAWING } state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* A signal's handler may draw in the middle of a draw; it gets a real number. */
static __thread int is_inside;

/* The files, if they were given by their numbers. They are moved out of the way of a program that closes all it knows. */
static int choices_file = -1, events_file = -1;
/* Which file that is, to know it again. */
static struct stat events_identity;

static char *choices;
static size_t choices_length, choices_at;
static unsigned long long drawn, most_drawn = UINT64_MAX;
static int has_seed;
static uint64_t random_state;

static char events[1 << 16];
static size_t events_length;
/* Once the program ends, what is written goes out at once. */
static int is_ending;

static void flush(void);
static void end_all(void);
static void find_itself(void);

static int is_asked(void) {
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
        events_length = 0;
    }
}

__attribute__((constructor)) static void set_up(void) {
    if (state != UNKNOWN) return;
    state = getenv("LOP_CHOICES") ? ASKED : PASSING;
    find_real();
    if (state == PASSING) return;
    find_itself();
    choices_file = moved("LOP_CHOICES");
    events_file = moved("LOP_EVENTS");
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static int open_named(const char *variable, int flags) {
    const char *place = getenv(variable);
    if (!place) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, place, flags | O_CLOEXEC, 0666);
}

/* The first draw of all: reads the choices. Nothing can be said to anybody if that fails. */
static void begin(void) {
    size_t room = 0;
    if (choices_file < 0) choices_file = open_named("LOP_CHOICES", O_RDONLY);
    if (choices_file < 0) _exit(2);
    for (;;) {
        long got;
        if (choices_length == room) {
            size_t larger = room ? 2 * room : 1 << 16;
            /* Not malloc, since that may be the program's own, and draw random numbers itself. */
            void *block = room ? mremap(choices, room, larger, MREMAP_MAYMOVE)
                               : mmap(NULL, larger, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (block == MAP_FAILED) _exit(2);
            choices = block;
            room = larger;
        }
        got = syscall(SYS_read, choices_file, choices + choices_length, room - choices_length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        choices_length += (size_t)got;
    }
    syscall(SYS_close, choices_file);
    if (events_file < 0 && getenv("LOP_EVENTS")) {
        int file = open_named("LOP_EVENTS", O_WRONLY | O_CREAT | O_TRUNC);
        events_file = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 900);
        if (events_file < 0) events_file = file;
        else syscall(SYS_close, file);
    }
    if (events_file >= 0 && fstat(events_file, &events_identity) != 0) events_file = -1;
    unsetenv("LOP_CHOICES");
    state = DRAWING;
}

/* Whether a number is to be drawn from lop; then `leave` has to be called. */
static int enter(void) {
    int error = errno;
    set_up();
    if (state == PASSING || is_inside) return 0;
    is_inside = 1;
    pthread_mutex_lock(&lock);
    if (state == ASKED) begin();
    errno = error;
    return 1;
}

static int is_followed;

static void leave(void) {
    is_followed = 0;
    if (is_ending) flush();
    pthread_mutex_unlock(&lock);
    is_inside = 0;
}

static void flush(void) {
    struct stat now;
    size_t at = 0;
    /* If the program closed the file in spite of all, its number may now be that of one of the program's own. */
    if (events_file >= 0 && (fstat(events_file, &now) != 0 || now.st_dev != events_identity.st_dev || now.st_ino != events_identity.st_ino))
        events_file = -1;
    while (events_file >= 0 && at < events_length) {
        ssize_t written = write(events_file, events + at, events_length - at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) events_file = -1;
        else at += (size_t)written;
    }
    events_length = 0;
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
void _exit(int code) {
    /* Some other thread may hold the lock for good, so nobody waits for it here. */
    if (state == DRAWING && !is_inside && pthread_mutex_trylock(&lock) == 0) {
        end_all();
        flush();
    }
    for (;;) syscall(SYS_exit_group, code);
}

void _Exit(int code) {
    _exit(code);
}

/* Programs that start as a service close whatever may be open; this one they do not know of. */
int close(int file) {
    if (file >= 0 && file == events_file) {
        errno = EBADF;
        return -1;
    }
    return real.close ? real.close(file) : (int)syscall(SYS_close, file);
}

/* ---- Events ---- */

static void put_text(const char *text) {
    size_t length = strlen(text);
    if (events_file < 0) return;
    if (events_length + length > sizeof events) flush();
    memcpy(events + events_length, text, length);
    events_length += length;
}

static void put_number(const char *before, uint64_t number, unsigned base, const char *behind) {
    char text[24], *at = text + sizeof text;
    *--at = 0;
    do *--at = "0123456789abcdef"[number % base];
    while (number /= base);
    put_text(before);
    put_text(at);
    put_text(behind);
}

/* ---- Spans ---- */

/* What is known of a place in the program. */
struct place {
    uintptr_t address, function;
    unsigned module;
};

/* A function that was running at the draw before: where it was, and the stack pointer there. */
struct frame {
    uintptr_t address, stack, function;
    /* How many spans are open outside of it. */
    unsigned outside;
};

/* An open span: that of a function, or that of an iteration that began with the call at this address. */
struct span {
    uintptr_t address;
    int is_iteration;
};

enum { MOST_FRAMES = 1 << 15, MOST_SPANS = 2 * MOST_FRAMES, MOST_PLACES = 1 << 16, MOST_MODULES = 256 };

static struct frame frames[MOST_FRAMES];
static unsigned depth;
/* A span is written when a second choice is drawn in it, as one that the choice before belongs to as well. What has one choice only says
 * nothing, and there are many of those: every program has its own little functions around the random ones. */
static struct span spans[MOST_SPANS];
static unsigned span_count, written_count;

static struct place places[MOST_PLACES];
static struct {
    uintptr_t base;
    char name[64];
} modules[MOST_MODULES];
static unsigned module_count;

/* The frames of the present stack that differ from those before, from the innermost. */
static struct {
    uintptr_t address, stack;
} seen[MOST_FRAMES];
static unsigned seen_count, seen_same;
static unsigned seen_cursor;
static int is_within;

static uintptr_t own_base;

static void find_itself(void) {
    Dl_info info;
    if (dladdr((void *)(uintptr_t)&find_itself, &info)) own_base = (uintptr_t)info.dli_fbase;
}

static unsigned module_of(uintptr_t address) {
    Dl_info info;
    const char *name;
    unsigned module;
    /* A return address may be behind the end of a function whose last act is the call. */
    if (!dladdr((void *)(address - 1), &info)) memset(&info, 0, sizeof info);
    for (module = 0; module < module_count; module++)
        if (modules[module].base == (uintptr_t)info.dli_fbase) return module;
    if (module_count == MOST_MODULES) return 0;
    name = info.dli_fname ? info.dli_fname : "unknown";
    if (strrchr(name, '/')) name = strrchr(name, '/') + 1;
    modules[module].base = (uintptr_t)info.dli_fbase;
    strncpy(modules[module].name, name, sizeof modules[module].name - 1);
    module_count++;
    return module;
}

static struct place place_of(uintptr_t address) {
    struct place place = {address, 0, 0};
    unsigned at = (unsigned)((address * 0x9E3779B97F4A7C15u) >> 48) % MOST_PLACES, tries;
    for (tries = 0; tries < 64; tries++, at = (at + 1) % MOST_PLACES) {
        if (places[at].address == address) return places[at];
        if (!places[at].address) break;
    }
    place.function = (uintptr_t)_Unwind_FindEnclosingFunction((void *)address);
    place.module = module_of(address);
    if (!places[at].address) places[at] = place;
    return place;
}

static void put_label(const struct span *span) {
    struct place place = place_of(span->address);
    put_text(span->is_iteration ? "iteration " : "");
    put_text(modules[place.module].name);
    /* Modules are loaded anywhere, so that only the distance from where one begins is the same the next time. */
    put_number("+0x", (span->is_iteration ? place.address : place.function) - modules[place.module].base, 16, "");
}

/* Writes the spans that were begun at the draw before and have now a second one. */
static void write_spans(void) {
    for (; written_count < span_count; written_count++) {
        put_text("( ");
        put_label(&spans[written_count]);
        put_text("\t1\n");
    }
}

static void begin_span(uintptr_t address, int is_iteration) {
    if (span_count == MOST_SPANS) return;
    spans[span_count].address = address;
    spans[span_count].is_iteration = is_iteration;
    span_count++;
}

static void end_spans(unsigned left) {
    while (span_count > left) {
        span_count--;
        if (written_count > span_count) {
            written_count = span_count;
            put_text(")\n");
        }
    }
}

static void end_all(void) {
    end_spans(0);
    depth = 0;
}

/* Whether the frames from here outwards are where they were: each one's return address still stands where its call put it. */
static int is_unchanged(unsigned count) {
#ifdef __x86_64__
    while (count--)
        if (((uintptr_t *)frames[count].stack)[-1] != frames[count].address) return 0;
    return 1;
#else
    (void)count;
    return 0;
#endif
}

static _Unwind_Reason_Code see(struct _Unwind_Context *context, void *data) {
    uintptr_t address = _Unwind_GetIP(context), stack = _Unwind_GetCFA(context);
    (void)data;
    if (!address) return _URC_END_OF_STACK;
    if (is_within && modules[place_of(address).module].base == own_base) return _URC_NO_REASON;
    is_within = 0;
    /* Most of the stack is as it was before. So nearly all of the time goes into few frames, however deep the stack is. */
    while (seen_cursor && frames[seen_cursor - 1].stack < stack) seen_cursor--;
    if (seen_cursor && frames[seen_cursor - 1].stack == stack && frames[seen_cursor - 1].address == address && is_unchanged(seen_cursor)) {
        seen_same = seen_cursor;
        return _URC_END_OF_STACK;
    }
    if (seen_count == MOST_FRAMES) return _URC_END_OF_STACK;
    seen[seen_count].address = address;
    seen[seen_count].stack = stack;
    seen_count++;
    return _URC_NO_REASON;
}

/* Brings the spans in line with the stack, before a draw. */
static void follow_stack(void) {
    unsigned same, left, kept;
    uintptr_t before = 0, now = 0;
    seen_count = seen_same = 0;
    seen_cursor = depth;
    is_within = 1;
    _Unwind_Backtrace(see, NULL);
    same = seen_same;
    left = seen_count;
    /* A stack that is too deep to look at leaves the spans as they are. */
    if (same + left >= MOST_FRAMES) {
        write_spans();
        return;
    }
    while (same < depth && left && frames[same].address == seen[left - 1].address && frames[same].stack == seen[left - 1].stack) same++, left--;
    /* All callers being where they were, the next function was called from the same place with the same stack. If it is the same one, it
     * is taken for the same call, which cannot be told from another such call. Or else the last one that is the same calls another. */
    if (same < depth && left && frames[same].function == place_of(seen[left - 1].address).function) {
        before = frames[same].address;
        now = seen[--left].address;
        frames[same].address = now;
        frames[same].stack = seen[left].stack;
        same++;
    } else if (same) {
        before = now = frames[same - 1].address;
    }
    if (same < depth) end_spans(frames[same].outside);
    depth = same;
    if (depth && now <= before) {
        /* The program went back, so this is a loop. Loops that began further down are over, and those that began further up contain it. */
        kept = frames[depth - 1].outside + 1;
        while (span_count > kept && spans[span_count - 1].address >= now) end_spans(span_count - 1);
    }
    write_spans();
    if (depth && now <= before) begin_span(now, 1);
    while (left--) {
        struct frame *frame = &frames[depth++];
        frame->address = seen[left].address;
        frame->stack = seen[left].stack;
        frame->function = place_of(frame->address).function;
        frame->outside = span_count;
        begin_span(frame->address, 0);
    }
}

/* ---- Drawing ---- */

/* The next random bits: splitmix64. */
static uint64_t fresh_bits(void) {
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* From 0 to `most`, each as likely as the others, which is what programs expect from these functions. */
static uint64_t fresh_up_to(uint64_t most) {
    uint64_t mask = UINT64_MAX >> (most ? __builtin_clzll(most) : 63), bits;
    do bits = fresh_bits() & mask;
    while (bits > most);
    return bits;
}

/* Reads a choice; one that does not fit into 64 bits is allowed nowhere here. */
static int read_choice(const char *line, size_t length, int *is_negative, uint64_t *size) {
    const char *end = line + length;
    *size = 0;
    *is_negative = length && *line == '-';
    if (length && (*line == '-' || *line == '+')) line++;
    for (; line < end; line++) {
        unsigned digit = (unsigned)(*line - '0');
        if (digit > 9 || *size > (UINT64_MAX - digit) / 10) return 0;
        *size = *size * 10 + digit;
    }
    if (!*size) *is_negative = 0;
    return 1;
}

static int begins_with(const char *line, size_t length, const char *word) {
    size_t wanted = strlen(word);
    return length >= wanted && memcmp(line, word, wanted) == 0;
}

static enum { GIVEN, NOT_ALLOWED, FRESH, NONE } next(int *is_negative, uint64_t *size) {
    if (drawn >= most_drawn) return NONE;
    while (choices_at < choices_length) {
        const char *line = choices + choices_at, *end = memchr(line, '\n', choices_length - choices_at);
        size_t length = end ? (size_t)(end - line) : choices_length - choices_at;
        if (length == 3 && memcmp(line, "end", 3) == 0) break;
        choices_at += length + (end != NULL);
        if (length && line[length - 1] == '\r') length--;
        if (!length || *line == '#') continue;
        if (begins_with(line, length, "lop-choices ")) {
            if (length != 13 || line[12] != '1') _exit(2);
        } else if (begins_with(line, length, "most ") || begins_with(line, length, "seed ")) {
            uint64_t value = 0;
            size_t at;
            for (at = 5; at < length && line[at] >= '0' && line[at] <= '9'; at++) value = value * 10 + (unsigned)(line[at] - '0');
            if (*line == 'm') {
                most_drawn = value;
                if (drawn >= most_drawn) return NONE;
            } else {
                has_seed = 1;
                random_state = value;
            }
        } else {
            return read_choice(line, length, is_negative, size) ? GIVEN : NOT_ALLOWED;
        }
    }
    return has_seed ? FRESH : NONE;
}

/* Says where in the program it is drawn. A call that draws several choices is one place. */
static void follow(void) {
    if (events_file < 0) return;
    if (is_followed) write_spans();
    else follow_stack();
    is_followed = 1;
}

/* There is nothing left to draw: what was wanted is written, and the program ends. */
__attribute__((noreturn)) static void run_out(void) {
    flush();
    for (;;) syscall(SYS_exit_group, 120);
}

static uint64_t draw_up_to(uint64_t most) {
    int is_negative = 0;
    uint64_t size = 0, value = 0;
    follow();
    switch (next(&is_negative, &size)) {
    case GIVEN:
        if (!is_negative && size <= most) value = size;
        break;
    case FRESH:
        value = fresh_up_to(most);
        break;
    case NONE:
        put_number("? i 0 ", most, 10, " 0\n");
        run_out();
    default:
        break;
    }
    drawn++;
    put_number("i 0 ", most, 10, " 0 ");
    put_number("", value, 10, "\n");
    return value;
}

static int32_t draw_signed(void) {
    int is_negative = 0;
    uint64_t size = 0;
    int64_t value = 0;
    follow();
    switch (next(&is_negative, &size)) {
    case GIVEN:
        if (size <= (uint64_t)INT32_MAX + (unsigned)is_negative) value = is_negative ? -(int64_t)size : (int64_t)size;
        break;
    case FRESH:
        value = (int32_t)(uint32_t)fresh_bits();
        break;
    case NONE:
        put_text("? i -2147483648 2147483647 0\n");
        run_out();
    default:
        break;
    }
    drawn++;
    put_number(value < 0 ? "i -2147483648 2147483647 0 -" : "i -2147483648 2147483647 0 ", (uint64_t)(value < 0 ? -value : value), 10, "\n");
    return (int32_t)value;
}

/* The place of a number from 0 to less than 1 in the order of simplicity. */
static uint64_t unit_to_place(double number) {
    uint64_t bits, digits;
    int exponent;
    memcpy(&bits, &number, sizeof bits);
    if (!bits) return 0;
    exponent = (int)(bits >> 52);
    digits = bits & ((1ull << 52) - 1);
    if (exponent) digits |= 1ull << 52;
    else exponent = 1;
    exponent -= 1075;
    while (digits % 2 == 0) digits /= 2, exponent++;
    return exponent >= -60 ? ((uint64_t)-exponent << 53) + digits : (64ull << 53) + bits;
}

/* The number at a place, or 0 if there is none from 0 to less than 1. */
static double unit_at_place(uint64_t place) {
    uint64_t bits = place < 64ull << 53 ? (1023 - (place >> 53)) << 52 : place - (64ull << 53);
    double number;
    memcpy(&number, &bits, sizeof number);
    if (place < 64ull << 53) number *= (double)(place & ((1ull << 53) - 1));
    return number > 0 && number < 1 && unit_to_place(number) == place ? number : 0;
}

static double draw_unit(void) {
    int is_negative = 0;
    uint64_t size = 0;
    double value = 0;
    follow();
    switch (next(&is_negative, &size)) {
    case GIVEN:
        if (!is_negative) value = unit_at_place(size);
        break;
    case FRESH:
        /* drand48 has 48 binary digits. */
        value = (double)(fresh_bits() >> 16) / (double)(1ull << 48);
        break;
    case NONE:
        put_text("? f 0 0.9999999999999999\n");
        run_out();
    default:
        break;
    }
    drawn++;
    put_number("f 0 0.9999999999999999 ", unit_to_place(value), 10, "\n");
    return value;
}

/* Bytes, eight at a time: one number each would be many, and few programs draw bytes to use them one by one. */
static void draw_bytes(void *buffer, size_t count) {
    unsigned char *at = buffer;
    while (count) {
        size_t part = count < 8 ? count : 8, byte;
        uint64_t value = draw_up_to(UINT64_MAX >> (64 - 8 * part));
        for (byte = 0; byte < part; byte++) *at++ = (unsigned char)(value >> (8 * byte));
        count -= part;
    }
}
