#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op {
    OP_HALT, OP_PUSH, OP_ADD, OP_SUB, OP_MUL, OP_DUP, OP_SWAP, OP_DROP,
    OP_LOAD, OP_STORE, OP_JMP, OP_JZ, OP_CALL, OP_RET, OP_PRINT, OP_COUNT
};

typedef struct {
    const char *mnemonic;
    uint8_t     operands;
    int8_t      effect;
} opinfo;

static const opinfo OPS[OP_COUNT] = {
    [OP_HALT]  = { "halt",  0,  0 },
    [OP_PUSH]  = { "push",  1, +1 },
    [OP_ADD]   = { "add",   0, -1 },
    [OP_SUB]   = { "sub",   0, -1 },
    [OP_MUL]   = { "mul",   0, -1 },
    [OP_DUP]   = { "dup",   0, +1 },
    [OP_SWAP]  = { "swap",  0,  0 },
    [OP_DROP]  = { "drop",  0, -1 },
    [OP_LOAD]  = { "load",  1, +1 },
    [OP_STORE] = { "store", 1, -1 },
    [OP_JMP]   = { "jmp",   1,  0 },
    [OP_JZ]    = { "jz",    1, -1 },
    [OP_CALL]  = { "call",  1,  0 },
    [OP_RET]   = { "ret",   0,  0 },
    [OP_PRINT] = { "print", 0, -1 },
};

#define STACK 16
#define FRAMES 6
#define SLOTS 4

typedef struct vm {
    int32_t  stack[STACK];
    int      sp;
    uint16_t frames[FRAMES];
    int      fp;
    int32_t  slots[SLOTS];
    uint16_t pc;
    long     steps;
    bool     trace;
} vm;

static void push(vm *m, int32_t v) { m->stack[m->sp++] = v; }
static int32_t pop(vm *m) { return m->sp > 0 ? m->stack[--m->sp] : 0; }

static void enter(vm *m, uint16_t target)
{
    m->frames[m->fp] = m->pc;
    m->fp += 1;
    m->pc = target;
}

static bool leave(vm *m)
{
    if (m->fp == 0)
        return false;
    m->pc = m->frames[--m->fp];
    return true;
}

static void dump(const vm *m, enum op op)
{
    fprintf(stderr, "%04x %-6s [", m->pc, OPS[op].mnemonic);
    for (int i = 0; i < m->sp && i < STACK; i++)
        fprintf(stderr, " %d", m->stack[i]);
    fputs(" ]\n", stderr);
}

static int run(vm *m, const uint8_t *code, size_t size)
{
    while (m->pc < size) {
        enum op op = code[m->pc++];
        uint8_t arg = 0;
        int32_t a, b;

        if (op >= OP_COUNT)
            return -1;
        if (OPS[op].operands)
            arg = code[m->pc++];
        if (m->trace)
            dump(m, op);
        if (++m->steps > 10000)
            return -2;
        switch (op) {
        case OP_HALT:  return 0;
        case OP_PUSH:  push(m, (int8_t)arg); break;
        case OP_ADD:   b = pop(m); a = pop(m); push(m, a + b); break;
        case OP_SUB:   b = pop(m); a = pop(m); push(m, a - b); break;
        case OP_MUL:   b = pop(m); a = pop(m); push(m, a * b); break;
        case OP_DUP:   a = pop(m); push(m, a); push(m, a); break;
        case OP_SWAP:  b = pop(m); a = pop(m); push(m, b); push(m, a); break;
        case OP_DROP:  pop(m); break;
        case OP_LOAD:  push(m, m->slots[arg % SLOTS]); break;
        case OP_STORE: m->slots[arg % SLOTS] = pop(m); break;
        case OP_JMP:   m->pc = arg; break;
        case OP_JZ:    if (pop(m) == 0) m->pc = arg; break;
        case OP_CALL:  enter(m, arg); break;
        case OP_RET:   if (!leave(m)) return 0; break;
        case OP_PRINT: printf("%d\n", pop(m)); break;
        default:       return -1;
        }
    }
    return 0;
}

/* n = 7; print factorial(n) */
static const uint8_t FACTORIAL[] = {
    /*  0 */ OP_PUSH, 7,
    /*  2 */ OP_CALL, 7,
    /*  4 */ OP_PRINT,
    /*  5 */ OP_HALT,
    /*  6 */ OP_HALT,
    /*  7 */ OP_DUP,
    /*  8 */ OP_JZ, 19,
    /* 10 */ OP_DUP,
    /* 11 */ OP_PUSH, 1,
    /* 13 */ OP_SUB,
    /* 14 */ OP_CALL, 7,
    /* 16 */ OP_MUL,
    /* 17 */ OP_RET,
    /* 18 */ OP_HALT,
    /* 19 */ OP_DROP,
    /* 20 */ OP_PUSH, 1,
    /* 22 */ OP_RET,
};

/* sum of 5, 4, 3, 2, 1 */
static const uint8_t SUM[] = {
    OP_PUSH, 5, OP_STORE, 0, OP_PUSH, 0, OP_STORE, 1,
    OP_LOAD, 0, OP_JZ, 28,
    OP_LOAD, 1, OP_LOAD, 0, OP_ADD, OP_STORE, 1,
    OP_LOAD, 0, OP_PUSH, 1, OP_SUB, OP_STORE, 0, OP_JMP, 8,
    OP_LOAD, 1, OP_PRINT, OP_HALT,
};

int main(int argc, char **argv)
{
    static const struct { const char *name; const uint8_t *code; size_t size; } progs[] = {
        { "sum", SUM, sizeof SUM },
        { "factorial", FACTORIAL, sizeof FACTORIAL },
    };
    for (size_t i = 0; i < sizeof progs / sizeof progs[0]; i++) {
        vm m;
        memset(&m, 0, sizeof m);
        m.trace = argc > 1 && !strcmp(argv[1], "-t");
        int rc = run(&m, progs[i].code, progs[i].size);
        printf("%s: %d after %ld steps\n", progs[i].name, rc, m.steps);
        if (rc)
            exit(EXIT_FAILURE);
    }
    return EXIT_SUCCESS;
}
