#include <stddef.h>
typedef unsigned int u32;
struct point { int x, y; const char *label; };
struct list { struct list *next; struct point at; u32 flags; };
static struct list pool[8];
static u32 used = 0;
extern void report(const char *what, int value);
static struct list *make(int x, int y, struct list *next) {
  struct list *it = &pool[used++ % 8];
  it->at.x = x; it->at.y = y; it->at.label = NULL;
  it->next = next;
  it->flags = (u32)(x ^ y) & 0xffu;
  return it;
}
static int area(const struct point *p) { return p->x * p->y; }
enum mode { FIRST, BEST = 4, LAST };
int pick(struct list *head, enum mode mode, int limit) {
  int best, count = 0;
  struct list *at;
  for (at = head; at; at = at->next) {
    switch (mode) {
    case FIRST:
      if (!count) best = area(&at->at);
      break;
    case BEST:
      if (count == 0 || area(&at->at) > best) best = area(&at->at);
      break;
    default:
      report("mode", mode);
    }
    count++;
    if (count > limit) goto out;
  }
out:
  return best + count;
}
int main(int argc, char **argv) {
  struct list *head = NULL;
  int i;
  for (i = 0; i < argc; i++) head = make(i, argv[i] ? argv[i][0] : 7, head);
  while (head && head->flags & 1) head = head->next;
  return pick(head, argc > 2 ? BEST : FIRST, 5) > 3 ? 1 : 0;
}
