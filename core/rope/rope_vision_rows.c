/* Images' parameters, and which models set them how. */
#include "rope.h"

const struct posenc_parameter posenc__rope_vision_rows[] = {
    {.name = "axes_rule",
     .type = POSENC_TYPE_CHOICE,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "positions of one axis, or those of mrope_section",
     .choices = POSENC__NAMES("alternate", "blocks", "interleaved", "separate"),
     .meaning = "how the axes of an image share the pairs: by turns of the frequencies (Pixtral); "
                "each axis a block of pairs with the same frequencies (Qwen2-VL); those pairs "
                "dealt in turn (Kimi); each axis a part of the channels for itself (Gemma 4)"},
    {.name = "axis_count",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "2 with axes_rule",
     .minimum = 2,
     .maximum = POSENC__ROPE_AXES_MAX,
     .meaning = "2: an image; 3: a video, frames first"},
    {.name = "axis_order",
     .type = POSENC_TYPE_CHOICE,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "yx with axes_rule",
     .choices = POSENC__NAMES("yx", "xy"),
     .meaning = "which axis comes first, in the lists of positions and among the pairs: yx rows, "
                "then columns; xy columns, then rows"},
    {.name = "coordinates",
     .type = POSENC_TYPE_CHOICE,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "index with axes_rule",
     .choices = POSENC__NAMES("index", "centered"),
     .meaning = "index: a row or column as it counts; centered: patch centres scaled to -1..1 over "
                "the grid, times 2 pi (DINOv3)"},
    {.name = "coordinate_start",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "0 with axes_rule",
     .minimum = -POSENC_POSITION_MAX,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "added to every coordinate; 1 where a model counts from 1 (Llama 4)"},
    {.name = "grid",
     .type = POSENC_TYPE_INTEGERS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "positions",
     .minimum = 1,
     .maximum = POSENC_INTEGER_MAX,
     .meaning = "rows and columns, or frames, rows and columns, with axes_rule: one token a cell, "
                "columns fastest"},
    {.name = NULL},
};

#define IMAGE(rule, order, layout)                                                                 \
    POSENC__SET_TEXT("axes_rule", rule), POSENC__SET_TEXT("axis_order", order),                    \
        POSENC__SET_TEXT("layout", layout)
#define BASE(x) POSENC__SET_NUMBER("base", x)

const struct posenc_preset posenc__rope_presets[] = {
    {.name = "pixtral",
     .meaning = "Pixtral's images: rows and columns alternate among the frequencies",
     .settings = {IMAGE("alternate", "yx", "half"), BASE(10000)}},
    {.name = "qwen2_vl_vision",
     .meaning = "the images of Qwen2-VL, 2.5-VL and 3-VL and of GLM-4V: a block of pairs an axis",
     .settings = {IMAGE("blocks", "yx", "half"), BASE(10000)}},
    {.name = "llama4_vision",
     .meaning = "Llama 4's images: columns first, counted from 1; null for the CLS token",
     .settings = {IMAGE("blocks", "xy", "interleaved"), BASE(10000),
                  POSENC__SET_NUMBER("coordinate_start", 1)}},
    {.name = "dinov3",
     .meaning = "DINOv3, also EoMT and Sapiens2: patch centres scaled to -1..1; null for CLS and "
                "registers",
     .settings = {IMAGE("blocks", "yx", "half"), BASE(100),
                  POSENC__SET_TEXT("coordinates", "centered")}},
    {.name = "sam2",
     .meaning = "SAM 2 and SAM 3: a block of pairs an axis, columns first",
     .settings = {IMAGE("blocks", "xy", "interleaved"), BASE(10000)}},
    {.name = "vjepa2",
     .meaning = "V-JEPA 2's videos: three parts of the channels, mixed layout, the rest does not "
                "turn",
     .settings = {IMAGE("separate", "yx", "mixed"), BASE(10000),
                  POSENC__SET_NUMBER("axis_count", 3)}},
    {.name = "gemma4_vision",
     .meaning = "Gemma 4's images: columns turn the first half of the channels, rows the second",
     .settings = {IMAGE("separate", "xy", "half"), BASE(100)}},
    {.name = "kimi_k25_vision",
     .meaning = "Kimi-K2.5's images (MoonViT): columns and rows interleave; the published weights "
                "pair adjacent channels, transformers' conversion halves",
     .settings = {POSENC__SET_TEXT("axes_rule", "interleaved"),
                  POSENC__SET_TEXT("axis_order", "xy"), BASE(10000)}},
    {.name = NULL},
};
