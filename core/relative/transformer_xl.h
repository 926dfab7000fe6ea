/*
 * Transformer-XL's parts: rows of distances (transformer_xl.c), the relative shift
 * (transformer_xl_shift.c), scores (transformer_xl_apply.c), mistakes (transformer_xl_faults.c).
 *
 * Query i of Q and key j of K stand t = i + K - Q - j positions apart, query minus key: the last
 * query is at the last key. Scores of all queries against the rows of distances are a matrix whose
 * row i is to be read from another column on; the shift does that by reshaping alone.
 */
#ifndef POSENC_TRANSFORMER_XL_H
#define POSENC_TRANSFORMER_XL_H

#include "wave_view.h"

enum posenc__xl_variant { POSENC__XL, POSENC__XLNET, POSENC__CONFORMER };

/* variant, attention */
extern const struct posenc_parameter posenc__transformer_xl_variant_rows[];

/* The operations beside the table: their own rows, and their plans. */
extern const struct posenc_parameter posenc__transformer_xl_shift_rows[];
extern const struct posenc_parameter posenc__transformer_xl_apply_rows[];
enum posenc_status posenc__transformer_xl_plan_shift(struct posenc_arguments *arguments,
                                                     struct posenc_memory *memory,
                                                     struct posenc_result *result,
                                                     struct posenc_problem *problem);
enum posenc_status posenc__transformer_xl_plan_apply(struct posenc_arguments *arguments,
                                                     struct posenc_memory *memory,
                                                     struct posenc_result *result,
                                                     struct posenc_problem *problem);

struct posenc__xl_form {
    enum posenc__xl_variant variant;
    bool is_causal; /* keys after the query are not attended to */
};

/* What people make of the rows: see wave_faults.h, whose waves are the right ones. */
extern const struct posenc__fault posenc__transformer_xl_faults[];
enum posenc_status posenc__transformer_xl_view(struct posenc_arguments *arguments,
                                               struct posenc_memory *memory,
                                               struct posenc__wave_view *view,
                                               struct posenc_problem *problem);

/* Reads variant and attention; only xlnet leaves the latter open. */
enum posenc_status posenc__read_xl_form(struct posenc_arguments *arguments,
                                        struct posenc__xl_form *form,
                                        struct posenc_problem *problem);

/*
 * A relative shift of matrices [rows, columns] to [rows, keys]: with `padding` zeros (0 or 1) in
 * front of each row, element [i][j] is the one that stands rows - i + j places after the start of
 * row i, be it in row i or behind it.
 */
struct posenc__shift {
    const struct posenc_array *x; /* [..., rows, columns] */
    size_t rows, columns, padding, keys;
    bool is_masked; /* writes `masked` for keys after the query: j > i + keys - rows */
    double masked;
};

/* Appends a tensor `name` [..., rows, keys]; keys must be less than columns + padding. */
enum posenc_status posenc__add_shift(struct posenc_result *result, struct posenc_memory *memory,
                                     struct posenc_problem *problem, const char *name,
                                     enum posenc_dtype dtype, const struct posenc__shift *shift);

#endif
