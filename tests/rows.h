/*
 * Rows of the tables of hostile input: H for HTTP, J for JSON, S for meaning, B for binary bodies,
 * R for resources and life cycle. Tests say which rows they cover, and a test counts what was said.
 */
#ifndef ROWS_H
#define ROWS_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Some cases, one after the other; each begins with the name of its row, as "H12". */
struct row_block {
    const void *first;
    size_t count, stride;
};

/* In a list that the linker makes of a whole program. */
#define ROW_BLOCK(name, ...)                                                                       \
    static const struct row_block name##_block = {__VA_ARGS__};                                    \
    static const struct row_block *const name##_listed                                             \
        __attribute__((used, section("row_blocks"))) = &name##_block

/* At file level, behind a table whose elements begin with `const char *row`. */
#define ROWS_OF(table) ROW_BLOCK(table, (table), sizeof(table) / sizeof(*(table)), sizeof(*(table)))

/* At file level, for a row whose test stands alone: ROW(H16) before its Test(). */
#define ROW(name)                                                                                  \
    static const char *const row_##name = #name;                                                   \
    ROW_BLOCK(row_##name, &row_##name, 1, sizeof(row_##name))

/* The ends of the list. */
extern const struct row_block *const __start_row_blocks[], *const __stop_row_blocks[];

/* The cases of one row. */
static inline size_t rows_count(char table, size_t number)
{
    char name[24];
    size_t cases = 0;

    (void)snprintf(name, sizeof(name), "%c%zu", table, number);
    for (const struct row_block *const *at = __start_row_blocks; at < __stop_row_blocks; at++) {
        const struct row_block *const block = *at;

        for (size_t i = 0; i < block->count; i++) {
            const char *const *const row =
                (const void *)((const char *)block->first + i * block->stride);

            cases += strcmp(*row, name) == 0;
        }
    }
    return cases;
}

/*
 * Prints how many of the rows 1 to `count` of a table the program's tests cover, and with how many
 * cases; prints each row without a test. Returns how many these are.
 */
static inline size_t rows_without_test(char table, size_t count)
{
    size_t covered = 0, cases = 0;

    for (size_t row = 1; row <= count; row++) {
        const size_t found = rows_count(table, row);

        if (found == 0)
            (void)printf("row %c%zu has no test\n", table, row);
        covered += found > 0;
        cases += found;
    }
    (void)printf("rows of hostile input: %c %zu of %zu, %zu cases\n", table, covered, count, cases);
    (void)fflush(stdout);
    return count - covered;
}

#endif
