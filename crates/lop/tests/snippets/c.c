#include <stdio.h>
#include <stdlib.h>
#include "queue.h"

#define CAPACITY 16
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#ifdef DEBUG
#define LOG(...) fprintf(stderr, __VA_ARGS__)
#else
#define LOG(...) ((void)0)
#endif

/* The state of one job. */
enum state { WAITING = 1, RUNNING, DONE };

typedef struct job {
    int id;
    unsigned priority : 4;
    enum state state;
    const char *name;
    union {
        long count;
        double ratio;
    } extra;
    struct job *next;
} job_t;

typedef int (*compare_fn)(const job_t *, const job_t *);

static job_t *head = NULL;
static const int weights[] = {1, 2, [4] = 8};

static int by_priority(const job_t *a, const job_t *b)
{
    return (int)a->priority - (int)b->priority;
}

int push(int id, const char *name, compare_fn compare)
{
    job_t **place = &head, *job = malloc(sizeof(*job));
    if (!job)
        return -1;
    *job = (job_t){.id = id, .priority = id & 0xf, .state = WAITING, .name = name};
    while (*place != NULL && compare(*place, job) > 0)
        place = &(*place)->next;
    job->next = *place;
    *place = job;
    return 0;
}

static const char *describe(enum state state)
{
    switch (state) {
    case WAITING:
        return "waiting\n";
    case RUNNING:
    case DONE:
        break;
    default:
        return "?";
    }
    return "busy" " or " "done";
}

int main(int argc, char **argv)
{
    char letter = '\'';
    int i, sum = 0;

    for (i = 0; i < MAX(argc, CAPACITY); ++i) {
        if (i % 3 == 0 || push(i, argv[0], by_priority) < 0)
            continue;
        else if (i >= CAPACITY)
            goto out;
        sum += weights[i % 5] << 1;
    }
    do {
        LOG("%s: %s", head->name, describe(head->state));
        head->extra.ratio = -1.5e3;
        head = head->next; // The memory is kept until the end.
    } while (head);
out:
    printf("sum \"%d\"%c\n", sum, letter);
    return sum ? EXIT_SUCCESS : EXIT_FAILURE;
}
