/* RoPE's tables, in the shapes that frameworks keep them in. */
#include "rope.h"

enum table_layout { PAIRS, HALF, INTERLEAVED, COS_SIN, SIN_COS /* no choice: a mistake */ };

static bool is_joined(enum table_layout layout)
{
    return layout == COS_SIN || layout == SIN_COS;
}

#define PAIR_BLOCK 64 /* pairs of a row computed at a time, on the stack */

/* One tensor of the table: cosines, sines, or both side by side. */
struct table {
    const struct posenc__rope *rope;
    enum table_layout layout;
    bool is_sine;
};

/* Pairs [first, first + count) of a row, of the kind that this half of the columns holds. */
static void table_pairs(const struct table *table, size_t row, bool is_sine, size_t first,
                        size_t count, double *out)
{
    posenc__rope_row(table->rope, row, first, count, is_sine ? NULL : out, is_sine ? out : NULL);
}

/* Columns [begin, end) of a row where each pair stands twice in a row. */
static void doubled_span(const struct table *table, size_t row, size_t begin, size_t end,
                         double *out)
{
    double block[PAIR_BLOCK];

    for (size_t column = begin; column < end;) {
        const size_t pair = column / 2, left = (end + 1) / 2 - pair;
        const size_t part = left < PAIR_BLOCK ? left : PAIR_BLOCK;

        table_pairs(table, row, table->is_sine, pair, part, block);
        for (; column < end && column / 2 < pair + part; column++)
            out[column - begin] = block[column / 2 - pair];
    }
}

/* All cosines of a row, then all sines, or the other way round. */
static void joined_span(const struct table *table, size_t row, size_t begin, size_t end,
                        double *out)
{
    const size_t pairs = table->rope->pairs;

    for (size_t column = begin; column < end;) {
        const bool is_second = column >= pairs;
        const size_t limit = is_second || end < pairs ? end : pairs;

        table_pairs(table, row, is_second == (table->layout == COS_SIN),
                    is_second ? column - pairs : column, limit - column, out + (column - begin));
        column = limit;
    }
}

/* All pairs of a block of channels, twice, then the next block's; most have one block only. */
static void tiled_span(const struct table *table, size_t row, size_t begin, size_t end, double *out)
{
    const size_t pairs = table->rope->block_pairs;

    for (size_t column = begin; column < end;) {
        const size_t tile = column / pairs, pair = column % pairs;
        const size_t part = pairs - pair < end - column ? pairs - pair : end - column;

        table_pairs(table, row, table->is_sine, tile / 2 * pairs + pair, part,
                    out + (column - begin));
        column += part;
    }
}

static void table_span(const struct table *table, size_t row, size_t begin, size_t end, double *out)
{
    switch (table->layout) {
    case PAIRS:
        table_pairs(table, row, table->is_sine, begin, end - begin, out);
        return;
    case HALF:
        tiled_span(table, row, begin, end, out);
        return;
    case INTERLEAVED:
        doubled_span(table, row, begin, end, out);
        return;
    case COS_SIN:
    case SIN_COS:
        joined_span(table, row, begin, end, out);
        return;
    }
}

static void table_values(const void *context, size_t first, size_t count, double *out)
{
    const struct table *table = context;
    const size_t pairs = table->rope->pairs, width = table->layout == PAIRS ? pairs : 2 * pairs;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / width, begin = (first + done) % width;
        const size_t end = width - begin < count - done ? width : begin + count - done;

        table_span(table, row, begin, end, out + done);
        done += end - begin;
    }
}

/* The whole row of one axis, by the fast way of waves. */
static void table_rows(const void *context, enum posenc_dtype dtype, size_t first, size_t count,
                       void *out)
{
    static const enum posenc__blend_form forms[] = {[PAIRS] = POSENC__BLEND_ONE,
                                                    [HALF] = POSENC__BLEND_REPEATED,
                                                    [INTERLEAVED] = POSENC__BLEND_DOUBLED,
                                                    [COS_SIN] = POSENC__BLEND_BOTH,
                                                    [SIN_COS] = POSENC__BLEND_BOTH};
    const struct table *table = context;
    const struct posenc__rope *rope = table->rope;
    const size_t pairs = rope->pairs;
    const struct posenc__wave_layout layout = {.form = forms[table->layout],
                                               .starts_with_cosine =
                                                   !is_joined(table->layout) && !table->is_sine,
                                               .width = table->layout == PAIRS ? pairs : 2 * pairs,
                                               .sine = table->layout == COS_SIN ? pairs : 0,
                                               .cosine = table->layout == COS_SIN ? 0 : pairs,
                                               .sine_factor = rope->scale * rope->sign,
                                               .cosine_factor = rope->scale};

    posenc__wave_rows_fill(&rope->wave_rows[0], &layout, dtype, first, count, out);
}

static void table_elements(const void *context, enum posenc_dtype dtype, size_t first, size_t count,
                           void *out)
{
    const struct table *table = context;
    const size_t pairs = table->rope->pairs;
    const struct posenc__rows rows = {table->layout == PAIRS ? pairs : 2 * pairs, table_values,
                                      table_rows};

    posenc__fill_rows(&rows, table, dtype, first, count, out);
}

static void frequency_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__rope *rope = context;

    for (size_t i = 0; i < count; i++)
        out[i] = rope->frequencies.radians[first + i].hi;
}

static void weight_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__rope *rope = context;

    for (size_t i = 0; i < count; i++)
        out[i] = rope->frequencies.interpolation_weight[first + i];
}

static enum posenc_status add_table(const struct posenc__rope *rope, enum table_layout layout,
                                    const char *name, bool is_sine, enum posenc_dtype dtype,
                                    struct posenc_memory *memory, struct posenc_result *result,
                                    struct posenc_problem *problem)
{
    const size_t pairs = rope->pairs;
    const size_t shape[] = {rope->rows, layout == PAIRS ? pairs : 2 * pairs};
    struct table *table = posenc_allocate(memory, 1, sizeof(*table));

    if (!table)
        return posenc__no_memory(problem);
    *table = (struct table){rope, layout, is_sine};
    if (posenc__rope_has_fast_rows(rope))
        return posenc__add_elements(result, memory, problem, name, dtype, 2, shape, table_elements,
                                    table);
    return posenc__add_tensor(result, memory, problem, name, dtype, 2, shape, table_values, table);
}

/*
 * Frequencies are for comparing, so they come in full unless a dtype was asked for by name. The
 * echo names both types: it then asks for each by name.
 */
static enum posenc_dtype settle_frequency_dtype(struct posenc_arguments *arguments)
{
    const enum posenc_dtype full =
        posenc__given(arguments, "dtype") ? posenc__dtype(arguments) : POSENC_FLOAT64;

    if (!posenc__present(arguments, "frequency_dtype"))
        posenc__resolve(arguments, "frequency_dtype", posenc_text(posenc_dtype_name(full)));
    return posenc__dtype_of(arguments, "frequency_dtype");
}

static enum posenc_status plan_table(enum table_layout layout, struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    const enum posenc_dtype dtype = posenc__dtype(arguments);
    const enum posenc_dtype full = settle_frequency_dtype(arguments);
    struct posenc__rope *rope = NULL;
    enum posenc_status status =
        posenc__rope_prepare(arguments, NULL, NULL, memory, result, &rope, problem);

    if (status == POSENC_OK)
        status = add_table(rope, layout, is_joined(layout) ? "cos_sin" : "cos", false, dtype,
                           memory, result, problem);
    if (status == POSENC_OK && !is_joined(layout))
        status = add_table(rope, layout, "sin", true, dtype, memory, result, problem);
    if (status == POSENC_OK)
        status = posenc__add_tensor(result, memory, problem, "inv_freq", full, 1,
                                    &rope->frequencies.pairs, frequency_values, rope);
    if (status == POSENC_OK)
        status = posenc__add_tensor(result, memory, problem, "interpolation_weight", full, 1,
                                    &rope->frequencies.pairs, weight_values, rope);
    if (status == POSENC_OK)
        status = posenc__rope_derive_steps(rope, false, memory, result, problem);
    return status;
}

enum posenc_status posenc__rope_plan_table(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    return plan_table((enum table_layout)posenc__choice(arguments, "table_layout"), arguments,
                      memory, result, problem);
}

enum posenc_status posenc__rope_plan_exchanged_table(struct posenc_arguments *arguments,
                                                     struct posenc_memory *memory,
                                                     struct posenc_result *result,
                                                     struct posenc_problem *problem)
{
    if (posenc__choice(arguments, "table_layout") != COS_SIN)
        return posenc__refuse(problem, POSENC_CONFLICT, "table_layout",
                              "Cosines and sines that are tensors of their own have names, by "
                              "which they are told apart.");
    return plan_table(SIN_COS, arguments, memory, result, problem);
}
