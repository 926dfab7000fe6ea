/* What people make of tables of waves, where no parameter makes it. */
#ifndef POSENC_WAVE_FAULTS_H
#define POSENC_WAVE_FAULTS_H

#include "wave_view.h"

/* ROW(id, name, words): see wave_faults.c for what each of them is. */
#define POSENC__WAVE_FAULTS(ROW)                                                                   \
    ROW(flat, "exponents_zero",                                                                    \
        "every exponent is 0, as integer division makes it, so that all pairs share one "          \
        "frequency")                                                                               \
    ROW(inverse, "inverted_frequencies",                                                           \
        "positions are divided by the frequencies, not multiplied")                                \
    ROW(late, "frequencies_from_one",                                                              \
        "frequencies are counted from one: each pair has that of the next")                        \
    ROW(columns, "exponent_by_column",                                                             \
        "the exponent grows from column to column, not from pair to pair, so that the sine and "   \
        "the cosine of a pair have different frequencies")                                         \
    ROW(doubled, "exponent_by_column_doubled",                                                     \
        "the exponent counts columns as if they were pairs, so that frequencies fall twice as "    \
        "fast, and the sine and the cosine of a pair have different ones")                         \
    ROW(exchanged, "exchanged_cos_sin",                                                            \
        "cosines and sines are exchanged: a pair's cosine stands first")

#define POSENC__DECLARE_FAULT(id, name, words) POSENC__WAVES_##id,
enum posenc__wave_fault { POSENC__WAVE_FAULTS(POSENC__DECLARE_FAULT) };
#undef POSENC__DECLARE_FAULT

/* Of the operations `table` and `apply` of an encoding that has a wave source, whose table is the
 * tensor `encoding` and whose apply, if it has one, adds the rows. */
extern const struct posenc__fault posenc__wave_faults[];

/* Appends the tensor `encoding` that the fault makes of the waves, which have positions. */
enum posenc_status posenc__add_wrong_waves(enum posenc__wave_fault fault,
                                           const struct posenc__wave_view *view,
                                           struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem);

#endif
