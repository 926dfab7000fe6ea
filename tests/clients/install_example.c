/*
 * A program of somebody else, against the installed library: it sees nothing but <posenc.h> and
 * what pkg-config says. Computes two rows of a sinusoidal table and compares them with known
 * values.
 */
#include <posenc.h>
#include <stdio.h>
#include <string.h>

#define LENGTH 2
#define DIM    4

/* sin and cos of position * 10000^(-2i / 4), rounded to the nearest float. */
static const float expected[LENGTH * DIM] = {
    0.0F, 1.0F, 0.0F, 1.0F, 0.841470985F, 0.540302306F, 0.00999983333F, 0.999950000F,
};

int main(void)
{
    const struct posenc_member members[] = {
        {"length", posenc_number(LENGTH)},
        {"dim", posenc_number(DIM)},
    };
    struct posenc_memory memory;
    struct posenc_result result;
    struct posenc_problem problem;
    float table[LENGTH * DIM] = {0};
    int status = 1;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    if (posenc_make("sinusoidal", "table", posenc_object(members, 2), &memory, &result, &problem) !=
        POSENC_OK) {
        (void)fprintf(stderr, "%s\n", problem.detail);
    } else {
        posenc_fill(&result.tensors[0], 0, LENGTH * DIM, table);
        status = memcmp(table, expected, sizeof(expected)) != 0;
        (void)printf("posenc %s: %s\n", POSENC_VERSION, status == 0 ? "as expected" : "different");
    }
    posenc_memory_release(&memory);
    return status;
}
