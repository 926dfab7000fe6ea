/* Parameters and presets of sinusoidal tables. */
#include <string.h>

#include "sinusoidal.h"

const struct posenc_parameter posenc__sinusoidal_rows[] = {
    {POSENC__WIDTH, .flags = POSENC_FROM_TENSOR,
     .aliases = POSENC__NAMES("embed_dim", "d_model", "head_dim"),
     .meaning = "width of the table: features per position"},
    {POSENC__BASE_OF_WAVES, .aliases = POSENC__NAMES("theta", "max_timescale", "rope_theta")},
    {.name = "layout",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("interleaved"),
     .choices = POSENC__NAMES("interleaved", "sin_cos", "cos_sin"),
     .meaning = "order of the columns: s c s c, s s c c, or c c s s"},
    {POSENC__SPACING,
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

const struct posenc_preset posenc__sinusoidal_presets[] = {
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

void posenc__sinusoidal_complete(struct posenc_arguments *arguments)
{
    if (!posenc__present(arguments, "preset"))
        return;
    const char *name = posenc_find_argument(arguments, "preset")->value.as.text;

    for (const struct posenc_preset *preset = posenc__sinusoidal_presets; preset->name; preset++)
        if (preset->complete && strcmp(preset->name, name) == 0)
            preset->complete(arguments);
}
