/*
 * Positions of text, images and videos, one of three axes each: T, H, W (Qwen2-VL and after).
 *
 *   text             all axes cur, cur + 1, ...
 *   image or video   t x h x w cells, h and w after merging: T = cur + the frame's time, H = cur +
 *                    row, W = cur + column; then cur goes on after the grid
 *
 * A frame's time is its index; in Qwen2.5-VL's videos index * second_per_grid_t *
 * tokens_per_second, cut to an integer. Qwen3-VL writes time stamps between frames as text, so that
 * each frame is an image.
 */
#include <math.h>
#include <stdio.h>

#include "token_positions.h"

enum { TEXT, IMAGE, VIDEO };
enum { RESUME_GRID, RESUME_LARGEST };
enum { AXES = 3 };

const struct posenc_parameter posenc__token_mrope_rows[] = {
    {.name = "token_types",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "told by token_ids with image_token_id and video_token_id",
     .aliases = POSENC__NAMES("mm_token_type_ids"),
     .meaning = "0 text, 1 image, 2 video, a token each [batch, length] or [length]"},
    {.name = "image_token_id",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no token is an image's",
     .minimum = 0,
     .maximum = POSENC_INTEGER_MAX,
     .meaning = "the token that stands for a part of an image; 151655 in Qwen2-VL and after"},
    {.name = "video_token_id",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no token is a video's",
     .minimum = 0,
     .maximum = POSENC_INTEGER_MAX,
     .meaning = "the token that stands for a part of a video; 151656 in Qwen2-VL and after"},
    {.name = "image_grid_thw",
     .type = POSENC_TYPE_POSITIONS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no images",
     .meaning = "[frames, rows, columns] of patches of each image, in order, over all batches"},
    {.name = "video_grid_thw",
     .type = POSENC_TYPE_POSITIONS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no videos",
     .meaning = "[frames, rows, columns] of patches of each video, in order, over all batches"},
    {.name = "second_per_grid_ts",
     .type = POSENC_TYPE_REALS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "1 for each video",
     .minimum = 0,
     .maximum = INFINITY,
     .meaning = "seconds from frame to frame of each video (mrope_qwen2_5_vl)"},
    {.name = "tokens_per_second",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "2, as in the published Qwen2.5-VL",
     .minimum = 0,
     .maximum = INFINITY,
     .meaning = "positions in a second (mrope_qwen2_5_vl)"},
    {.name = "spatial_merge_size",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(2),
     .minimum = 1,
     .maximum = POSENC_DIM_MAX,
     .meaning = "patches along a side of what becomes one token"},
    {.name = "resume",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("grid"),
     .choices = POSENC__NAMES("grid", "largest"),
     .meaning = "where text goes on: behind the larger of rows and columns (transformers 5), or "
                "behind the largest id (Qwen's own code, transformers 4, vLLM); they differ for "
                "long videos only"},
    {.name = NULL},
};

/* Grids of one kind, and which comes next. */
struct grids {
    const char *name;
    const double *thw; /* [count][3] */
    size_t count, next;
    size_t frame; /* of the next grid, where frames are split */
};

struct layout {
    const struct posenc__mrope_rule *rule;
    const struct posenc__tokens *tokens;
    const double *types; /* [batch][length] */
    struct grids images, videos;
    const double *seconds; /* of each video, or NULL */
    double tokens_per_second;
    size_t merge;
    bool resumes_at_largest;
    double *positions; /* [3][batch][length] */
    double *deltas;    /* [batch] */
    size_t differing;  /* videos after which both ways to go on differ */
};

static enum posenc_status read_grids(const struct posenc_arguments *arguments, const char *name,
                                     size_t merge, struct grids *grids,
                                     struct posenc_problem *problem)
{
    const struct posenc_array *array = posenc__array(arguments, name);
    char path[POSENC_PATH_MAX];

    *grids = (struct grids){.name = name};
    if (!array)
        return POSENC_OK;
    if (array->rank != 2 || array->shape[1] != AXES)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                              "'%s' must be a list of [frames, rows, columns].", name);
    grids->thw = array->data;
    grids->count = array->shape[0];
    for (size_t i = 0; i < grids->count * AXES; i++) {
        const double unit = i % AXES == 0 ? 1 : (double)merge, number = grids->thw[i];

        if (number >= unit && number <= POSENC_DIM_MAX && fmod(number, unit) == 0)
            continue;
        (void)snprintf(path, sizeof(path), "%s.%zu.%zu", name, i / AXES, i % AXES);
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, path,
                              "'%s' must be a multiple of %.17g from it to %d; it is %.17g.", path,
                              unit, POSENC_DIM_MAX, number);
    }
    return POSENC_OK;
}

/* Types from ids. */
static enum posenc_status types_from_ids(const struct posenc_arguments *arguments,
                                         const struct posenc__tokens *tokens,
                                         struct posenc_memory *memory, const double **types,
                                         struct posenc_problem *problem)
{
    static const char *const names[] = {"image_token_id", "video_token_id"};
    const size_t count = tokens->batch * tokens->length;
    double *out = posenc_allocate(memory, count, sizeof(*out));

    if (!out)
        return posenc__no_memory(problem);
    for (size_t i = 0; i < count; i++)
        out[i] = TEXT;
    for (size_t kind = 0; kind < 2; kind++)
        for (size_t i = 0; posenc__present(arguments, names[kind]) && i < count; i++)
            if (tokens->ids[i] == posenc__real(arguments, names[kind]))
                out[i] = kind == 0 ? IMAGE : VIDEO;
    *types = out;
    return POSENC_OK;
}

static enum posenc_status read_types(const struct posenc_arguments *arguments,
                                     struct posenc__tokens *tokens, struct posenc_memory *memory,
                                     const double **types, struct posenc_problem *problem)
{
    if (posenc__present(arguments, "token_types"))
        return posenc__token_read(arguments, "token_types", TEXT, VIDEO, tokens, memory, types,
                                  problem);
    if (!tokens->ids)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "token_types",
                              "'token_types' is required, or 'token_ids' with 'image_token_id' and "
                              "'video_token_id'.");
    return types_from_ids(arguments, tokens, memory, types, problem);
}

static bool counts(const struct layout *layout, size_t at)
{
    return !layout->tokens->mask || layout->tokens->mask[at] != 0;
}

static void set_position(const struct layout *layout, size_t at, double t, double h, double w)
{
    const size_t plane = layout->tokens->batch * layout->tokens->length;

    layout->positions[at] = t;
    layout->positions[plane + at] = h;
    layout->positions[2 * plane + at] = w;
}

/* One grid of cells as tokens, or one frame of it. */
struct cells {
    size_t frames, rows, columns;
    double seconds; /* positions from frame to frame; 1 where time is an index */
    bool is_timed;
};

static enum posenc_status take_cells(struct layout *layout, bool is_video, size_t at,
                                     struct cells *cells, struct posenc_problem *problem)
{
    struct grids *grids = is_video ? &layout->videos : &layout->images;
    const bool splits = is_video && layout->rule->splits_frames;

    if (grids->next == grids->count)
        return posenc__refuse(
            problem, POSENC_CONFLICT, grids->name,
            "'%s' has %zu grids, but token %zu of the tokens sent begins another.", grids->name,
            grids->count, at);
    const double *thw = grids->thw + grids->next * AXES;

    *cells =
        (struct cells){.frames = splits ? 1 : (size_t)thw[0],
                       .rows = (size_t)thw[1] / layout->merge,
                       .columns = (size_t)thw[2] / layout->merge,
                       .seconds = layout->seconds && is_video ? layout->seconds[grids->next] : 1,
                       .is_timed = is_video && layout->rule->scales_time};
    grids->frame++;
    if (!splits || grids->frame == (size_t)thw[0]) {
        grids->next++;
        grids->frame = 0;
    }
    return POSENC_OK;
}

/* A frame's time from its index, in the order of products that the model's code has. */
static double time_of(const struct layout *layout, const struct cells *cells, size_t frame)
{
    if (!cells->is_timed)
        return (double)frame;
    return trunc((double)frame * cells->seconds * layout->tokens_per_second);
}

/* The next token at or after `at` that counts; the row's end where there is none. */
static size_t next_counting(const struct layout *layout, size_t at, size_t end)
{
    while (at < end && !counts(layout, at))
        at++;
    return at;
}

/* Places one image, or video, or frame, from token `at` on; moves `at` and `cur` behind it. */
static enum posenc_status place_cells(struct layout *layout, size_t *at, size_t end, double *cur,
                                      struct posenc_problem *problem)
{
    const double type = layout->types[*at];
    const size_t first = *at;
    struct cells cells = {0};
    const enum posenc_status status =
        take_cells(layout, type == VIDEO, *at % layout->tokens->length, &cells, problem);

    if (status != POSENC_OK)
        return status;
    for (size_t cell = 0; cell < cells.frames * cells.rows * cells.columns; cell++) {
        const size_t frame = cell / cells.columns / cells.rows;

        *at = next_counting(layout, *at, end);
        if (*at == end || layout->types[*at] != type)
            return posenc__refuse(
                problem, POSENC_CONFLICT, type == VIDEO ? "video_grid_thw" : "image_grid_thw",
                "The grid that begins at token %zu has %zu cells, but only %zu "
                "tokens.",
                first % layout->tokens->length, cells.frames * cells.rows * cells.columns, cell);
        set_position(layout, *at, *cur + time_of(layout, &cells, frame),
                     *cur + (double)(cell / cells.columns % cells.rows),
                     *cur + (double)(cell % cells.columns));
        (*at)++;
    }
    const double side = (double)(cells.rows > cells.columns ? cells.rows : cells.columns);
    const double largest = fmax(side, time_of(layout, &cells, cells.frames - 1) + 1);

    layout->differing += largest != side;
    *cur += layout->resumes_at_largest ? largest : side;
    return POSENC_OK;
}

static enum posenc_status place_row(struct layout *layout, size_t row,
                                    struct posenc_problem *problem)
{
    const size_t length = layout->tokens->length, end = (row + 1) * length;
    const size_t plane = layout->tokens->batch * length;
    double cur = 0, largest = -1;

    for (size_t at = row * length; at < end;) {
        enum posenc_status status;

        if (!counts(layout, at)) {
            at++;
        } else if (layout->types[at] == TEXT) {
            set_position(layout, at, cur, cur, cur);
            at++, cur++;
        } else {
            status = place_cells(layout, &at, end, &cur, problem);
            if (status != POSENC_OK)
                return status;
        }
    }
    for (size_t axis = 0; axis < AXES; axis++)
        for (size_t at = row * length; at < end; at++)
            if (counts(layout, at))
                largest = fmax(largest, layout->positions[axis * plane + at]);
    layout->deltas[row] = largest + 1 - (double)length;
    return POSENC_OK;
}

static enum posenc_status check_all_used(const struct grids *grids, struct posenc_problem *problem)
{
    if (grids->next == grids->count)
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_CONFLICT, grids->name,
                          "'%s' has %zu grids, but the tokens hold %zu of them.", grids->name,
                          grids->count, grids->next);
}

static enum posenc_status read_time(struct posenc_arguments *arguments, struct layout *layout,
                                    struct posenc_problem *problem)
{
    static const char *const names[] = {"second_per_grid_ts", "tokens_per_second"};
    const struct posenc_array *seconds = posenc__array(arguments, names[0]);

    for (size_t i = 0; i < 2 && !layout->rule->scales_time; i++)
        if (posenc__given(arguments, names[i]))
            return posenc__refuse(problem, POSENC_CONFLICT, names[i],
                                  "'%s' belongs to the rule mrope_qwen2_5_vl.", names[i]);
    if (!layout->rule->scales_time)
        return POSENC_OK;
    if (!posenc__present(arguments, names[1]))
        posenc__resolve(arguments, names[1], posenc_number(2));
    layout->tokens_per_second = posenc__real(arguments, names[1]);
    if (seconds && seconds->shape[0] != layout->videos.count)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, names[0],
                              "'%s' has %zu entries, but there are %zu videos.", names[0],
                              seconds->shape[0], layout->videos.count);
    layout->seconds = seconds ? seconds->data : NULL;
    return POSENC_OK;
}

static enum posenc_status read_layout(struct posenc_arguments *arguments,
                                      struct posenc__tokens *tokens, struct posenc_memory *memory,
                                      struct layout *layout, struct posenc_problem *problem)
{
    enum posenc_status status = read_types(arguments, tokens, memory, &layout->types, problem);

    layout->merge = posenc__size(arguments, "spatial_merge_size");
    layout->resumes_at_largest = posenc__choice(arguments, "resume") == RESUME_LARGEST;
    if (status == POSENC_OK)
        status = read_grids(arguments, "image_grid_thw", layout->merge, &layout->images, problem);
    if (status == POSENC_OK)
        status = read_grids(arguments, "video_grid_thw", layout->merge, &layout->videos, problem);
    return status == POSENC_OK ? read_time(arguments, layout, problem) : status;
}

static enum posenc_status place_all(struct layout *layout, struct posenc_memory *memory,
                                    struct posenc_problem *problem)
{
    const size_t count = layout->tokens->batch * layout->tokens->length;
    enum posenc_status status = POSENC_OK;

    layout->positions = posenc_allocate(memory, count, AXES * sizeof(*layout->positions));
    layout->deltas = posenc_allocate(memory, layout->tokens->batch, sizeof(*layout->deltas));
    if (!layout->positions || !layout->deltas)
        return posenc__no_memory(problem);
    for (size_t i = 0; i < AXES * count; i++)
        layout->positions[i] = 1; /* what the models' code leaves for padding */
    for (size_t row = 0; row < layout->tokens->batch && status == POSENC_OK; row++)
        status = place_row(layout, row, problem);
    if (status == POSENC_OK)
        status = check_all_used(&layout->images, problem);
    return status == POSENC_OK ? check_all_used(&layout->videos, problem) : status;
}

static enum posenc_status add_tensors(const struct layout *layout, struct posenc_memory *memory,
                                      struct posenc_result *result, struct posenc_problem *problem)
{
    const struct posenc__tokens *tokens = layout->tokens;
    const bool has_batch = tokens->rank == 2;
    const size_t shape[] = {AXES, has_batch ? tokens->batch : tokens->length, tokens->length};
    const size_t delta_shape[] = {tokens->batch, 1};
    const enum posenc_status status =
        posenc__add_tensor(result, memory, problem, "positions", POSENC_INT64, tokens->rank + 1,
                           shape, posenc__token_stored, layout->positions);

    if (status != POSENC_OK)
        return status;
    return posenc__add_tensor(result, memory, problem, "deltas", POSENC_INT64, tokens->rank,
                              delta_shape, posenc__token_stored, layout->deltas);
}

enum posenc_status posenc__token_mrope(struct posenc_arguments *arguments,
                                       const struct posenc__mrope_rule *rule,
                                       const struct posenc__tokens *sent,
                                       struct posenc_memory *memory, struct posenc_result *result,
                                       struct posenc_problem *problem)
{
    struct posenc__tokens tokens = *sent;
    struct layout layout = {.rule = rule, .tokens = &tokens};
    enum posenc_status status = read_layout(arguments, &tokens, memory, &layout, problem);

    if (status == POSENC_OK)
        status = place_all(&layout, memory, problem);
    if (status != POSENC_OK)
        return status;
    if (layout.differing > 0)
        posenc__warn(arguments, memory, "resume",
                     "After %zu of the videos the two ways to go on differ; 'resume' says which "
                     "one was taken.",
                     layout.differing);
    return add_tensors(&layout, memory, result, problem);
}
