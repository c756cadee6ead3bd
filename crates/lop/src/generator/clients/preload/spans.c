/* spans.c: the spans, which come from the stack.
 *
 * At each draw the stack is compared with that at the draw before: a function that is still running is a span that is still open, and
 * one that calls from the same place as before has begun another iteration of a loop. Only then is it known that there is a loop; what the
 * function drew since the first call from that place is its first iteration. The order of places says nothing: compilers put them anywhere.
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
    /* How many spans are open outside of it, and where its marks begin. */
    unsigned outside, marks;
};

/* A call of a function that draws: from where, and how many choices there were before. */
struct mark {
    uintptr_t address;
    unsigned long long drawn;
};

/* An open span: that of a function, or that of an iteration that began with the call at this address, and the mark of its loop. */
struct span {
    uintptr_t address;
    int is_iteration;
    unsigned mark;
};

enum { MOST_FRAMES = 1 << 15, MOST_SPANS = 2 * MOST_FRAMES, MOST_MARKS = 1 << 17, MOST_PLACES = 1 << 16, MOST_MODULES = 256 };

static struct frame frames[MOST_FRAMES];
static unsigned depth;
/* A span is written when a second choice is drawn in it, as one that the choice before belongs to as well. What has one choice only says
 * nothing, and there are many of those: every program has its own little functions around the random ones. */
static struct span spans[MOST_SPANS];
static unsigned span_count, written_count;

/* The calls of all running functions; those of the innermost one are the last. */
static struct mark marks[MOST_MARKS];
static unsigned mark_count;

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

static void write_spans_up_to(unsigned count) {
    for (; written_count < count; written_count++) {
        put_text("( ");
        put_label(&spans[written_count]);
        put_text("\t1\n");
    }
}

void write_spans(void) {
    write_spans_up_to(span_count);
}

static void begin_span(uintptr_t address, int is_iteration, unsigned mark) {
    struct span span = {address, is_iteration, mark};
    if (span_count < MOST_SPANS) spans[span_count++] = span;
}

/* Ends spans until so many are left. An iteration with one choice is worth a span, since its neighbours may have more. */
static void end_spans(unsigned left) {
    unsigned at = written_count > left ? written_count : left;
    while (at < span_count && !spans[at].is_iteration) at++;
    if (at < span_count) {
        /* Those that go on begin before it. */
        write_spans_up_to(left);
        put_text("+ ");
        put_label(&spans[at]);
        put_text("\t1\n");
    }
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
    mark_count = 0;
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

static void add_mark(uintptr_t address) {
    if (mark_count == MOST_MARKS) return;
    marks[mark_count].address = address;
    marks[mark_count].drawn = choices_drawn();
    mark_count++;
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

/* A function calls from this place once more: ends the loops inside of that which the place is in, and begins the next iteration. */
static void iterate(const struct frame *frame, uintptr_t now, unsigned mark) {
    unsigned kept = frame->outside + 1;
    int is_first = 1;
    while (span_count > kept && spans[span_count - 1].mark >= mark) {
        if (spans[span_count - 1].mark == mark) is_first = 0;
        end_spans(span_count - 1);
    }
    write_spans();
    if (is_first) {
        struct span span = {now, 1, mark};
        put_text("+ ");
        put_label(&span);
        put_number("\t", choices_drawn() - marks[mark].drawn, 10, "\n");
    }
    begin_span(now, 1, mark);
    mark_count = mark + 1;
}

void follow_stack(void) {
    unsigned same, left, mark;
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
        left--;
        frames[same].address = seen[left].address;
        frames[same].stack = seen[left].stack;
        same++;
    }
    if (same < depth) {
        end_spans(frames[same].outside);
        mark_count = frames[same].marks;
    }
    depth = same;
    if (depth) {
        struct frame *frame = &frames[depth - 1];
        mark = mark_count;
        while (mark > frame->marks && marks[mark - 1].address != frame->address) mark--;
        if (mark > frame->marks) {
            iterate(frame, frame->address, mark - 1);
        } else {
            write_spans();
            add_mark(frame->address);
        }
    }
    while (left--) {
        struct frame *frame = &frames[depth++];
        frame->address = seen[left].address;
        frame->stack = seen[left].stack;
        frame->function = place_of(frame->address).function;
        frame->outside = span_count;
        frame->marks = mark_count;
        begin_span(frame->address, 0, 0);
        add_mark(frame->address);
    }
}
