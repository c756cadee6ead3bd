/* instead.c: the random functions that it stands in for.
 *
 * What it keeps to: a call either draws, between `enter` and `leave`, or is passed on to the real function, and never both. So a
 * program that lop does not ask gets what it would get without this library.
 */
#include "preload.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

STANDS_IN int rand(void) {
    int value;
    if (!enter()) return real.rand();
    value = (int)draw_up_to(RAND_MAX);
    leave();
    return value;
}

STANDS_IN int rand_r(unsigned *seed) {
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

STANDS_IN long random(void) {
    long value;
    return draw_31_bits(&value) ? value : real.random();
}

STANDS_IN long lrand48(void) {
    long value;
    return draw_31_bits(&value) ? value : real.lrand48();
}

STANDS_IN long nrand48(unsigned short state[3]) {
    long value;
    return draw_31_bits(&value) ? value : real.nrand48(state);
}

STANDS_IN long mrand48(void) {
    long value;
    if (!enter()) return real.mrand48();
    value = draw_signed();
    leave();
    return value;
}

STANDS_IN long jrand48(unsigned short state[3]) {
    long value;
    if (!enter()) return real.jrand48(state);
    value = draw_signed();
    leave();
    return value;
}

STANDS_IN double drand48(void) {
    double value;
    if (!enter()) return real.drand48();
    value = draw_fraction();
    leave();
    return value;
}

STANDS_IN double erand48(unsigned short state[3]) {
    double value;
    if (!enter()) return real.erand48(state);
    value = draw_fraction();
    leave();
    return value;
}

STANDS_IN ssize_t getrandom(void *buffer, size_t count, unsigned flags) {
    if (!enter()) return real.getrandom ? real.getrandom(buffer, count, flags) : syscall(SYS_getrandom, buffer, count, flags);
    draw_bytes(buffer, count);
    leave();
    return (ssize_t)count;
}

STANDS_IN int getentropy(void *buffer, size_t count) {
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

STANDS_IN void arc4random_buf(void *buffer, size_t count) {
    if (enter()) {
        draw_bytes(buffer, count);
        leave();
    } else if (real.arc4random_buf) {
        real.arc4random_buf(buffer, count);
    } else {
        real_bytes(buffer, count);
    }
}

STANDS_IN uint32_t arc4random(void) {
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

STANDS_IN uint32_t arc4random_uniform(uint32_t bound) {
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
STANDS_IN unsigned _ZNSt13random_device9_M_getvalEv(void *device) {
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
STANDS_IN void srand(unsigned seed) {
    if (!is_asked()) real.srand(seed);
}

STANDS_IN void srandom(unsigned seed) {
    if (!is_asked()) real.srandom(seed);
}

STANDS_IN void srand48(long seed) {
    if (!is_asked()) real.srand48(seed);
}

STANDS_IN unsigned short *seed48(unsigned short seed[3]) {
    static unsigned short before[3];
    return is_asked() ? before : real.seed48(seed);
}

STANDS_IN void lcong48(unsigned short state[7]) {
    if (!is_asked()) real.lcong48(state);
}
