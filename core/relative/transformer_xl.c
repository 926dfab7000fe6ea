/*
 * Rows of distances for relative attention: Transformer-XL (Dai et al., 2019, section 3.3), XLNet
 * (Yang et al., 2019) and the Conformer as ESPnet has it.
 *
 *   row r holds sines and cosines of t w_i,   w_i = 10000^(-2i / dim) radians per position
 *
 *   transformer_xl  t = K - 1, ..., 0             sines first, then cosines
 *   xlnet           t = K, ..., 1 - Q (bi)        sines first, then cosines
 *                   t = K, ..., 0 (uni)
 *   conformer       t = K - 1, ..., 1 - K         interleaved
 *
 * with K = `length` keys and Q = `query_length` queries; `clamp_len` limits t to either side.
 */
#include "transformer_xl.h"
#include "powers.h"
#include "wave_rows.h"
#include "waves.h"

#include <math.h>
#include <string.h>

#include "angle.h"

#define BASE 10000.0

enum { ATTENTION_UNI, ATTENTION_BI };

const struct posenc_parameter posenc__transformer_xl_variant_rows[] = {
    {.name = "variant",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("transformer_xl"),
     .choices = POSENC__NAMES("transformer_xl", "xlnet", "conformer"),
     .meaning = "whose rows: Transformer-XL's (the keys' distances), XLNet's (one more in front), "
                "or the Conformer's (both sides, interleaved)"},
    {.name = "attention",
     .type = POSENC_TYPE_CHOICE,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "uni for transformer_xl, bi for conformer; xlnet needs it",
     .choices = POSENC__NAMES("uni", "bi"),
     .meaning = "uni: a query sees no key after it; bi: it sees all"},
    {.name = NULL},
};

static const struct posenc_parameter table_rows[] = {
    {.name = "length",
     .type = POSENC_TYPE_INTEGER,
     .minimum = 0,
     .maximum = INFINITY,
     .aliases = POSENC__NAMES("key_length", "max_len", "seq_len"),
     .meaning = "number of keys, memory included"},
    {.name = "query_length",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "length; only xlnet's rows depend on it",
     .minimum = 0,
     .maximum = INFINITY,
     .aliases = POSENC__NAMES("q_len"),
     .meaning = "number of queries, at the end of the keys"},
    {POSENC__WIDTH, .aliases = POSENC__NAMES("embed_dim", "d_model"),
     .meaning = "width of the rows, even"},
    {.name = "clamp_len",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NULL,
     .minimum = -1,
     .maximum = INFINITY,
     .meaning = "distances beyond it count as it; null, 0 or -1: no limit"},
    {.name = NULL},
};

enum posenc_status posenc__read_xl_form(struct posenc_arguments *arguments,
                                        struct posenc__xl_form *form,
                                        struct posenc_problem *problem)
{
    static const char *const own[] = {[POSENC__XL] = "uni", [POSENC__CONFORMER] = "bi"};

    form->variant = (enum posenc__xl_variant)posenc__choice(arguments, "variant");
    if (form->variant == POSENC__XLNET && !posenc__present(arguments, "attention"))
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "attention",
                              "'attention' is required for xlnet: bi for the published models, uni "
                              "where a query sees no key after it.");
    if (form->variant != POSENC__XLNET) {
        const char *name = own[form->variant];

        if (posenc__present(arguments, "attention") &&
            strcmp(posenc_find_argument(arguments, "attention")->value.as.text, name) != 0)
            return posenc__refuse(problem, POSENC_CONFLICT, "attention",
                                  "The attention of this variant is %s; only xlnet has both.",
                                  name);
        posenc__resolve(arguments, "attention", posenc_text(name));
    }
    form->is_causal = posenc__choice(arguments, "attention") == ATTENTION_UNI;
    return POSENC_OK;
}

struct xl_table {
    struct posenc__waves waves;
    struct posenc__wave_rows wave_rows; /* where no distance is clamped */
    size_t dim, rows;
    double start; /* distance of row 0 */
    double limit; /* of distances, or infinity */
    bool is_interleaved;
};

static double distance_at(const struct xl_table *plan, size_t row)
{
    return fmax(-plan->limit, fmin(plan->limit, plan->start - (double)row));
}

#define PAIR_BLOCK 64 /* pairs computed at a time, on the stack */

/* Sines and cosines of a row; either may be NULL. */
static void sines_of(const struct xl_table *plan, size_t row, size_t first, size_t count,
                     double *sines, double *cosines)
{
    const double distance = distance_at(plan, row);

    if (distance == plan->start - (double)row)
        posenc__wave_rows_sincos(&plan->wave_rows, row, first, count, sines, cosines);
    else
        posenc__wave_at(&plan->waves, (struct posenc__dd){distance, 0}, first, count, sines,
                        cosines);
}

/* Columns [begin, end) of s0 c0 s1 c1 ... */
static void fill_interleaved(const struct xl_table *plan, size_t row, size_t begin, size_t end,
                             double *out)
{
    double sines[PAIR_BLOCK], cosines[PAIR_BLOCK];

    for (size_t pair = begin / 2; 2 * pair < end; pair += PAIR_BLOCK) {
        const size_t left = (end + 1) / 2 - pair, part = left < PAIR_BLOCK ? left : PAIR_BLOCK;

        sines_of(plan, row, pair, part, sines, cosines);
        for (size_t i = 0; i < part; i++) {
            const size_t column = 2 * (pair + i);

            if (column >= begin)
                out[column - begin] = sines[i];
            if (column + 1 < end)
                out[column + 1 - begin] = cosines[i];
        }
    }
}

/* Columns [begin, end) of s0 s1 ... c0 c1 ... */
static void fill_halves(const struct xl_table *plan, size_t row, size_t begin, size_t end,
                        double *out)
{
    const size_t half = plan->dim / 2, sines_end = end < half ? end : half;
    const size_t cosines_begin = begin > half ? begin : half;

    if (begin < sines_end)
        sines_of(plan, row, begin, sines_end - begin, out, NULL);
    if (cosines_begin < end)
        sines_of(plan, row, cosines_begin - half, end - cosines_begin, NULL,
                 out + (cosines_begin - begin));
}

static void encoding_values(const void *context, size_t first, size_t count, double *out)
{
    const struct xl_table *plan = context;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / plan->dim, begin = (first + done) % plan->dim;
        const size_t part = plan->dim - begin < count - done ? plan->dim - begin : count - done;

        if (plan->is_interleaved)
            fill_interleaved(plan, row, begin, begin + part, out + done);
        else
            fill_halves(plan, row, begin, begin + part, out + done);
        done += part;
    }
}

static void encoding_rows(const void *context, enum posenc_dtype dtype, size_t first, size_t count,
                          void *out)
{
    const struct xl_table *plan = context;
    struct posenc__wave_layout layout = posenc__wave_halves(&plan->wave_rows, false, plan->dim);

    if (plan->is_interleaved)
        layout.form = POSENC__BLEND_MIXED;
    posenc__wave_rows_fill(&plan->wave_rows, &layout, dtype, first, count, out);
}

static void encoding_elements(const void *context, enum posenc_dtype dtype, size_t first,
                              size_t count, void *out)
{
    const struct xl_table *plan = context;
    const struct posenc__rows rows = {plan->dim, encoding_values, encoding_rows};

    posenc__fill_rows(&rows, plan, dtype, first, count, out);
}

static void position_values(const void *context, size_t first, size_t count, double *out)
{
    const struct xl_table *plan = context;

    for (size_t i = 0; i < count; i++)
        out[i] = distance_at(plan, first + i);
}

static enum posenc_status set_waves(struct xl_table *plan, struct posenc_memory *memory,
                                    struct posenc_problem *problem)
{
    const size_t pairs = plan->dim / 2;
    struct posenc__powers powers;

    const enum posenc_status status = posenc__make_waves(&plan->waves, pairs, memory, problem);

    if (status != POSENC_OK)
        return status;
    posenc__powers_begin(&powers, (struct posenc__dd){BASE, 0}, -2.0, (double)plan->dim);
    for (size_t i = 0; i < pairs; i++)
        posenc__waves_set(&plan->waves, i, posenc__powers_next(&powers));
    const struct posenc__positions positions = {
        .count = plan->rows, .offset = plan->start, .step = -1};

    return posenc__wave_rows_init(&plan->wave_rows, &plan->waves, &positions, memory)
               ? POSENC_OK
               : posenc__no_memory(problem);
}

/* Only XLNet's rows depend on the number of queries. */
static enum posenc_status settle_queries(struct posenc_arguments *arguments,
                                         const struct posenc__xl_form *form,
                                         struct posenc_problem *problem)
{
    if (form->variant != POSENC__XLNET && posenc__given(arguments, "query_length"))
        return posenc__refuse(problem, POSENC_CONFLICT, "query_length",
                              "The rows of this variant do not depend on 'query_length'; leave it "
                              "out.");
    if (form->variant == POSENC__XLNET && !posenc__present(arguments, "query_length"))
        posenc__resolve(arguments, "query_length",
                        posenc_number(posenc__real(arguments, "length")));
    return POSENC_OK;
}

/* The distance of the first row, and how many rows follow one by one. */
static void place_rows(const struct posenc_arguments *arguments, const struct posenc__xl_form *form,
                       struct xl_table *plan)
{
    const size_t keys = posenc__size(arguments, "length");

    plan->start = (double)keys - (form->variant == POSENC__XLNET ? 0 : 1);
    switch (form->variant) {
    case POSENC__XL:
        plan->rows = keys;
        break;
    case POSENC__XLNET:
        plan->rows = keys + (form->is_causal ? 1 : posenc__size(arguments, "query_length"));
        break;
    case POSENC__CONFORMER:
        plan->rows = keys == 0 ? 0 : 2 * keys - 1;
        break;
    }
}

static enum posenc_status xl_prepare(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct xl_table *plan,
                                     struct posenc_problem *problem)
{
    struct posenc__xl_form form;
    enum posenc_status status = posenc__read_xl_form(arguments, &form, problem);

    if (status == POSENC_OK)
        status = settle_queries(arguments, &form, problem);
    if (status != POSENC_OK)
        return status;
    *plan = (struct xl_table){.dim = posenc__size(arguments, "dim"),
                              .limit = INFINITY,
                              .is_interleaved = form.variant == POSENC__CONFORMER};
    if (plan->dim % 2 != 0)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "dim",
                              "'dim' is odd (%zu); every sine has its cosine here.", plan->dim);
    if (posenc__present(arguments, "clamp_len") && posenc__real(arguments, "clamp_len") > 0)
        plan->limit = posenc__real(arguments, "clamp_len");
    place_rows(arguments, &form, plan);
    return set_waves(plan, memory, problem);
}

enum posenc_status posenc__transformer_xl_view(struct posenc_arguments *arguments,
                                               struct posenc_memory *memory,
                                               struct posenc__wave_view *view,
                                               struct posenc_problem *problem)
{
    struct xl_table plan;
    const enum posenc_status status = xl_prepare(arguments, memory, &plan, problem);

    if (status != POSENC_OK)
        return status;
    double *distances = posenc_allocate(memory, plan.rows, sizeof(*distances));

    if (!distances)
        return posenc__no_memory(problem);
    position_values(&plan, 0, plan.rows, distances);
    *view =
        (struct posenc__wave_view){.waves = plan.waves,
                                   .cosines = plan.waves.count,
                                   .amplitude = 1,
                                   .has_one_axis = true,
                                   .width = plan.dim,
                                   .cosine_start = plan.is_interleaved ? 1 : plan.dim / 2,
                                   .stride = plan.is_interleaved ? 2 : 1,
                                   .has_positions = true,
                                   .positions = {.count = plan.rows, .list = distances, .step = 1}};
    return POSENC_OK;
}

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct xl_table *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    enum posenc_status status = xl_prepare(arguments, memory, plan, problem);

    if (status != POSENC_OK)
        return status;
    const size_t shape[] = {plan->rows, plan->dim};

    if (isinf(plan->limit))
        status = posenc__add_elements(result, memory, problem, "encoding", posenc__dtype(arguments),
                                      2, shape, encoding_elements, plan);
    else
        status = posenc__add_tensor(result, memory, problem, "encoding", posenc__dtype(arguments),
                                    2, shape, encoding_values, plan);
    if (status != POSENC_OK)
        return status;
    return posenc__add_tensor(result, memory, problem, "positions", POSENC_INT64, 1, shape,
                              position_values, plan);
}

static const struct posenc_operation xl_operations[] = {
    {.name = "table",
     .summary = "the rows of distances, and which distance each is for",
     .groups = POSENC__GROUPS(table_rows, posenc__transformer_xl_variant_rows, posenc__dtype_rows),
     .tensors = POSENC__TENSORS(
         {"encoding", "[rows, dim]", "one row per distance, the largest first; before W_r"},
         {"positions", "[rows]", "the distance of each row, query minus key"}),
     .int64_tensors = POSENC__NAMES("positions"),
     .plan = plan_table},
    {.name = "apply",
     .summary = "attention scores of queries against keys and distances",
     .takes_tensors = true,
     .groups = POSENC__GROUPS(posenc__transformer_xl_apply_rows,
                              posenc__transformer_xl_variant_rows, posenc__dtype_rows),
     .tensors = POSENC__TENSORS(
         {"scores", "[..., query, key]",
          "scores before softmax, divided by sqrt(dim); masked ones are -Infinity"}),
     .plan = posenc__transformer_xl_plan_apply},
    {.name = "shift",
     .summary = "moves scores against rows of distances to the keys that they belong to",
     .takes_tensors = true,
     .groups = POSENC__GROUPS(posenc__transformer_xl_shift_rows,
                              posenc__transformer_xl_variant_rows, posenc__dtype_rows),
     .tensors = POSENC__TENSORS(
         {"shifted", "[..., query, key]", "for each query and key the score of their distance"}),
     .plan = posenc__transformer_xl_plan_shift},
    {.name = NULL},
};

const struct posenc_encoding posenc__transformer_xl = {
    .name = "transformer_xl",
    .summary = "sines and cosines of distances, which attention scores meet by a relative shift",
    .source = "Dai et al., Transformer-XL, 2019 (arXiv 1901.02860), section 3.3 and appendix B; "
              "Yang et al., XLNet, 2019 (arXiv 1906.08237); Gulati et al., Conformer, 2020 (arXiv "
              "2005.08100)",
    .convention =
        "query minus key: distances are positive towards the past, the largest in the first row; "
        "queries stand at the end of the keys (bottom_right); sines first, then cosines, but "
        "interleaved for the Conformer; scores are divided by sqrt(dim)",
    .operations = xl_operations,
    .faults = posenc__transformer_xl_faults,
};
