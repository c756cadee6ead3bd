/* engines.c: the random numbers of C++, which come from templates: std::mt19937 and the distributions over it.
 *
 * The compiler makes such a function in the program itself, where no other library can stand in for it. If the function was not
 * inlined and its name was not stripped, it is found in the table of symbols, and its first instructions become a jump to one of the
 * functions here. What was inlined goes on to draw from the engine, whose seed is a choice.
 *
 * What it keeps to: only programs that lop asks are changed, before they run. Distributions come before engines: a number in its range
 * says more than the 32 bits that it would be made of.
 */
#include "preload.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__aarch64__)

/* A number from 0 to `most`, from lop or else a real one. */
static uint64_t number_up_to(uint64_t most) {
    uint64_t value;
    if (enter()) {
        value = draw_up_to(most);
        leave();
        return value;
    }
    real_bytes(&value, sizeof value);
    return most == UINT64_MAX ? value : value % (most + 1);
}

static double number_of_unit(void) {
    double value;
    if (!enter()) return (double)(number_up_to(UINT64_MAX) >> 11) / 9007199254740992.0;
    value = draw_unit();
    leave();
    return value;
}

/* The engines are objects of which nothing is read. A product with 0 is refused by distributions whose range is no power of two, so that
 * 0 would be drawn again and again; the least number that is never refused is 1. */
static uint64_t engine_32(void *engine) {
    uint64_t value = number_up_to(UINT32_MAX);
    (void)engine;
    return value < 2 ? 1 - value : value;
}

static uint64_t engine_64(void *engine) {
    uint64_t value = number_up_to(UINT64_MAX);
    (void)engine;
    return value < 2 ? 1 - value : value;
}

/* minstd_rand and minstd_rand0: from 1 to 2147483646. */
static uint64_t engine_minimal(void *engine) {
    (void)engine;
    return 1 + number_up_to(2147483645);
}

/* The distributions: the object, the engine, and the parameters, which are two numbers or one. */
#define WHOLE(name, type, wide)                                                                      \
    static type name(const void *self, const void *engine, const type *range) {                      \
        (void)self, (void)engine;                                                                    \
        return (type)((uint64_t)range[0] + number_up_to((uint64_t)(wide)range[1] - (uint64_t)(wide)range[0])); \
    }
WHOLE(whole_short, short, int64_t)
WHOLE(whole_unsigned_short, unsigned short, uint64_t)
WHOLE(whole_int, int, int64_t)
WHOLE(whole_unsigned, unsigned, uint64_t)
WHOLE(whole_long, int64_t, int64_t)
WHOLE(whole_unsigned_long, uint64_t, uint64_t)

static double real_double(const void *self, const void *engine, const double *range) {
    (void)self, (void)engine;
    return range[0] + number_of_unit() * (range[1] - range[0]);
}

static float real_float(const void *self, const void *engine, const float *range) {
    (void)self, (void)engine;
    return range[0] + (float)(number_of_unit() * 0.9999999) * (range[1] - range[0]);
}

/* No is simpler than yes. */
static unsigned char bernoulli(const void *self, const void *engine, const double *odds) {
    (void)self, (void)engine;
    return number_of_unit() >= 1 - *odds;
}

/* The names as compilers write them, behind `_ZNSt` of libstdc++ or `_ZNSt3__1` of libc++. */
static const struct {
    const char *begins, *ends;
    void *instead;
} functions[] = {
    {"24uniform_int_distributionIsEclI", "10param_typeE", (void *)whole_short},
    {"24uniform_int_distributionItEclI", "10param_typeE", (void *)whole_unsigned_short},
    {"24uniform_int_distributionIiEclI", "10param_typeE", (void *)whole_int},
    {"24uniform_int_distributionIjEclI", "10param_typeE", (void *)whole_unsigned},
    {"24uniform_int_distributionIlEclI", "10param_typeE", (void *)whole_long},
    {"24uniform_int_distributionIxEclI", "10param_typeE", (void *)whole_long},
    {"24uniform_int_distributionImEclI", "10param_typeE", (void *)whole_unsigned_long},
    {"24uniform_int_distributionIyEclI", "10param_typeE", (void *)whole_unsigned_long},
    {"25uniform_real_distributionIdEclI", "10param_typeE", (void *)real_double},
    {"25uniform_real_distributionIfEclI", "10param_typeE", (void *)real_float},
    {"22bernoulli_distributionclI", "10param_typeE", (void *)bernoulli},
    {"23mersenne_twister_engineImLm32E", "EEclEv", (void *)engine_32},
    {"23mersenne_twister_engineIjLm32E", "EEclEv", (void *)engine_32},
    {"23mersenne_twister_engineImLm64E", "EEclEv", (void *)engine_64},
    {"23mersenne_twister_engineIyLm64E", "EEclEv", (void *)engine_64},
    {"26linear_congruential_engineImLm16807E", "Lm2147483647EEclEv", (void *)engine_minimal},
    {"26linear_congruential_engineImLm48271E", "Lm2147483647EEclEv", (void *)engine_minimal},
    {"26linear_congruential_engineIjLj16807E", "Lj2147483647EEclEv", (void *)engine_minimal},
    {"26linear_congruential_engineIjLj48271E", "Lj2147483647EEclEv", (void *)engine_minimal},
};

static void *instead_of(const char *name) {
    size_t length, at;
    if (strncmp(name, "_ZNSt", 5) != 0) return NULL;
    name += 5;
    if (strncmp(name, "3__1", 4) == 0) name += 4;
    length = strlen(name);
    for (at = 0; at < sizeof functions / sizeof *functions; at++) {
        size_t ends = strlen(functions[at].ends);
        if (strncmp(name, functions[at].begins, strlen(functions[at].begins)) == 0 && length > ends &&
            strcmp(name + length - ends, functions[at].ends) == 0)
            return functions[at].instead;
    }
    return NULL;
}

#ifdef __x86_64__
/* movabs $address, %r11; jmp *%r11 */
enum { JUMP = 13, JUMP_AT = 2 };
static const unsigned char jump[JUMP] = {0x49, 0xBB, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xFF, 0xE3};
#else
/* ldr x16, .+8; br x16; the address */
enum { JUMP = 16, JUMP_AT = 8 };
static const unsigned char jump[JUMP] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1F, 0xD6};
#endif

static void lead(uintptr_t function, void *instead) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = function & -page, to = (function + JUMP + page - 1) & -page;
    if (mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return;
    memcpy((void *)function, jump, JUMP);
    memcpy((void *)(function + JUMP_AT), &instead, sizeof instead);
    __builtin___clear_cache((char *)function, (char *)function + JUMP);
    mprotect((void *)from, to - from, PROT_READ | PROT_EXEC);
}

/* Whether a range is within the file. */
#define HOLDS(size, offset, count) ((offset) <= (size) && (count) <= (size) - (offset))

static void look_through(const char *file, size_t size, uintptr_t base) {
    const ElfW(Ehdr) *head = (const void *)file;
    const ElfW(Shdr) * sections;
    size_t at, number;
    if (size < sizeof *head || memcmp(file, ELFMAG, SELFMAG) != 0 || !HOLDS(size, head->e_shoff, head->e_shnum * sizeof *sections)) return;
    sections = (const void *)(file + head->e_shoff);
    for (at = 0; at < head->e_shnum; at++) {
        const ElfW(Shdr) *table = &sections[at], *names;
        const ElfW(Sym) * symbols;
        if (table->sh_type != SHT_SYMTAB || table->sh_link >= head->e_shnum) continue;
        names = &sections[table->sh_link];
        if (!HOLDS(size, table->sh_offset, table->sh_size) || !HOLDS(size, names->sh_offset, names->sh_size) || !names->sh_size ||
            file[names->sh_offset + names->sh_size - 1] != 0)
            continue;
        symbols = (const void *)(file + table->sh_offset);
        for (number = 0; number < table->sh_size / sizeof *symbols; number++) {
            const ElfW(Sym) *symbol = &symbols[number];
            void *instead;
            if ((symbol->st_info & 15) != STT_FUNC || !symbol->st_value || symbol->st_size < JUMP || symbol->st_name >= names->sh_size) continue;
            instead = instead_of(file + names->sh_offset + symbol->st_name);
            if (instead) lead(base + symbol->st_value, instead);
        }
    }
}

/* The program comes first; libraries have names for what they hand out, and the program's own functions come before those. */
static int see_program(struct dl_phdr_info *info, size_t size, void *data) {
    struct stat what;
    int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);
    (void)size, (void)data;
    if (file < 0) return 1;
    if (fstat(file, &what) == 0 && what.st_size > 0) {
        void *content = mmap(NULL, (size_t)what.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (content != MAP_FAILED) {
            look_through(content, (size_t)what.st_size, info->dlpi_addr);
            munmap(content, (size_t)what.st_size);
        }
    }
    syscall(SYS_close, file);
    return 1;
}

void lead_engines(void) {
    dl_iterate_phdr(see_program, NULL);
}

#else

void lead_engines(void) {}

#endif
