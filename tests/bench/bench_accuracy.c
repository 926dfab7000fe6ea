/* Goal 4: how exact tables are, against 256 bits of MPFR, at every level that the processor has. */
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#include "forced_level.h"
#include "frame.h"
#include "subject.h"

#define DIM       128
#define LENGTH    131072 /* positions that rows are taken from */
#define PRECISION 256    /* bits */

/* What the values of some rows are: [row][sines, cosines]. */
struct truth {
    size_t rows;
    float *nearest;
    double *high, *low; /* a value is their sum */
};

/* Rows are spread over the length, at a stride that shares no factor with it. */
static size_t row_at(const struct truth *truth, size_t index)
{
    return index * (LENGTH / truth->rows | 1) % LENGTH;
}

static void keep(const struct truth *truth, size_t index, mpfr_t value)
{
    truth->nearest[index] = mpfr_get_flt(value, MPFR_RNDN);
    truth->high[index] = mpfr_get_d(value, MPFR_RNDN);
    mpfr_sub_d(value, value, truth->high[index], MPFR_RNDN);
    truth->low[index] = mpfr_get_d(value, MPFR_RNDN);
}

/* base^(-2 column / dim) for one column, then all rows of it. */
static void compute_column(const struct truth *truth, double offset, size_t column)
{
    mpfr_t frequency, angle, sine, cosine;

    mpfr_inits2(PRECISION, frequency, angle, sine, cosine, (mpfr_ptr)NULL);
    mpfr_set_si(angle, -2 * (long)column, MPFR_RNDN);
    mpfr_div_ui(angle, angle, DIM, MPFR_RNDN);
    mpfr_set_ui(frequency, 10000, MPFR_RNDN);
    mpfr_pow(frequency, frequency, angle, MPFR_RNDN);
    for (size_t i = 0; i < truth->rows; i++) {
        mpfr_mul_d(angle, frequency, offset + (double)row_at(truth, i), MPFR_RNDN);
        mpfr_sin_cos(sine, cosine, angle, MPFR_RNDN);
        keep(truth, i * DIM + column, sine);
        keep(truth, i * DIM + DIM / 2 + column, cosine);
    }
    mpfr_clears(frequency, angle, sine, cosine, (mpfr_ptr)NULL);
}

static void make_table(struct subject *subject, double offset, const char *dtype)
{
    const struct posenc_member members[] = {
        {"length", posenc_number(LENGTH)},  {"dim", posenc_number(DIM)},
        {"layout", posenc_text("sin_cos")}, {"offset", posenc_number(offset)},
        {"dtype", posenc_text(dtype)},
    };

    subject_make(subject, "sinusoidal", "table", members, 5);
}

static size_t count_misrounded(const struct truth *truth, double offset)
{
    struct subject subject;
    float row[DIM];
    size_t wrong = 0;

    make_table(&subject, offset, "float32");
    for (size_t i = 0; i < truth->rows; i++) {
        posenc_fill(&subject.result.tensors[0], row_at(truth, i) * DIM, DIM, row);
        for (size_t j = 0; j < DIM; j++)
            wrong += row[j] != truth->nearest[i * DIM + j];
    }
    subject_release(&subject);
    return wrong;
}

static double largest_error(const struct truth *truth, double offset)
{
    struct subject subject;
    double row[DIM], largest = 0;

    make_table(&subject, offset, "float64");
    for (size_t i = 0; i < truth->rows; i++) {
        posenc_fill(&subject.result.tensors[0], row_at(truth, i) * DIM, DIM, row);
        for (size_t j = 0; j < DIM; j++) {
            const size_t at = i * DIM + j;

            largest = fmax(largest, fabs(row[j] - truth->high[at] - truth->low[at]));
        }
    }
    subject_release(&subject);
    return largest;
}

/* What was found at one level, over all offsets. */
struct findings {
    size_t misrounded;
    double error;
};

static void examine(const struct truth *truth, double offset, struct findings *findings)
{
    for (size_t column = 0; column < DIM / 2; column++)
        compute_column(truth, offset, column);
    for (int i = 0; i < POSENC__LEVEL_COUNT; i++) {
        if (!posenc__level_runs((enum posenc__level)i))
            continue;
        force_level((enum posenc__level)i);
        findings[i].misrounded += count_misrounded(truth, offset);
        findings[i].error = fmax(findings[i].error, largest_error(truth, offset));
    }
}

static void report(const struct findings *findings, size_t count)
{
    for (int i = 0; i < POSENC__LEVEL_COUNT; i++) {
        const char *const name = level_name((enum posenc__level)i);

        if (!posenc__level_runs((enum posenc__level)i))
            continue;
        bench_at_most(4, 0, (double)findings[i].misrounded, "",
                      "misrounded float32 of 3 x %zu, around 0, 1e6 and 1e9; %s", count, name);
        bench_at_most(4, 5e-16, findings[i].error, "", "largest error of float64 there; %s", name);
    }
}

int main(void)
{
    static const double offsets[] = {-LENGTH / 2, 1e6 - LENGTH / 2, 1e9 - LENGTH / 2};
    const size_t rows = bench_size(1500, 15), count = rows * DIM;
    const struct truth truth = {rows, bench_allocate(count * sizeof(float)),
                                bench_allocate(count * sizeof(double)),
                                bench_allocate(count * sizeof(double))};
    struct findings findings[POSENC__LEVEL_COUNT] = {{0}};

    for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++)
        examine(&truth, offsets[i], findings);
    report(findings, count);
    free(truth.nearest);
    free(truth.high);
    free(truth.low);
    mpfr_free_cache();
    return 0;
}
