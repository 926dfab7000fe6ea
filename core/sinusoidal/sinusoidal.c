/*
 * Sinusoidal absolute positions (Vaswani et al., "Attention Is All You Need", 2017, section 3.5,
 * and its descendants).
 *
 *   angle of pair i at position p:  a = p * w_i,   w_i = (1 / m) (b / m)^(-e_i) radians per
 * position e_i = 2i / dim (the paper) or i / (h - 1) with h = floor(dim / 2) (tensor2tensor,
 * fairseq)
 *
 * where b is `base`, m is `min_timescale` (1 in every paper). Columns for dim 6 (s sine, c cosine,
 * number = pair):
 *
 *   interleaved  s0 c0 s1 c1 s2 c2     sin_cos  s0 s1 s2 c0 c1 c2     cos_sin  c0 c1 c2 s0 s1 s2
 */
#include <math.h>
#include <string.h>

#include "inputs.h"
#include "positions.h"
#include "powers.h"
#include "wave_rows.h"
#include "wave_view.h"
#include "waves.h"

enum layout { INTERLEAVED, SIN_COS, COS_SIN };
enum spacing { SPACING_DIM, SPACING_HALF_MINUS_1, SPACING_GUARDED };
enum odd { ODD_REJECT, ODD_EXTRA_SINE, ODD_ZERO_PAD, ODD_PAIR_INDEX };

static const struct posenc_parameter sinusoidal_rows[] = {
    {.name = "dim",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_FROM_TENSOR,
     .minimum = 1,
     .maximum = POSENC_DIM_MAX,
     .aliases = POSENC__NAMES("embed_dim", "d_model", "head_dim"),
     .meaning = "width of the table: features per position"},
    {.name = "base",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_ABOVE,
     POSENC__DEFAULT_NUMBER(10000),
     .minimum = 0,
     .maximum = INFINITY,
     .aliases = POSENC__NAMES("theta", "max_timescale", "rope_theta"),
     .meaning = "the largest time scale: wavelengths run from 2 pi towards 2 pi base"},
    {.name = "layout",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("interleaved"),
     .choices = POSENC__NAMES("interleaved", "sin_cos", "cos_sin"),
     .meaning = "order of the columns: s c s c, s s c c, or c c s s"},
    {.name = "spacing",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("dim"),
     .choices = POSENC__NAMES("dim", "half_minus_1", "half_minus_1_guarded"),
     .meaning =
         "exponent of pair i: 2i/dim, i/(h - 1), or i/max(h - 1, 1), with h = floor(dim / 2)"},
    {.name = "odd",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("reject"),
     .choices = POSENC__NAMES("reject", "extra_sine", "zero_pad", "pair_index"),
     .meaning =
         "an odd dim: refused, one sine more than cosines, a last column of zeros, or Marian's "
         "rule 2 floor(j/2)/dim"},
    {.name = "min_timescale",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_ABOVE,
     POSENC__DEFAULT_NUMBER(1),
     .minimum = 0,
     .maximum = INFINITY,
     .meaning = "the smallest time scale; base stays the largest"},
    {.name = "position_scale",
     .type = POSENC_TYPE_REAL,
     POSENC__DEFAULT_NUMBER(1),
     .meaning = "multiplies positions before the angle: trained length / length interpolates"},
    {.name = "output_scale",
     .type = POSENC_TYPE_REAL,
     POSENC__DEFAULT_NUMBER(1),
     .meaning = "multiplies the table"},
    {.name = "padding_idx",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NULL,
     .meaning = "the row of this position is zero; null: no such row"},
    {.name = "arithmetic",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("exact"),
     .choices = POSENC__NAMES("exact", "float32"),
     .meaning =
         "exact: one rounding at the end; float32: PyTorch's exp, product, sine and cosine in "
         "float32 steps"},
    {.name = NULL},
};

#define LAYOUT(name)  POSENC__SET_TEXT("layout", name)
#define SPACING(name) POSENC__SET_TEXT("spacing", name)
#define ODD(name)     POSENC__SET_TEXT("odd", name)

/* mlx scales the whole table by sqrt(2 / dim), which gives rows of unit length. */
static void scale_as_mlx(struct posenc_arguments *arguments)
{
    if (!posenc__given(arguments, "output_scale") && posenc__present(arguments, "dim"))
        posenc__resolve(arguments, "output_scale",
                        posenc_number(sqrt(2.0 / posenc__real(arguments, "dim"))));
}

/* tensor2tensor divides by max(h - 1, 1): the guard shows only where h is 1. */
static void guard_as_tensor2tensor(struct posenc_arguments *arguments)
{
    if (!posenc__given(arguments, "spacing") && posenc__present(arguments, "dim") &&
        posenc__real(arguments, "dim") < 4)
        posenc__resolve(arguments, "spacing", posenc_text("half_minus_1_guarded"));
}

static const struct posenc_preset sinusoidal_presets[] = {
    {.name = "vaswani",
     .meaning = "the paper's formula; the PyTorch tutorial, ESPnet, XLM",
     .settings = {LAYOUT("interleaved"), SPACING("dim")}},
    {.name = "tensor2tensor",
     .meaning = "tensor2tensor's 1-D timing signal",
     .settings = {LAYOUT("sin_cos"), SPACING("half_minus_1"), ODD("zero_pad")},
     .complete = guard_as_tensor2tensor},
    {.name = "fairseq",
     .meaning = "fairseq; tokens start at position padding_idx + 1 = 2, and row 1 is zero",
     .settings = {LAYOUT("sin_cos"), SPACING("half_minus_1"), ODD("zero_pad"),
                  POSENC__SET_NUMBER("padding_idx", 1)}},
    {.name = "m2m100",
     .meaning = "M2M100, NLLB, XGLM, Speech2Text: as fairseq",
     .settings = {LAYOUT("sin_cos"), SPACING("half_minus_1"), ODD("zero_pad"),
                  POSENC__SET_NUMBER("padding_idx", 1)}},
    {.name = "marian",
     .meaning = "Marian, Pegasus: positions count padding too",
     .settings = {LAYOUT("sin_cos"), SPACING("dim"), ODD("pair_index")}},
    {.name = "whisper",
     .meaning = "Whisper's encoder, rows 0 to 1499",
     .settings = {LAYOUT("sin_cos"), SPACING("half_minus_1")}},
    {.name = "transformer_xl",
     .meaning = "Transformer-XL, XLNet, GPT-NeoX: sines first, the paper's exponent",
     .settings = {LAYOUT("sin_cos"), SPACING("dim")}},
    {.name = "musicgen",
     .meaning = "MusicGen, AudioCraft, Demucs: cosines first",
     .settings = {LAYOUT("cos_sin"), SPACING("half_minus_1")}},
    {.name = "keras",
     .meaning = "KerasHub's SinePositionEncoding: any dim, the channel's parity decides",
     .settings = {LAYOUT("interleaved"), SPACING("dim"), ODD("extra_sine")}},
    {.name = "mlx",
     .meaning = "mlx.nn's SinusoidalPositionalEncoding: tensor2tensor's table times sqrt(2 / dim)",
     .settings = {LAYOUT("sin_cos"), SPACING("half_minus_1")},
     .complete = scale_as_mlx},
    {.name = NULL},
};

/* What a preset works out from dim must wait, in apply, for the tensor that tells it. */
static void complete_preset(struct posenc_arguments *arguments)
{
    if (!posenc__present(arguments, "preset"))
        return;
    const char *name = posenc_find_argument(arguments, "preset")->value.as.text;

    for (const struct posenc_preset *preset = sinusoidal_presets; preset->name; preset++)
        if (preset->complete && strcmp(preset->name, name) == 0)
            preset->complete(arguments);
}

/* Where the sine and the cosine of pair i stand: column start + i * stride. */
struct sinusoidal {
    struct posenc__positions positions;
    struct posenc__waves waves;    /* arithmetic exact */
    struct posenc__wave_rows rows; /* the same at each position */
    const float *frequencies;      /* arithmetic float32; else NULL */
    size_t dim, sines, cosines;
    size_t sine_start, cosine_start, stride;
    double position_scale; /* of arithmetic float32; exact waves hold it already */
    double output_scale;
    bool has_padding;
    double padding;
};

/* Numerator and denominator of the exponent of pair i; the denominator is never 0 after the check.
 */
static void exponent_of(enum spacing spacing, size_t dim, size_t pair, double *numerator,
                        double *denominator)
{
    const size_t half = dim / 2;

    if (spacing == SPACING_DIM) {
        *numerator = 2.0 * (double)pair;
        *denominator = (double)dim;
        return;
    }
    *numerator = (double)pair;
    *denominator = half > 1 ? (double)(half - 1) : 1.0;
}

static enum posenc_status check_shape(const struct posenc_arguments *arguments,
                                      struct posenc_problem *problem)
{
    const size_t dim = posenc__size(arguments, "dim");

    if (dim % 2 != 0 && posenc__choice(arguments, "odd") == ODD_REJECT)
        return posenc__refuse(
            problem, POSENC_OUT_OF_RANGE, "dim",
            "'dim' is odd (%zu); say with 'odd' what its last column is: extra_sine, "
            "zero_pad or pair_index.",
            dim);
    if (posenc__choice(arguments, "spacing") == SPACING_HALF_MINUS_1 && dim / 2 < 2)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "dim",
                              "'dim' %zu leaves h - 1 = 0 as a denominator; spacing "
                              "'half_minus_1_guarded' divides by 1 instead, as tensor2tensor does.",
                              dim);
    return POSENC_OK;
}

#define TIMESCALE_MAX 0x1p1000 /* so that their quotient stays a normal number */

static bool is_timescale(double scale)
{
    return scale >= 1 / TIMESCALE_MAX && scale <= TIMESCALE_MAX;
}

static enum posenc_status check_timescales(const struct posenc_arguments *arguments,
                                           struct posenc_problem *problem)
{
    const double smallest = posenc__real(arguments, "min_timescale");
    const double base = posenc__real(arguments, "base");

    if (is_timescale(smallest) && is_timescale(base) && is_timescale(base / smallest))
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "base",
                          "'base', 'min_timescale' and their quotient must lie between 2^-1000 and "
                          "2^1000.");
}

static void place_columns(struct sinusoidal *plan, enum layout layout, bool zero_last)
{
    plan->sines = zero_last ? plan->dim / 2 : (plan->dim + 1) / 2;
    plan->cosines = plan->dim / 2;
    plan->stride = layout == INTERLEAVED ? 2 : 1;
    plan->sine_start = layout == COS_SIN ? plan->cosines : 0;
    plan->cosine_start = layout == INTERLEAVED ? 1 : layout == SIN_COS ? plan->sines : 0;
}

static enum posenc_status set_exact_waves(struct sinusoidal *plan,
                                          const struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc_problem *problem)
{
    const struct posenc__dd scale = {plan->position_scale, 0};
    const struct posenc__dd smallest = {posenc__real(arguments, "min_timescale"), 0};
    const struct posenc__dd ratio =
        posenc__dd_divide((struct posenc__dd){posenc__real(arguments, "base"), 0}, smallest);

    struct posenc__powers powers;
    double numerator, denominator;

    if (!posenc__waves_init(&plan->waves, plan->sines, memory))
        return posenc__no_memory(problem);
    exponent_of(posenc__choice(arguments, "spacing"), plan->dim, 1, &numerator, &denominator);
    posenc__powers_begin(&powers, ratio, -numerator, denominator);
    for (size_t i = 0; i < plan->sines; i++) {
        const struct posenc__dd power = posenc__powers_next(&powers);

        posenc__waves_set(&plan->waves, i,
                          posenc__dd_multiply(posenc__dd_divide(power, smallest), scale));
    }
    const enum posenc_status status = posenc__check_angles(&plan->waves, &plan->positions, problem);

    if (status != POSENC_OK)
        return status;
    return posenc__wave_rows_init(&plan->rows, &plan->waves, &plan->positions, memory)
               ? POSENC_OK
               : posenc__no_memory(problem);
}

/* PyTorch: exp(arange * -(log(base) / denominator)) with the bracket in double, the rest in
 * float32. */
static enum posenc_status set_float32_frequencies(struct sinusoidal *plan,
                                                  const struct posenc_arguments *arguments,
                                                  struct posenc_memory *memory,
                                                  struct posenc_problem *problem)
{
    const double smallest = posenc__real(arguments, "min_timescale");
    const struct posenc__dd log =
        posenc__dd_log((struct posenc__dd){posenc__real(arguments, "base") / smallest, 0});
    float *frequencies = posenc_allocate(memory, plan->sines, sizeof(*frequencies));

    if (!frequencies)
        return posenc__no_memory(problem);
    for (size_t i = 0; i < plan->sines; i++) {
        double numerator, denominator;

        exponent_of(posenc__choice(arguments, "spacing"), plan->dim, i, &numerator, &denominator);
        const float exponent = (float)numerator * (float)-(log.hi / denominator);

        frequencies[i] =
            (float)posenc__dd_exp((struct posenc__dd){exponent, 0}).hi / (float)smallest;
    }
    plan->frequencies = frequencies;
    return posenc__check_float32_angles(frequencies, plan->sines, plan->position_scale,
                                        &plan->positions, problem);
}

/* sin and cos of pairs [first, first + count) of a row, before the output scale. */
static void sines_of(const struct sinusoidal *plan, size_t row, size_t first, size_t count,
                     double *sines, double *cosines)
{
    if (plan->frequencies) {
        const struct posenc__dd position = posenc__position_at(&plan->positions, row);
        const float scaled = (float)position.hi * (float)plan->position_scale;

        posenc__sincos_float32(plan->frequencies + first, scaled, count, sines, cosines);
    } else {
        posenc__wave_rows_sincos(&plan->rows, row, first, count, sines, cosines);
    }
}

/* Columns [begin, end) of a row. */
struct span {
    size_t begin, end;
    double *out;
};

/* Pairs of [0, count) whose column start + i * stride lies in the span. */
static void pairs_in(const struct span *span, size_t start, size_t stride, size_t count,
                     size_t *low, size_t *high)
{
    *low = span->begin > start ? (span->begin - start + stride - 1) / stride : 0;
    *high = span->end > start ? (span->end - start + stride - 1) / stride : 0;
    *low = *low < count ? *low : count;
    *high = *high < count ? *high : count;
}

static void scatter(const struct span *span, const double *values, size_t first, size_t last,
                    size_t start, size_t stride, size_t low, size_t high, double scale)
{
    low = low > first ? low : first;
    high = high < last ? high : last;
    for (size_t i = low; i < high; i++)
        span->out[start + i * stride - span->begin] = values[i - first] * scale + 0.0;
}

#define PAIR_BLOCK 64 /* pairs computed at a time, on the stack */

static void fill_span(const struct sinusoidal *plan, size_t row, const struct span *span)
{
    double sines[PAIR_BLOCK], cosines[PAIR_BLOCK];
    size_t sine_low, sine_high, cosine_low, cosine_high;

    pairs_in(span, plan->sine_start, plan->stride, plan->sines, &sine_low, &sine_high);
    pairs_in(span, plan->cosine_start, plan->stride, plan->cosines, &cosine_low, &cosine_high);
    for (size_t first = 0; first < plan->sines; first += PAIR_BLOCK) {
        const size_t last = first + PAIR_BLOCK < plan->sines ? first + PAIR_BLOCK : plan->sines;
        const bool wants_sines = sine_low < last && sine_high > first;
        const bool wants_cosines = cosine_low < last && cosine_high > first;

        if (!wants_sines && !wants_cosines)
            continue;
        sines_of(plan, row, first, last - first, sines, cosines);
        scatter(span, sines, first, last, plan->sine_start, plan->stride, sine_low, sine_high,
                plan->output_scale);
        scatter(span, cosines, first, last, plan->cosine_start, plan->stride, cosine_low,
                cosine_high, plan->output_scale);
    }
}

static bool is_padding(const struct sinusoidal *plan, size_t row)
{
    if (!plan->has_padding)
        return false;
    const struct posenc__dd position = posenc__position_at(&plan->positions, row);

    return position.hi == plan->padding && position.lo == 0;
}

static void sinusoidal_values(const void *context, size_t first, size_t count, double *out)
{
    const struct sinusoidal *plan = context;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / plan->dim, begin = (first + done) % plan->dim;
        const size_t part = plan->dim - begin < count - done ? plan->dim - begin : count - done;
        const struct span span = {begin, begin + part, out + done};

        if (is_padding(plan, row))
            for (size_t i = 0; i < part; i++)
                span.out[i] = 0;
        else
            fill_span(plan, row, &span);
        if (span.end == plan->dim && plan->sines + plan->cosines < plan->dim)
            span.out[part - 1] = 0;
        done += part;
    }
}

/* Whole rows, and zeros where no wave goes: an odd last column, the row of padding. */
static void sinusoidal_rows_of(const void *context, enum posenc_dtype dtype, size_t first,
                               size_t count, void *out)
{
    const struct sinusoidal *plan = context;
    const bool is_mixed = plan->stride == 2;
    const struct posenc__wave_layout layout = {.form = is_mixed ? POSENC__BLEND_MIXED
                                                                : POSENC__BLEND_BOTH,
                                               .width = plan->dim,
                                               .sine = plan->sine_start,
                                               .cosine = plan->cosine_start,
                                               .sine_factor = plan->output_scale,
                                               .cosine_factor = plan->output_scale};
    const size_t size = posenc_dtype_size(dtype), used = 2 * plan->sines;

    posenc__wave_rows_fill(&plan->rows, &layout, dtype, first, count, out);
    for (size_t i = 0; i < count && (plan->has_padding || used < plan->dim); i++) {
        const size_t kept = is_padding(plan, first + i) ? 0 : used;

        memset((char *)out + (i * plan->dim + kept) * size, 0, (plan->dim - kept) * size);
    }
}

static void sinusoidal_elements(const void *context, enum posenc_dtype dtype, size_t first,
                                size_t count, void *out)
{
    const struct sinusoidal *plan = context;
    const struct posenc__rows rows = {plan->dim, sinusoidal_values, sinusoidal_rows_of};

    posenc__fill_rows(&rows, plan, dtype, first, count, out);
}

/* Rows of another make: in steps of float32, or with a sine that has no cosine. */
static bool has_own_rows(const struct sinusoidal *plan)
{
    return plan->frequencies || plan->sines != plan->cosines;
}

static enum posenc_status sinusoidal_prepare(struct posenc_arguments *arguments,
                                             const size_t *expected, struct posenc_memory *memory,
                                             struct sinusoidal **prepared,
                                             struct posenc_problem *problem)
{
    enum posenc_status status = check_shape(arguments, problem);

    if (status == POSENC_OK)
        status = check_timescales(arguments, problem);
    if (status != POSENC_OK)
        return status;
    struct sinusoidal *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    *plan = (struct sinusoidal){.dim = posenc__size(arguments, "dim"),
                                .position_scale = posenc__real(arguments, "position_scale"),
                                .output_scale = posenc__real(arguments, "output_scale"),
                                .has_padding = posenc__present(arguments, "padding_idx")};
    plan->padding = plan->has_padding ? posenc__real(arguments, "padding_idx") : 0;
    place_columns(plan, posenc__choice(arguments, "layout"),
                  plan->dim % 2 != 0 && posenc__choice(arguments, "odd") == ODD_ZERO_PAD);
    status = posenc__read_positions(arguments, expected, "x", &plan->positions, problem);
    if (status != POSENC_OK)
        return status;
    *prepared = plan;
    return posenc__choice(arguments, "arithmetic") == 0
               ? set_exact_waves(plan, arguments, memory, problem)
               : set_float32_frequencies(plan, arguments, memory, problem);
}

/* The float32 dialect's frequencies as waves; they are exact doubles. */
static bool widen_frequencies(struct sinusoidal *plan, struct posenc_memory *memory)
{
    const struct posenc__dd scale = {plan->position_scale, 0};

    if (!posenc__waves_init(&plan->waves, plan->sines, memory))
        return false;
    for (size_t i = 0; i < plan->sines; i++)
        posenc__waves_set(&plan->waves, i,
                          posenc__dd_multiply((struct posenc__dd){plan->frequencies[i], 0}, scale));
    return true;
}

static enum posenc_status read_waves(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc__wave_view *view, struct posenc_problem *problem)
{
    const bool has_positions = posenc__names_positions(arguments);
    const size_t none = 0;
    struct sinusoidal *plan = NULL;
    const enum posenc_status status =
        sinusoidal_prepare(arguments, has_positions ? NULL : &none, memory, &plan, problem);

    (void)result;
    if (status != POSENC_OK)
        return status;
    if (plan->frequencies && !widen_frequencies(plan, memory))
        return posenc__no_memory(problem);
    *view = (struct posenc__wave_view){.waves = plan->waves,
                                       .cosines = plan->cosines,
                                       .amplitude = plan->output_scale,
                                       .has_one_axis = true,
                                       .width = plan->dim,
                                       .sine_start = plan->sine_start,
                                       .cosine_start = plan->cosine_start,
                                       .stride = plan->stride,
                                       .has_positions = has_positions,
                                       .positions = plan->positions};
    return POSENC_OK;
}

static const struct posenc__wave_source sinusoidal_waves = {.needs = POSENC__NAMES("dim"),
                                                            .read = read_waves};

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct sinusoidal *plan = NULL;
    const enum posenc_status status = sinusoidal_prepare(arguments, NULL, memory, &plan, problem);

    if (status != POSENC_OK)
        return status;
    const size_t shape[] = {plan->positions.count, plan->dim};

    if (has_own_rows(plan))
        return posenc__add_tensor(result, memory, problem, "encoding", posenc__dtype(arguments), 2,
                                  shape, sinusoidal_values, plan);
    return posenc__add_elements(result, memory, problem, "encoding", posenc__dtype(arguments), 2,
                                shape, sinusoidal_elements, plan);
}

static enum posenc_status plan_apply(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct posenc__axes axes;
    struct sinusoidal *plan = NULL;
    enum posenc_status status = posenc__read_axes(arguments, "x", &axes, problem);

    if (status == POSENC_OK)
        status = posenc__settle_size(arguments, "dim", axes.width, "x", problem);
    if (status != POSENC_OK)
        return status;
    complete_preset(arguments);
    status = sinusoidal_prepare(arguments, &axes.length, memory, &plan, problem);
    if (status != POSENC_OK)
        return status;
    return posenc__add_sum(result, memory, problem, arguments, "x", &axes, sinusoidal_values, plan);
}

static const struct posenc_operation sinusoidal_operations[] = {
    {.name = "table",
     .summary = "the table of all positions asked for",
     .groups =
         (const struct posenc_parameter *const[]){posenc__position_rows, sinusoidal_rows,
                                                  posenc__dtype_rows, posenc__preset_rows, NULL},
     .tensors =
         (const struct posenc_tensor_row[]){{"encoding", "[length, dim]", "one row per position"},
                                            {.name = NULL}},
     .plan = plan_table},
    {.name = "apply",
     .summary = "adds the rows to a tensor",
     .takes_tensors = true,
     .groups =
         (const struct posenc_parameter *const[]){posenc__additive_rows, posenc__sequence_axis_rows,
                                                  posenc__position_rows, sinusoidal_rows,
                                                  posenc__dtype_rows, posenc__preset_rows, NULL},
     .tensors =
         (const struct posenc_tensor_row[]){{"x", "[..., length, dim]", "x plus the encoding"},
                                            {.name = NULL}},
     .plan = plan_apply},
    {.name = NULL},
};

const struct posenc_encoding posenc__sinusoidal = {
    .name = "sinusoidal",
    .summary = "fixed sine and cosine waves, one pair of columns per frequency",
    .source = "Vaswani et al., Attention Is All You Need, 2017 (arXiv 1706.03762), section 3.5",
    .convention =
        "a pair's sine and cosine share one frequency; positions count from offset, 0 by default",
    .operations = sinusoidal_operations,
    .presets = sinusoidal_presets,
    .waves = &sinusoidal_waves,
};
