/* real.c: the functions of the C library that this one stands in for.
 *
 * Inside of this library their names mean those that stand in for them, so the real ones are looked up in what was loaded after it.
 *
 * What it keeps to: a function that is not there is NULL. Those that came late to the C library or belong to that of C++ may never be
 * there, and none is before `find_real` has run; who may be called without one looks first.
 */
#include "preload.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

struct real_functions real;

void find_real(void) {
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

void real_bytes(void *buffer, size_t count) {
    char *at = buffer;
    while (count) {
        long got = syscall(SYS_getrandom, at, count, 0);
        if (got <= 0) return;
        at += got;
        count -= (size_t)got;
    }
}
