/* Vectors rotated, in each layout that is a rotation: whole blocks of channels at a time, and where
 * a run starts or ends inside a block, its part. */
#include "rope_rotate.h"

#include <assert.h>
#include <string.h>

#include "rope_turn.h"

#define EDGE_PAIRS  ((size_t)64)  /* of a block that is cut, turned at a time on the stack */
#define COPY_VALUES ((size_t)128) /* converted at a time on the stack */

/* One call's work: the rotation, and what does not change on the way. */
struct walk {
    const struct posenc__rotation *rotation;
    enum posenc__level level;
    struct posenc__turn turn;
    bool is_adjacent_in, is_adjacent_out;
    size_t size_in, size_out; /* bytes of an element */
};

/* A vector that is turned. */
struct vector {
    size_t element;        /* its first */
    const double *cosines; /* [pairs]; its sines follow */
};

static struct walk start_walk(enum posenc__level level, const struct posenc__rotation *rotation,
                              enum posenc_dtype dtype)
{
    const enum posenc__rope_layout layout = rotation->layout;

    return (struct walk){
        .rotation = rotation,
        .level = level,
        .turn = {rotation->array->dtype, dtype, rotation->rounds_steps},
        .is_adjacent_in = layout == POSENC__INTERLEAVED || layout == POSENC__DEINTERLEAVED,
        .is_adjacent_out = layout == POSENC__INTERLEAVED || layout == POSENC__REINTERLEAVED,
        .size_in = posenc_dtype_size(rotation->array->dtype),
        .size_out = posenc_dtype_size(dtype)};
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Channels that do not turn. */
static void copy_channels(const struct walk *walk, size_t element, size_t count, char *out)
{
    const struct posenc_array *array = walk->rotation->array;
    const bool rounds = walk->turn.rounds_steps;
    double values[COPY_VALUES];

    if (array->dtype == walk->turn.to && !(rounds && array->dtype == POSENC_FLOAT64)) {
        memmove(out, (const char *)array->data + element * walk->size_in, count * walk->size_in);
        return;
    }
    for (size_t done = 0; done < count; done += COPY_VALUES) {
        const size_t part = smaller(count - done, COPY_VALUES);

        posenc__read_array(array, element + done, part, values);
        for (size_t i = 0; rounds && i < part; i++)
            values[i] = (float)values[i];
        posenc_round(walk->turn.to, values, part, out + done * walk->size_out);
    }
}

/* Pairs [first, first + count) of a block of a vector. `imaginary` is for layouts that put second
 * channels elsewhere. */
static void turn_pairs(const struct walk *walk, const struct vector *vector, size_t block,
                       size_t first, size_t count, void *real, void *imaginary)
{
    const struct posenc__rotation *rotation = walk->rotation;
    const size_t block_pairs = rotation->block_pairs, pair = block * block_pairs + first;
    const char *start =
        (const char *)rotation->array->data +
        (vector->element + rotation->offset + 2 * block * block_pairs) * walk->size_in;
    const struct posenc__pairs pairs = {
        .real = start + (walk->is_adjacent_in ? 2 * first : first) * walk->size_in,
        .imaginary = walk->is_adjacent_in ? NULL : start + (block_pairs + first) * walk->size_in,
        .real_out = real,
        .imaginary_out = walk->is_adjacent_out ? NULL : imaginary,
        .cosines = vector->cosines + pair,
        .sines = vector->cosines + rotation->pairs + pair,
        .count = count};

    posenc__turn_pairs_at(walk->level, &walk->turn, &pairs);
}

/* Columns [begin, end) of a block where pairs come out side by side. */
static void turn_adjacent_edge(const struct walk *walk, const struct vector *vector, size_t block,
                               size_t begin, size_t end, char *out)
{
    double scratch[2 * EDGE_PAIRS]; /* of any dtype */

    for (size_t column = begin; column < end;) {
        const size_t pair = column / 2, count = smaller((end + 1) / 2 - pair, EDGE_PAIRS);
        const size_t next = smaller(end, 2 * (pair + count));

        turn_pairs(walk, vector, block, pair, count, scratch, NULL);
        memcpy(out + (column - begin) * walk->size_out,
               (const char *)scratch + (column - 2 * pair) * walk->size_out,
               (next - column) * walk->size_out);
        column = next;
    }
}

/* First or second channels of pairs [begin, end) of a block where these come out apart. */
static void turn_split_edge(const struct walk *walk, const struct vector *vector, size_t block,
                            bool is_imaginary, size_t begin, size_t end, char *out)
{
    double unwanted[EDGE_PAIRS] = {0}; /* of any dtype */

    for (size_t pair = begin; pair < end; pair += EDGE_PAIRS) {
        char *const wanted = out + (pair - begin) * walk->size_out;

        turn_pairs(walk, vector, block, pair, smaller(end - pair, EDGE_PAIRS),
                   is_imaginary ? (char *)unwanted : wanted,
                   is_imaginary ? wanted : (char *)unwanted);
    }
}

/* Columns [begin, end) of a block. */
static void turn_block(const struct walk *walk, const struct vector *vector, size_t block,
                       size_t begin, size_t end, char *out)
{
    const size_t pairs = walk->rotation->block_pairs;

    if (begin == 0 && end == 2 * pairs) {
        turn_pairs(walk, vector, block, 0, pairs, out, out + pairs * walk->size_out);
        return;
    }
    if (walk->is_adjacent_out) {
        turn_adjacent_edge(walk, vector, block, begin, end, out);
        return;
    }
    if (begin < pairs)
        turn_split_edge(walk, vector, block, false, begin, smaller(end, pairs), out);
    if (end > pairs) {
        const size_t first = begin > pairs ? begin : pairs;

        turn_split_edge(walk, vector, block, true, first - pairs, end - pairs,
                        out + (first - begin) * walk->size_out);
    }
}

/* Columns [begin, end) of a vector, which all turn. Returns the end. */
static size_t turn_blocks(const struct walk *walk, const struct vector *vector, size_t begin,
                          size_t end, char *out)
{
    const size_t first = walk->rotation->offset, width = 2 * walk->rotation->block_pairs;
    size_t block = begin == first ? 0 : (begin - first) / width, start = first + block * width;

    for (size_t column = begin, next; column < end; column = next, start += width, block++) {
        next = smaller(end, start + width);
        turn_block(walk, vector, block, column - start, next - start,
                   out + (column - begin) * walk->size_out);
    }
    return end;
}

/* Columns [begin, end) of a vector: what passes in front, blocks, what passes behind. */
static void turn_vector(const struct walk *walk, const struct vector *vector, size_t begin,
                        size_t end, char *out)
{
    const struct posenc__rotation *rotation = walk->rotation;
    const size_t first = rotation->offset, last = first + 2 * rotation->pairs;
    size_t column = begin;

    if (column < first) {
        column = smaller(first, end);
        copy_channels(walk, vector->element + begin, column - begin, out);
    }
    if (column < end && column < last)
        column = turn_blocks(walk, vector, column, smaller(end, last),
                             out + (column - begin) * walk->size_out);
    if (column < end)
        copy_channels(walk, vector->element + column, end - column,
                      out + (column - begin) * walk->size_out);
}

/* Where a vector stands: its row of the table, and how far it is to the next one. */
struct place {
    size_t inner, row, outer;
    size_t made, made_end; /* rows in `rows` */
    const double *cosines; /* of the vector; its sines follow */
    double rows[POSENC__ROTATION_ROW_MAX];
};

/* Makes the rows from this one on that the next `vectors` vectors need, as far as there is room. */
static void make_rows(const struct posenc__rotation *rotation, struct place *place, size_t vectors)
{
    const size_t room = POSENC__ROTATION_ROW_MAX / (2 * rotation->pairs);
    const size_t left = rotation->axes.length - place->row;
    const size_t needed = (place->inner + vectors - 1) / rotation->axes.inner + 1;
    const size_t count = smaller(smaller(left, needed), room);

    posenc__rope_fill_rows(rotation->rope, place->row, count, place->rows);
    place->made = place->row;
    place->made_end = place->row + count;
}

/* The angles of the vector, the first of `vectors` that are asked for. */
static void find_angles(const struct posenc__rotation *rotation, struct place *place,
                        size_t vectors)
{
    const struct posenc__axes *axes = &rotation->axes;
    size_t batch = 0;

    if (!rotation->table) {
        if (place->row < place->made || place->row >= place->made_end)
            make_rows(rotation, place, vectors);
        place->cosines = place->rows + (place->row - place->made) * 2 * rotation->pairs;
        return;
    }
    if (rotation->batches > 1)
        batch = place->outer / (axes->outer / rotation->batches);
    place->cosines = rotation->table + (batch * axes->length + place->row) * 2 * rotation->pairs;
}

static void find_place(const struct posenc__rotation *rotation, size_t vector, struct place *place)
{
    const struct posenc__axes *axes = &rotation->axes;

    place->inner = vector % axes->inner;
    place->row = vector / axes->inner % axes->length;
    place->outer = vector / axes->inner / axes->length;
}

static void step_place(const struct posenc__rotation *rotation, struct place *place)
{
    if (++place->inner < rotation->axes.inner)
        return;
    place->inner = 0;
    if (++place->row == rotation->axes.length) {
        place->row = 0;
        place->outer++;
    }
}

/* A run, vector by vector. */
static void rotate_run(const struct walk *walk, struct place *place, size_t first, size_t count,
                       char *out)
{
    const struct posenc__rotation *rotation = walk->rotation;
    const size_t width = rotation->axes.width;
    size_t column = first % width, part;

    find_place(rotation, first / width, place);
    for (size_t done = 0; done < count; done += part) {
        if (done == 0 || place->inner == 0)
            find_angles(rotation, place, (column + count - done + width - 1) / width);
        const struct vector vector = {first + done - column, place->cosines};

        part = smaller(width - column, count - done);
        turn_vector(walk, &vector, column, column + part, out + done * walk->size_out);
        step_place(rotation, place);
        column = 0;
    }
}

/* Sequences that share rows: a few rows of each of them, so that each row is made once. */
static void rotate_sequences(const struct walk *walk, struct place *place, size_t first,
                             size_t sequences, char *out)
{
    const struct posenc__axes *axes = &walk->rotation->axes;
    const size_t row_size = axes->inner * axes->width, size = axes->length * row_size;
    const size_t room = POSENC__ROTATION_ROW_MAX / (2 * walk->rotation->pairs);

    for (size_t row = 0; row < axes->length; row += room) {
        const size_t part = smaller(room, axes->length - row) * row_size;

        for (size_t i = 0; i < sequences; i++) {
            const size_t at = i * size + row * row_size;

            rotate_run(walk, place, first + at, part, out + at * walk->size_out);
        }
    }
}

/* Whole sequences inside a run, and what stands in front of them and behind. */
static void rotate_long_run(const struct walk *walk, struct place *place, size_t first,
                            size_t count, char *out)
{
    const struct posenc__axes *axes = &walk->rotation->axes;
    const size_t size = axes->length * axes->inner * axes->width;
    const size_t front = smaller((size - first % size) % size, count);
    const size_t sequences = (count - front) / size, behind = (count - front) % size;

    if (front > 0)
        rotate_run(walk, place, first, front, out);
    rotate_sequences(walk, place, first + front, sequences, out + front * walk->size_out);
    if (behind > 0)
        rotate_run(walk, place, first + count - behind, behind,
                   out + (count - behind) * walk->size_out);
}

void posenc__rotate_at(enum posenc__level level, const struct posenc__rotation *rotation,
                       enum posenc_dtype dtype, size_t first, size_t count, void *out)
{
    const struct walk walk = start_walk(level, rotation, dtype);
    struct place place;

    assert(posenc__layout_rotates(rotation->layout));
    if (count == 0) /* perhaps the tensor has no elements, and its axes do not divide */
        return;
    place.made = place.made_end = 0;
    if (rotation->table)
        rotate_run(&walk, &place, first, count, out);
    else
        rotate_long_run(&walk, &place, first, count, out);
}

void posenc__rotate(const void *rotation, enum posenc_dtype dtype, size_t first, size_t count,
                    void *out)
{
    posenc__rotate_at(posenc__level_best(), rotation, dtype, first, count, out);
}

double *posenc__rotation_table(struct posenc__rotation *rotation, size_t rows,
                               struct posenc_memory *memory)
{
    size_t count;

    if (__builtin_mul_overflow(rows, 2 * rotation->pairs, &count))
        return NULL;
    double *table = posenc_allocate(memory, count, sizeof(*table));

    rotation->table = table;
    return table;
}

enum posenc_status posenc__rotation_add(const struct posenc__rotation *rotation,
                                        enum posenc_dtype dtype, const char *name,
                                        struct posenc_result *result, struct posenc_memory *memory,
                                        struct posenc_problem *problem)
{
    const struct posenc_array *array = rotation->array;

    if (!posenc__layout_rotates(rotation->layout))
        return posenc__add_tensor(result, memory, problem, name, dtype, array->rank, array->shape,
                                  posenc__rotate_mixed, rotation);
    return posenc__add_elements(result, memory, problem, name, dtype, array->rank, array->shape,
                                posenc__rotate, rotation);
}
