/* draw.c: draws: what lop has chosen, and after that what its seed gives.
 *
 * What it keeps to: each choice is one event, whether it was given or made here. One that is not allowed counts as the simplest
 * one, which is 0, so that whatever is given can be drawn.
 */
#include "preload.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *choices;
static size_t choices_length, choices_at;
static unsigned long long drawn, most_drawn = UINT64_MAX;
static int has_seed;
static uint64_t random_state;

int is_followed;

unsigned long long choices_drawn(void) {
    return drawn;
}

void read_choices(int file) {
    size_t room = 0;
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
        got = syscall(SYS_read, file, choices + choices_length, room - choices_length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        choices_length += (size_t)got;
    }
}

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

uint64_t draw_up_to(uint64_t most) {
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

int32_t draw_signed(void) {
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

double draw_unit(void) {
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

double draw_fraction(void) {
    return (double)draw_up_to((1ull << 48) - 1) / (double)(1ull << 48);
}

/* Bytes, eight at a time: one number each would be many, and few programs draw bytes to use them one by one. */
void draw_bytes(void *buffer, size_t count) {
    unsigned char *at = buffer;
    while (count) {
        size_t part = count < 8 ? count : 8, byte;
        uint64_t value = draw_up_to(UINT64_MAX >> (64 - 8 * part));
        for (byte = 0; byte < part; byte++) *at++ = (unsigned char)(value >> (8 * byte));
        count -= part;
    }
}
