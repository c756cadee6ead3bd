/* spans.c: the spans, which come from the stack.
 *
 * At each draw the stack is compared with that at the draw before: a function that is still running is a span that is still open, and
 * one that draws from an earlier place than before has begun another iteration of a loop.
 *
 * What it keeps to: of the open spans the outer ones are written and the inner ones are not yet, so that what is written is nested.
 * Functions of this library are no spans.
 */
#include "preload.h"

#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

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

void find_itself(void) {
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

void write_spans(void) {
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

void end_all(void) {
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

void follow_stack(void) {
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
