/*
 * terrain: makes a random landscape, smooths it, lets rain wear it down, and prints it as a map.
 *
 * A map has as many columns as the user wants, so its rows are arrays of variable length.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WATER 0.3
#define FOREST 0.55
#define ROCK 0.8

enum season { SPRING, SUMMER, AUTUMN, WINTER };

struct options {
    int width;
    int height;
    int rounds;
    uint32_t seed;
    enum season season;
    const char *title;
};

struct statistics {
    double lowest;
    double highest;
    double mean;
    size_t under_water;
};

/* A small generator of random numbers, so that a map is the same on every machine. */
static uint32_t state = 1;

static uint32_t next(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static double uniform(void)
{
    return next() / (double)UINT32_MAX;
}

static double clamp(double value)
{
    if (value < 0)
        return 0;
    return value > 1 ? 1 : value;
}

static const char *season_name(enum season season)
{
    switch (season) {
    case SPRING:
        return "spring";
    case SUMMER:
        return "summer";
    case AUTUMN:
        return "autumn";
    case WINTER:
        return "winter";
    }
    return "?";
}

static char symbol(double level, enum season season)
{
    if (level < WATER)
        return season == WINTER ? '=' : '~';
    if (level < FOREST)
        return '.';
    if (level < ROCK)
        return season == AUTUMN ? 'f' : 'T';
    return '^';
}

/* Hills are round: each adds a bump to the levels near it. */
static void add_hill(int width, int height, double level[height][width])
{
    double x0 = uniform() * width, y0 = uniform() * height;
    double radius = 1 + uniform() * (width < height ? width : height) / 2;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double distance = hypot(x - x0, y - y0);
            if (distance < radius)
                level[y][x] = clamp(level[y][x] + 0.4 * (1 - distance / radius));
        }
}

static struct statistics measure(int width, int height, double level[height][width])
{
    struct statistics result = {.lowest = 1, .highest = 0};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double here = level[y][x];
            if (here < result.lowest)
                result.lowest = here;
            if (here > result.highest)
                result.highest = here;
            result.mean += here / ((double)width * height);
            result.under_water += here < WATER;
        }
    return result;
}

/* Smooths a landscape and lets rain fall on it, as often as asked. */
static void shape(int columns, int rows, double level[rows][columns], int rounds)
{
    struct landscape {
        int rows;
        double (*level)[];
    } whole = {rows, level};

    void smooth(int width, struct { int rows; double (*level)[width]; } *land)
    {
        for (int y = 1; y + 1 < land->rows; y++)
            for (int x = 1; x + 1 < width; x++) {
                double sum = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        sum += land->level[y + dy][x + dx];
                land->level[y][x] = sum / 9;
            }
    }

    void rain(int width, int height, double level[height][width])
    {
        for (int drop = 0; drop < width * height / 4; drop++) {
            int x = next() % width, y = next() % height;
            for (int step = 0; step < 20; step++) {
                int lower_x = x, lower_y = y;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        int nx = x + dx, ny = y + dy;
                        if (nx < 0 || ny < 0 || nx >= width || ny >= height)
                            continue;
                        if (level[ny][nx] < level[lower_y][lower_x])
                            lower_x = nx, lower_y = ny;
                    }
                if (lower_x == x && lower_y == y)
                    break;
                level[y][x] = clamp(level[y][x] - 0.01);
                x = lower_x, y = lower_y;
            }
        }
    }

    for (int round = 0; round < rounds; round++) {
        smooth(columns, (void *)&whole);
        rain(columns, rows, level);
    }
}

static void print(int width, int height, double level[height][width], const struct options *options)
{
    printf("%s, in %s\n", options->title, season_name(options->season));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            putchar(symbol(level[y][x], options->season));
        putchar('\n');
    }
}

static int number(const char *text, int least, int most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < least || value > most) {
        fprintf(stderr, "terrain: %s is not a number from %d to %d\n", text, least, most);
        exit(2);
    }
    return (int)value;
}

static struct options parse(int argc, char **argv)
{
    struct options options = {72, 24, 2, 1, SUMMER, "An island"};
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (!strcmp(name, "--width"))
            options.width = number(value, 3, 1000);
        else if (!strcmp(name, "--height"))
            options.height = number(value, 3, 1000);
        else if (!strcmp(name, "--rounds"))
            options.rounds = number(value, 0, 100);
        else if (!strcmp(name, "--seed"))
            options.seed = number(value, 1, 1 << 30);
        else if (!strcmp(name, "--season"))
            options.season = number(value, SPRING, WINTER);
        else if (!strcmp(name, "--title"))
            options.title = value;
        else {
            fprintf(stderr, "terrain: there is no option %s\n", name);
            exit(2);
        }
    }
    return options;
}

int main(int argc, char **argv)
{
    struct options options = parse(argc, argv);
    int width = options.width, height = options.height;
    double(*level)[width] = calloc(height, sizeof *level);
    if (!level)
        return 1;
    state = options.seed;
    for (int hill = 0; hill < width * height / 60; hill++)
        add_hill(width, height, level);
    shape(width, height, level, options.rounds);
    print(width, height, level, &options);
    struct statistics found = measure(width, height, level);
    printf("levels from %.2f to %.2f, %.2f on average; %zu of %d fields under water\n", found.lowest,
           found.highest, found.mean, found.under_water, width * height);
    free(level);
    return 0;
}
