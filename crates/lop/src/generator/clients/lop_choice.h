/* lop_choice.h: a generator in C or C++ draws its choices from lop.
 *
 * What is drawn here is what lop reduces. By hand the same program draws at random, from LOP_SEED if it is set.
 *
 *     #include "lop_choice.h"
 *
 *     static void make(FILE *out) {
 *         lop_list_begin();
 *         for (size_t have = 0; lop_more(have, 0, 10); have++)
 *             fprintf(out, "%lld\n", lop_int(-1000, 1000));
 *         lop_list_end();
 *     }
 *
 *     int main(void) { return lop_serve(make); }
 *
 * A program that writes its test case by itself calls the functions without lop_serve; it then makes one case per process.
 *
 * The header is C99 and C++11, for POSIX systems, GCC and Clang, and needs the C library only. It is not made for
 * several threads. How the two sides talk is described in docs/src/reference/protocol.md of lop.
 */
#ifndef LOP_CHOICE_H
#define LOP_CHOICE_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef __cplusplus
/* These are POSIX, and <stdio.h> does not name them when the compiler is told to be strict (-std=c99). */
FILE *fdopen(int fd, const char *mode);
FILE *open_memstream(char **text, size_t *length);
#endif

/* ---- What a generator calls ---- */

/* An integer from low to high; the closer to 0, the simpler. */
static inline long long lop_int(long long low, long long high);
/* An integer from low to high; the closer to the target, the simpler. */
static inline long long lop_int_near(long long low, long long high, long long target);
/* Yes (1) with these odds, from 0 to 1, or else no (0), which is the simpler one. */
static inline int lop_bool(double odds);
/* A floating-point number from low to high; what looks simple comes first. Infinities are drawn if they are in the range,
 * and what is no number (NaN) if low is -INFINITY. */
static inline double lop_float(double low, double high);
/* One of n things, by its number from 0; the first one is the simplest. */
static inline size_t lop_pick(size_t n);
/* From `least` to `most` bytes, put into the buffer, which must have room for `most`; says how many. */
static inline size_t lop_bytes(void *buffer, size_t least, size_t most);

/* What is drawn from here on belongs together, until lop_end. The label is the same for the same kind of thing. */
static inline void lop_begin(const char *label);
/* What was begun last ends. */
static inline void lop_end(void);
/* What was begun last ends and is thrown away by the generator: lop tries to do without it first. Where the item of a list is
 * thrown away, lop_discard ends it, and what is counted does not go up. */
static inline void lop_discard(void);

/* A list, as in the example above. lop_more draws whether there is another item when there are `have` of them; it ends the
 * item before and begins the next one. lop_list_end may also be reached by a `break`. */
static inline void lop_list_begin(void);
static inline int lop_more(size_t have, size_t least, size_t most);
static inline void lop_list_end(void);

/* These choices make nothing of use. It does not return; memory that is held at that moment is not freed, and in C++ no destructor
 * is called. */
__attribute__((noreturn)) static inline void lop_reject(void);

/* Makes test cases: one by hand or if lop asks for one, many if lop asks for many. Returns what `main` is to return. */
static inline int lop_serve(void (*make)(FILE *out));

/* ---- What there is to know between two draws ---- */

/* A choice as it was read. What does not fit into 64 bits can only be one of the two highest places of floating-point
 * numbers; anything else that large is allowed nowhere. */
enum lop_size_ { LOP_FITS_, LOP_INFINITE_, LOP_NO_NUMBER_, LOP_TOO_LARGE_ };
struct lop_choice_ {
    uint64_t size;
    int negative;
    enum lop_size_ kind;
};

struct lop_state_ {
    int is_open, is_server, in_case;
    FILE *choices, *events;
    /* The choices that are given. */
    struct lop_choice_ *given;
    size_t given_count, given_room;
    /* Fresh ones. */
    int has_seed;
    uint64_t random;
    double size;
    unsigned long long drawn, fresh, most;
    /* The kinds of the open spans: 'l' a list, 'i' an item, 's' any other. */
    char *open;
    size_t depth, open_room;
    /* What is made in server mode, and the way back there. */
    FILE *out;
    char *text;
    size_t length;
    jmp_buf stop;
};

/* All files of a program that include this header share one state, which is why it is weak and not static. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) struct lop_state_ lop_state_;
#ifdef __cplusplus
}
#endif

enum { LOP_OUT_ = 120, LOP_REJECTED_ = 121 };

/* Where nobody says how many choices there may be at most: half of these are random, see lop_is_fresh_. */
#define LOP_MANY_ 65536ULL

#define LOP_INFINITE_PLACE_ "39614081257132168796771975166"
#define LOP_NO_NUMBER_PLACE_ "39614081257132168796771975167"

/* ---- How it begins and ends ---- */

__attribute__((noreturn)) static inline void lop_fail_(const char *what, const char *subject, const char *help) {
    fprintf(stderr, "lop_choice.h: %s `%s`: %s\n", what, subject, help);
    exit(2);
}

static inline void *lop_grown_(void *block, size_t size) {
    void *grown = realloc(block, size);
    if (!grown) lop_fail_("cannot keep", "choices", "there is no memory left");
    return grown;
}

/* Leaves the case: back to lop_serve if that waits, or else out of the process. */
__attribute__((noreturn)) static inline void lop_stop_(int code) {
    if (lop_state_.in_case) longjmp(lop_state_.stop, code);
    if (lop_state_.events) fflush(lop_state_.events);
    _exit(code);
}

static inline FILE *lop_open_file_(const char *variable, const char *mode) {
    const char *place = getenv(variable);
    FILE *file;
    if (!place) return NULL;
    file = strncmp(place, "fd:", 3) == 0 ? fdopen(atoi(place + 3), mode) : fopen(place, mode);
    if (!file) lop_fail_("cannot open", place, variable);
    return file;
}

/* Reads a line without its end; what is too long to be a choice is a comment, and cut. Returns 0 if there is none. */
static inline int lop_read_line_(char *line, size_t room) {
    size_t length = 0;
    int sign;
    while ((sign = getc(lop_state_.choices)) != EOF && sign != '\n')
        if (length + 1 < room && sign != '\r') line[length++] = (char)sign;
    line[length] = 0;
    return sign != EOF || length > 0;
}

static inline void lop_give_(const char *text) {
    struct lop_state_ *s = &lop_state_;
    struct lop_choice_ choice = {0, 0, LOP_FITS_};
    const char *digit;
    choice.negative = *text == '-';
    if (*text == '-' || *text == '+') text++;
    while (*text == '0' && text[1]) text++;
    for (digit = text; *digit >= '0' && *digit <= '9'; digit++) {
        unsigned value = (unsigned)(*digit - '0');
        if (choice.size > (UINT64_MAX - value) / 10) choice.kind = LOP_TOO_LARGE_;
        choice.size = choice.size * 10 + value;
    }
    if (*digit || digit == text) lop_fail_("cannot read the choice", text, "it is no whole number");
    if (choice.kind == LOP_FITS_ && choice.size == 0) choice.negative = 0;
    if (choice.kind == LOP_TOO_LARGE_) {
        if (strcmp(text, LOP_INFINITE_PLACE_) == 0) choice.kind = LOP_INFINITE_;
        if (strcmp(text, LOP_NO_NUMBER_PLACE_) == 0) choice.kind = LOP_NO_NUMBER_;
    }
    if (s->given_count == s->given_room) {
        s->given_room = s->given_room ? 2 * s->given_room : 256;
        s->given = (struct lop_choice_ *)lop_grown_(s->given, s->given_room * sizeof *s->given);
    }
    s->given[s->given_count++] = choice;
}

/* Reads the choices of one case. Returns 0 if there is none: in server mode, a case without its `end` was cut off. */
static inline int lop_read_case_(void) {
    struct lop_state_ *s = &lop_state_;
    char line[256];
    s->given_count = 0;
    s->drawn = s->fresh = 0;
    s->most = UINT64_MAX;
    s->has_seed = 0;
    s->depth = 0;
    while (lop_read_line_(line, sizeof line)) {
        if (strcmp(line, "end") == 0) return 1;
        if (!*line || *line == '#') continue;
        if (strncmp(line, "lop-choices ", 12) == 0) {
            if (strcmp(line + 12, "1") != 0) lop_fail_("cannot read", line, "this header speaks version 1");
        } else if (strncmp(line, "most ", 5) == 0) {
            s->most = strtoull(line + 5, NULL, 10);
        } else if (strncmp(line, "seed ", 5) == 0) {
            char *rest, *point;
            s->has_seed = 1;
            s->random = strtoull(line + 5, &rest, 10);
            /* The size is read by hand, since what strtod takes for a point depends on the language of the system. */
            s->size = (double)strtoull(rest, &point, 10);
            if (*point == '.') {
                double place = 0.1;
                while (*++point >= '0' && *point <= '9') s->size += place * (*point - '0'), place /= 10;
            }
        } else {
            lop_give_(line);
        }
    }
    return !s->is_server;
}

static inline void lop_open_(void) {
    struct lop_state_ *s = &lop_state_;
    const char *server = getenv("LOP_SERVER"), *seed = getenv("LOP_SEED");
    if (s->is_open) return;
    s->is_open = 1;
    s->choices = lop_open_file_("LOP_CHOICES", "r");
    if (s->choices) {
        s->events = lop_open_file_("LOP_EVENTS", "w");
        s->is_server = server && strcmp(server, "1") == 0;
        /* The cases of a server are read by lop_serve, one after the other. */
        if (!s->is_server) lop_read_case_();
        return;
    }
    s->most = UINT64_MAX;
    s->has_seed = 1;
    s->size = 0.5;
    s->random = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL) * 1000003u + (uint64_t)clock() + ((uint64_t)getpid() << 32);
}

/* Ends what is still open, so that a generator that leaves by `return` in the middle of a span does no harm. */
static inline void lop_end_all_(void) {
    while (lop_state_.depth) lop_end();
}

static inline int lop_serve(void (*make)(FILE *out)) {
    struct lop_state_ *s = &lop_state_;
    lop_open_();
    if (!s->is_server) {
        make(stdout);
        lop_end_all_();
        if (s->events) fflush(s->events);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    if (!s->events) lop_fail_("cannot serve without", "LOP_EVENTS", "it says where test cases are written to");
    while (lop_read_case_()) {
        const char *ending;
        s->out = open_memstream(&s->text, &s->length);
        if (!s->out) lop_fail_("cannot keep", "a test case", "there is no memory left");
        s->in_case = 1;
        /* C allows setjmp in few places, and an assignment is none of them. */
        switch (setjmp(s->stop)) {
        case 0:
            make(s->out);
            lop_end_all_();
            ending = NULL;
            break;
        case LOP_OUT_:
            ending = "out\n";
            break;
        default:
            ending = "rejected\n";
        }
        s->in_case = 0;
        fclose(s->out);
        if (ending) {
            fputs(ending, s->events);
        } else {
            fprintf(s->events, "made %zu\n", s->length);
            fwrite(s->text, 1, s->length, s->events);
            putc('\n', s->events);
        }
        free(s->text);
        /* Where nobody reads any more, nobody asks any more. */
        if (fflush(s->events) != 0) break;
    }
    return 0;
}

static inline void lop_reject(void) {
    lop_open_();
    lop_stop_(LOP_REJECTED_);
}

/* ---- Fresh choices ---- */

/* The next 64 random bits: splitmix64, which every language can do in a few lines. */
static inline uint64_t lop_bits_(void) {
    uint64_t z = lop_state_.random += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* A random number from 0 to `most`, each as likely as the others. */
static inline uint64_t lop_evenly_(uint64_t most) {
    uint64_t mask = most, bits;
    mask |= mask >> 1, mask |= mask >> 2, mask |= mask >> 4;
    mask |= mask >> 8, mask |= mask >> 16, mask |= mask >> 32;
    do bits = lop_bits_() & mask;
    while (bits > most);
    return bits;
}

/* From 0 to less than 1. */
static inline double lop_unit_(void) {
    return (double)(lop_bits_() >> 11) / 9007199254740992.0;
}

/* Numbers that are simple are more likely: a selector or an index evenly, any other number by its distance from the target. */
static inline long long lop_fresh_int_(long long low, long long high, long long target) {
    uint64_t width = (uint64_t)high - (uint64_t)low, distance, above, below;
    int bits = 0, fits_above, fits_below;
    double most;
    if (width < 15) return (long long)((uint64_t)low + lop_evenly_(width));
    if (lop_state_.size > 0.1 && lop_evenly_(19) == 0) return lop_evenly_(1) ? high : low;
    if (width < 4095 && lop_evenly_(1)) return (long long)((uint64_t)low + lop_evenly_(width));
    while (bits < 64 && width >> bits) bits++;
    most = 3 + 0.7 * lop_state_.size * bits;
    if (most > bits) most = bits;
    bits = 1 + (int)lop_evenly_((uint64_t)most - 1);
    distance = lop_bits_() >> (64 - bits);
    above = (uint64_t)high - (uint64_t)target;
    below = (uint64_t)target - (uint64_t)low;
    fits_above = distance <= above;
    fits_below = distance <= below;
    if (!fits_above && !fits_below) return (long long)((uint64_t)low + lop_evenly_(width));
    if (fits_above && fits_below) fits_above = (int)lop_evenly_(1);
    return (long long)(fits_above ? (uint64_t)target + distance : (uint64_t)target - distance);
}

/* How likely a list goes on behind the items that it has to have. */
static inline double lop_odds_of_more_(size_t least, size_t most) {
    double room = (double)(most - least) / 2, mean = 1.5 + 4.5 * lop_state_.size;
    if (!lop_state_.has_seed) return 0.5;
    if (mean > room) mean = room;
    if (mean < 0.2) mean = 0.2;
    return mean / (1 + mean);
}

/* ---- Drawing ---- */

/* A number the way people write it, with a point, whatever the language of the system is. */
static inline const char *lop_decimal_(double number, char text[32]) {
    char *comma;
    snprintf(text, 32, "%.17g", number);
    if ((comma = strchr(text, ',')) != NULL) *comma = '.';
    return text;
}

/* Takes the next choice if one was given. If not, a fresh one may be made; without a seed, `kind` is what is wanted in vain. */
static inline const struct lop_choice_ *lop_next_(const char *kind) {
    struct lop_state_ *s = &lop_state_;
    if (s->drawn < s->most && s->drawn < s->given_count) return &s->given[s->drawn++];
    if (s->drawn < s->most && s->has_seed) {
        s->drawn++;
        return NULL;
    }
    if (s->events) fprintf(s->events, "? %s\n", kind);
    lop_stop_(LOP_OUT_);
}

/* Whether a fresh choice is to be random. A generator that does not end by itself ends with the simplest choices, or else never. */
static inline int lop_is_fresh_(void) {
    unsigned long long most = lop_state_.most == UINT64_MAX ? LOP_MANY_ : lop_state_.most;
    return ++lop_state_.fresh <= most / 2;
}

static inline long long lop_int_near(long long low, long long high, long long target) {
    char kind[80];
    long long value;
    const struct lop_choice_ *choice;
    if (low > high) {
        snprintf(kind, sizeof kind, "%lld to %lld", low, high);
        lop_fail_("there is no integer from", kind, "the range is empty");
    }
    if (low == high) return low;
    lop_open_();
    if (target < low) target = low;
    if (target > high) target = high;
    snprintf(kind, sizeof kind, "i %lld %lld %lld", low, high, target);
    choice = lop_next_(kind);
    value = target;
    if (!choice) {
        if (lop_is_fresh_()) value = lop_fresh_int_(low, high, target);
    } else if (choice->kind == LOP_FITS_ && choice->size <= (uint64_t)INT64_MAX + (unsigned)choice->negative) {
        long long given = (long long)(choice->negative ? 0 - choice->size : choice->size);
        if (given >= low && given <= high) value = given;
    }
    if (lop_state_.events) fprintf(lop_state_.events, "%s %lld\n", kind, value);
    return value;
}

static inline long long lop_int(long long low, long long high) {
    return lop_int_near(low, high, 0);
}

/* Draws a boolean even if it can only be yes, which is what stands before an item that a list has to have. */
static inline int lop_draw_bool_(double odds) {
    char kind[40], number[32];
    int value = odds >= 1;
    const struct lop_choice_ *choice;
    lop_open_();
    snprintf(kind, sizeof kind, "b %s", lop_decimal_(odds, number));
    choice = lop_next_(kind);
    if (!choice) {
        if (lop_is_fresh_()) value = lop_unit_() < odds;
    } else if (choice->kind == LOP_FITS_ && !choice->negative && choice->size == 1) {
        value = 1;
    }
    if (lop_state_.events) fprintf(lop_state_.events, "%s %d\n", kind, value);
    return value;
}

static inline int lop_bool(double odds) {
    if (!(odds > 0)) return 0;
    return odds >= 1 ? 1 : lop_draw_bool_(odds);
}

static inline size_t lop_pick(size_t n) {
    if (n == 0) lop_fail_("cannot pick one of", "0 things", "there has to be one");
    return (size_t)lop_int(0, (long long)(n - 1));
}

/* ---- Floating-point numbers, in the order of their simplicity ---- */

#define LOP_WHOLE_ ((uint64_t)1 << 53)

static inline uint64_t lop_to_bits_(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline double lop_of_bits_(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Two to some power from -1022 to 1023. It is made from its bits, since a program would have to be linked with -lm for ldexp. */
static inline double lop_power_(int exponent) {
    return lop_of_bits_((uint64_t)(1023 + exponent) << 52);
}

/* The place of the size of a finite number. */
static inline uint64_t lop_place_(double number) {
    uint64_t bits = lop_to_bits_(number) & ~((uint64_t)1 << 63), digits = bits & (LOP_WHOLE_ / 2 - 1);
    int exponent = (int)(bits >> 52);
    if (bits == 0) return 0;
    if (exponent) digits |= LOP_WHOLE_ / 2;
    else exponent = 1;
    exponent -= 1075;
    while (digits % 2 == 0) digits /= 2, exponent++;
    /* The number is now an odd number of digits, times two to the exponent. */
    if (exponent >= 0 && lop_of_bits_(bits) < (double)LOP_WHOLE_) return digits << exponent;
    if (exponent < 0 && exponent >= -60) return (uint64_t)-exponent * LOP_WHOLE_ + digits;
    return 64 * LOP_WHOLE_ + bits;
}

/* The number at a choice's place; 0 if there is none. */
static inline int lop_at_place_(const struct lop_choice_ *choice, double *number) {
    uint64_t at = choice->size;
    double size;
    if (choice->kind == LOP_TOO_LARGE_ || (choice->kind == LOP_NO_NUMBER_ && choice->negative)) return 0;
    if (choice->kind == LOP_NO_NUMBER_) size = lop_of_bits_((uint64_t)0x7FF8 << 48);
    else if (choice->kind == LOP_INFINITE_) size = lop_of_bits_((uint64_t)0x7FF0 << 48);
    else if (at < LOP_WHOLE_) size = (double)at;
    else if (at < 64 * LOP_WHOLE_) size = (double)(at % LOP_WHOLE_) * lop_power_(-(int)(at / LOP_WHOLE_));
    else if (at - 64 * LOP_WHOLE_ < (uint64_t)0x7FF0 << 48) size = lop_of_bits_(at - 64 * LOP_WHOLE_);
    else return 0;
    /* A place that is not the number's own would be another name for it. */
    if (choice->kind == LOP_FITS_ && lop_place_(size) != at) return 0;
    *number = choice->negative ? -size : size;
    return 1;
}

static inline double lop_rounded_up_(double size) {
    double whole;
    if (size >= (double)LOP_WHOLE_) return size;
    whole = (double)(uint64_t)size;
    return whole < size ? whole + 1 : whole;
}

/* The simplest number of a range. */
static inline double lop_simplest_(double low, double high) {
    double near_end = low > 0 ? low : -high, far_end = low > 0 ? high : -low, sign = low > 0 ? 1 : -1;
    int digits;
    if (low <= 0 && high >= 0) return 0;
    if (lop_rounded_up_(near_end) <= far_end) return sign * lop_rounded_up_(near_end);
    for (digits = 1; digits < 60; digits++) {
        double rounded = lop_rounded_up_(near_end * lop_power_(digits)) * lop_power_(-digits);
        if (rounded >= near_end && rounded <= far_end) return sign * rounded;
    }
    return sign * near_end;
}

static inline int lop_is_in_(double number, double low, double high) {
    return number != number ? low < 0 && low - low != 0 : number >= low && number <= high;
}

/* Whole numbers and numbers that made others stumble come first; where both ends are finite, half of them are from all over the range. */
static inline double lop_fresh_float_(double low, double high) {
    static const uint64_t known[] = {
        0x3FB999999999999Au, 0x3FE0000000000000u, 0x3FF8000000000000u, 0x7FF0000000000000u,
        0x7FF8000000000000u, 0x7FEFFFFFFFFFFFFFu, 0x01A56E1FC2F8F359u,
    };
    uint64_t way = lop_evenly_(19);
    if (way == 0) return lop_of_bits_(known[lop_evenly_(6)]);
    if (way < 10 && high - low < lop_power_(1023)) return low + lop_unit_() * (high - low);
    if (way < 6) return (lop_unit_() - 0.5) * lop_power_((int)lop_evenly_(71) - 8);
    return (double)lop_fresh_int_(-(long long)LOP_WHOLE_, (long long)LOP_WHOLE_, 0);
}

static inline double lop_float(double low, double high) {
    char kind[80], one[32], other[32];
    double value, found;
    const struct lop_choice_ *choice;
    if (!(low <= high)) {
        snprintf(kind, sizeof kind, "%s to %s", lop_decimal_(low, one), lop_decimal_(high, other));
        lop_fail_("there is no number from", kind, "the range is empty");
    }
    if (low == high) return low;
    lop_open_();
    snprintf(kind, sizeof kind, "f %s %s", lop_decimal_(low, one), lop_decimal_(high, other));
    choice = lop_next_(kind);
    value = lop_simplest_(low, high);
    if (!choice) {
        if (lop_is_fresh_() && lop_is_in_(found = lop_fresh_float_(low, high), low, high)) value = found;
    } else if (lop_at_place_(choice, &found) && lop_is_in_(found, low, high)) {
        value = found;
    }
    if (value == 0) value = 0;
    if (lop_state_.events) {
        if (value != value) fprintf(lop_state_.events, "%s %s\n", kind, LOP_NO_NUMBER_PLACE_);
        else if (value - value != 0) fprintf(lop_state_.events, "%s %s%s\n", kind, value < 0 ? "-" : "", LOP_INFINITE_PLACE_);
        else fprintf(lop_state_.events, "%s %s%llu\n", kind, value < 0 ? "-" : "", (unsigned long long)lop_place_(value));
    }
    return value;
}

/* ---- Spans ---- */

static inline void lop_begin_(char kind, const char *label, int made) {
    struct lop_state_ *s = &lop_state_;
    lop_open_();
    if (s->depth == s->open_room) {
        s->open_room = s->open_room ? 2 * s->open_room : 64;
        s->open = (char *)lop_grown_(s->open, s->open_room);
    }
    s->open[s->depth++] = kind;
    if (!s->events) return;
    fputs("( ", s->events);
    /* A line end or a tab in the label would mean something else. */
    for (; *label; label++) putc(*label == '\n' || *label == '\t' ? ' ' : *label, s->events);
    fputs(made ? "\t1\n" : "\n", s->events);
}

static inline void lop_end_with_(const char *event) {
    struct lop_state_ *s = &lop_state_;
    if (s->depth == 0) return;
    s->depth--;
    if (s->events) fputs(event, s->events);
}

static inline void lop_begin(const char *label) {
    lop_begin_('s', label, 0);
}

static inline void lop_end(void) {
    lop_end_with_(")\n");
}

static inline void lop_discard(void) {
    lop_end_with_("!\n");
}

static inline void lop_list_begin(void) {
    lop_begin_('l', "list", 0);
}

static inline int lop_more(size_t have, size_t least, size_t most) {
    struct lop_state_ *s = &lop_state_;
    /* Spans that were begun in the item and left by a `continue` end with it. */
    while (s->depth && s->open[s->depth - 1] != 'l') {
        int was_item = s->open[s->depth - 1] == 'i';
        lop_end();
        if (was_item) break;
    }
    if (have >= most || !lop_draw_bool_(have < least ? 1.0 : lop_odds_of_more_(least, most))) return 0;
    lop_begin_('i', "item", 1);
    return 1;
}

static inline void lop_list_end(void) {
    while (lop_state_.depth && lop_state_.open[lop_state_.depth - 1] != 'l') lop_end();
    lop_end();
}

static inline size_t lop_bytes(void *buffer, size_t least, size_t most) {
    size_t have;
    lop_list_begin();
    for (have = 0; lop_more(have, least, most); have++) ((unsigned char *)buffer)[have] = (unsigned char)lop_int(0, 255);
    lop_list_end();
    return have;
}

#endif
