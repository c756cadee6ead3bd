typedef unsigned int size_t;
int strcmp(const char *, const char *);
void *memset(void *, int, size_t);
