/* events.c: says to lop what is drawn, and in which spans.
 *
 * What it keeps to: nothing else is written to, and nothing that goes wrong with it disturbs the program. A file that cannot be written
 * to, or that is no longer the one it was, is not written to again.
 */
#include "preload.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int events_file = -1;
/* Which file that is, to know it again. */
static struct stat events_identity;

static char events[1 << 16];
static size_t events_length;

void identify_events(void) {
    if (events_file >= 0 && fstat(events_file, &events_identity) != 0) events_file = -1;
}

void forget_events(void) {
    events_length = 0;
}

void flush(void) {
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

void put_text(const char *text) {
    size_t length = strlen(text);
    if (events_file < 0) return;
    if (events_length + length > sizeof events) flush();
    memcpy(events + events_length, text, length);
    events_length += length;
}

void put_number(const char *before, uint64_t number, unsigned base, const char *behind) {
    char text[24], *at = text + sizeof text;
    *--at = 0;
    do *--at = "0123456789abcdef"[number % base];
    while (number /= base);
    put_text(before);
    put_text(at);
    put_text(behind);
}
