#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LEN  24
#define VALUE_LEN 64
#define MAX_ITEMS 32

enum ini_status { INI_OK, INI_SYNTAX, INI_FULL };

struct ini_item {
    char section[NAME_LEN];
    char name[NAME_LEN];
    char value[VALUE_LEN];
};

struct ini {
    struct ini_item items[MAX_ITEMS];
    int count;
    int line;
    char current[NAME_LEN];
};

static const char *skip(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

static size_t span_name(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '-')
        n++;
    return n < NAME_LEN ? n : NAME_LEN - 1;
}

static enum ini_status parse_section(struct ini *ini, const char *s)
{
    size_t n = span_name(s);
    if (n == 0 || s[n] != ']')
        return INI_SYNTAX;
    memcpy(ini->current, s, n);
    ini->current[n] = '\0';
    return INI_OK;
}

static enum ini_status parse_pair(struct ini *ini, const char *s)
{
    struct ini_item *item;
    size_t n = span_name(s), len;

    if (ini->count == MAX_ITEMS)
        return INI_FULL;
    item = &ini->items[ini->count];
    memcpy(item->name, s, n);
    item->name[n] = '\0';
    s = skip(s + n);
    if (*s++ != '=')
        return INI_SYNTAX;
    s = skip(s);
    len = strcspn(s, "\r\n;");
    if (len >= VALUE_LEN)
        len = VALUE_LEN - 1;
    memcpy(item->value, s, len);
    item->value[len] = '\0';
    strcpy(item->section, ini->current);
    ini->count++;
    return INI_OK;
}

enum ini_status ini_feed(struct ini *ini, const char *text)
{
    enum ini_status st = INI_OK;
    while (*text && st == INI_OK) {
        const char *s = skip(text);
        const char *end = strchr(s, '\n');
        ini->line++;
        if (*s == '[')
            st = parse_section(ini, s + 1);
        else if (*s && *s != ';' && *s != '#')
            st = parse_pair(ini, s);
        if (!end)
            break;
        text = end + 1;
    }
    return st;
}

const char *ini_explain(struct ini *ini, enum ini_status st)
{
    static const char *const names[] = { "ok", "syntax error", "too many items" };
    static char message[40];
    struct ini_item last;

    if (st == INI_OK)
        return names[st];
    if (ini->count == 0) {
        snprintf(message, sizeof message, "line %d: %s", ini->line, names[st]);
        return message;
    }
    last = ini->items[ini->count - 1];
    snprintf(message, sizeof message, "after %s.%s", last.section, last.name);
    return message;
}

int ini_int(const struct ini *ini, const char *section, const char *name, int fallback)
{
    char *rest;
    for (int i = 0; i < ini->count; i++) {
        const struct ini_item *it = &ini->items[i];
        if (strcmp(it->section, section) || strcmp(it->name, name))
            continue;
        errno = 0;
        long v = strtol(it->value, &rest, 0);
        return errno || *rest ? fallback : (int)v;
    }
    return fallback;
}
