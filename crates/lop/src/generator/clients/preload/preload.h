/* preload.h: what the parts of preload.so know of each other.
 *
 * That library makes a program that knows nothing of lop draw its random numbers from lop.
 *
 *     cc -shared -fPIC -fvisibility=hidden -O2 -o preload.so *.c -ldl
 *     LD_PRELOAD=./preload.so LOP_CHOICES=choices LOP_EVENTS=events csmith
 *
 * It stands in for the random functions of the C library and for /dev/urandom and /dev/random, on Linux with glibc, and for the engines and
 * distributions of C++ where a program has functions for them. Without
 * LOP_CHOICES it passes everything on to the real ones. How lop and a generator talk is described in docs/src/reference/protocol.md.
 *
 * What it keeps to: it writes to nothing but LOP_EVENTS. The first process that draws is the generator, and takes LOP_CHOICES out of
 * its environment, so that programs which it starts draw real random numbers; so do its forks. The program sees no names
 * but those of the functions that it stands in for, since any other could be one of the program's own.
 */
#ifndef LOP_PRELOAD_H
#define LOP_PRELOAD_H

/* This has to come before any header of the system, so this header comes first everywhere. */
#undef _FORTIFY_SOURCE
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Marks a function that stands in for one of the program's libraries; all others are hidden from the program. */
#define STANDS_IN __attribute__((visibility("default")))

/* ---- real.c: the real functions ---- */

/* The real functions, or NULL for those that are not there. */
extern struct real_functions {
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

/* Finds the real functions. */
void find_real(void);
/* Real random bytes where the C library is too old for arc4random. */
void real_bytes(void *buffer, size_t count);

/* ---- process.c: how it begins and ends ---- */

/* Finds out whether lop asks for random numbers, unless that is known already. */
void set_up(void);
/* Whether lop asks for random numbers, so that seeds mean nothing and devices are watched. */
int is_asked(void);
/* Whether a number is to be drawn from lop; then `leave` has to be called. */
int enter(void);
/* Ends what `enter` has begun. */
void leave(void);

/* ---- draw.c: choices ---- */

/* Whether the call that draws has already said where in the program it is. */
extern int is_followed;
/* Reads all choices from a file, before the first draw; the program ends if there is no room for them. */
void read_choices(int file);
/* How many choices were drawn. */
unsigned long long choices_drawn(void);
/* Draws a number from 0 to `most`. */
uint64_t draw_up_to(uint64_t most);
/* Draws one of all numbers of 32 bits. */
int32_t draw_signed(void);
/* Draws a number from 0 to less than 1 that is wanted for itself: one with fewer digits is simpler. */
double draw_unit(void);
/* Draws a number from 0 to less than 1 that is to be multiplied by a count or compared, as that of drand48: less is simpler. */
double draw_fraction(void);
/* Draws that many bytes. */
void draw_bytes(void *buffer, size_t count);

/* ---- engines.c: the random numbers of C++ ---- */

/* Makes the engines and distributions of the program, as far as it has functions for them, draw from lop. */
void lead_engines(void);

/* ---- spans.c: the stack ---- */

/* Finds out where this library is, to leave its own functions out. */
void find_itself(void);
/* Brings the spans in line with the stack, before a draw. */
void follow_stack(void);
/* Writes the spans that were begun at the draw before and have now a second one. */
void write_spans(void);
/* Ends all spans. */
void end_all(void);

/* ---- events.c: what lop is told ---- */

/* The number of the file that events are written to, or -1 if nobody wants them. */
extern int events_file;
/* Notes which file that is, to know it again. */
void identify_events(void);
/* Drops what is not written yet, which a fork leaves to its parent. */
void forget_events(void);
/* Writes what has been put. */
void flush(void);
/* Puts a text. */
void put_text(const char *text);
/* Puts a number in a base up to 16, with a text before and one behind it. */
void put_number(const char *before, uint64_t number, unsigned base, const char *behind);

#endif
