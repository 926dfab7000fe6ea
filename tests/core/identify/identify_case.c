#include "identify_case.h"

void expect_case(const struct identify_case *identify_case, const char *verdict, const char *words)
{
    struct posenc_member members[5] = {{"actual", identify_case->actual}};
    struct asked asked;
    size_t count = 1;

    if (identify_case->x.kind == POSENC_ARRAY)
        members[count++] = (struct posenc_member){"x", identify_case->x};
    if (identify_case->encoding)
        members[count++] = (struct posenc_member){"encoding", posenc_text(identify_case->encoding)};
    if (identify_case->part)
        members[count++] = (struct posenc_member){"part", posenc_text(identify_case->part)};
    if (identify_case->parameters.name)
        members[count++] = identify_case->parameters;
    ask_members(&asked, NULL, "identify", members, count);
    expect_verdict(&asked, verdict);
    cr_expect_not_null(strstr(asked_text(&asked, "statement"), words), "no \"%s\" in \"%s\"", words,
                       asked_text(&asked, "statement"));
    posenc_memory_release(&asked.memory);
}

void geometric_frequencies(double base, double width, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = pow(base, -2 * (double)i / width);
}

struct posenc_value wave_table(double (*wave)(double), const double *positions, size_t rows,
                               const double *frequencies, size_t pairs, double *out)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < pairs; i++)
            out[row * pairs + i] = wave(positions[row] * frequencies[i]);
    return asking_rows(rows, pairs, out);
}

struct posenc_value tensor_value(size_t rank, const size_t *shape, const double *numbers)
{
    struct posenc_array array = {.dtype = POSENC_FLOAT64, .rank = rank, .data = numbers};

    cr_assert_leq(rank, POSENC_RANK_MAX);
    memcpy(array.shape, shape, rank * sizeof(*shape));
    return posenc_nested(&array);
}

/* SplitMix64 (Steele, Lea and Flood, 2014). */
void draw_numbers(uint64_t seed, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t z = seed += 0x9e3779b97f4a7c15u;

        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        out[i] = (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
    }
}
