#include <stdint.h>
#include <stdio.h>
#include <limits.h>

/* Timers of a small scheduler; ticks are counted in a signed word that wraps around. */

typedef int32_t tick_t;

enum state { IDLE, ARMED, WRAPPED, EXPIRED };

typedef struct {
        const char *owner;
        tick_t start;
        tick_t span;
        enum state state;
} timer_t_;

static timer_t_ table[] = {
        { "watchdog", 1000,             250,     IDLE },
        { "uart",     2147483000,       600,     IDLE },
        { "display",  2147483000,       1000,    IDLE },
        { "battery",  -12,              40,      IDLE },
        { "modem",    INT_MAX - 5,      30000,   IDLE },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int arm(timer_t_ *t)
{
        tick_t deadline = t->start + t->span;

        if (t->span <= 0)
                return -1;
        t->state = deadline < t->start ? WRAPPED : ARMED;
        return 0;
}

static tick_t remaining(const timer_t_ *t, tick_t now)
{
        uint32_t end = (uint32_t)t->start + (uint32_t)t->span;

        return (tick_t)(end - (uint32_t)now);
}

static void advance(tick_t now)
{
        for (unsigned i = 0; i < COUNT(table); i++) {
                timer_t_ *t = &table[i];

                switch (t->state) {
                case ARMED:
                        if (remaining(t, now) <= 0)
                                t->state = EXPIRED;
                        break;
                case WRAPPED:
                        if (now < 0)
                                t->state = ARMED;
                        break;
                case IDLE:
                case EXPIRED:
                        break;
                }
        }
}

static unsigned census(enum state s)
{
        unsigned n = 0;

        for (unsigned i = 0; i < COUNT(table); i++)
                n += table[i].state == s;
        return n;
}

int main(void)
{
        unsigned failed = 0;

        for (unsigned i = 0; i < COUNT(table); i++)
                failed += arm(&table[i]) != 0;
        printf("armed %u, wrapped %u, failed %u\n", census(ARMED), census(WRAPPED), failed);
        advance(1300);
        printf("expired %u\n", census(EXPIRED));
        for (unsigned i = 0; i < COUNT(table); i++)
                printf("%-10s %d\n", table[i].owner, (int)remaining(&table[i], 1300));
        return 0;
}
