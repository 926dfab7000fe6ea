/* How tensors of vectors fit together, and exact dot products. */
#include "vectors.h"

#include <math.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* a fused a * b + c would break the error terms */
#endif

enum posenc_status posenc__read_vectors(const struct posenc_arguments *arguments, const char *name,
                                        const char *axes, struct posenc__vectors *vectors,
                                        struct posenc_problem *problem)
{
    const struct posenc_array *array = posenc__array(arguments, name);

    if (array->rank < 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                              "'%s' has %zu axes; it needs two at least: %s.", name, array->rank,
                              axes);
    *vectors = (struct posenc__vectors){.array = array,
                                        .outer = 1,
                                        .rows = array->shape[array->rank - 2],
                                        .width = array->shape[array->rank - 1]};
    /* May wrap around only where another axis is empty, so that nobody asks for an element. */
    for (size_t axis = 0; axis + 2 < array->rank; axis++)
        vectors->outer *= array->shape[axis];
    return POSENC_OK;
}

/* Are the `count` axes in front of the last two of `a` the ones in front of the last two of `b`? */
static bool fronts_agree(const struct posenc_array *a, const struct posenc_array *b)
{
    const size_t count = a->rank - 2;

    if (a->rank > b->rank)
        return false;
    for (size_t axis = 0; axis < count; axis++)
        if (a->shape[axis] != b->shape[b->rank - a->rank + axis])
            return false;
    return true;
}

enum posenc_status posenc__check_outer(const char *name, const struct posenc__vectors *vectors,
                                       const char *other, const struct posenc__vectors *reference,
                                       struct posenc_problem *problem)
{
    if (vectors->array->rank == reference->array->rank &&
        fronts_agree(vectors->array, reference->array))
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                          "'%s' and '%s' must have the same axes in front of the last two.", name,
                          other);
}

enum posenc_status posenc__check_width(const char *name, const struct posenc__vectors *vectors,
                                       const char *other, const struct posenc__vectors *reference,
                                       struct posenc_problem *problem)
{
    if (reference->width == 0)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, other,
                              "The vectors of '%s' are empty; they need one channel at least.",
                              other);
    if (vectors->width == reference->width)
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                          "The last axis of '%s' has %zu channels, but that of '%s' has %zu.", name,
                          vectors->width, other, reference->width);
}

enum posenc_status posenc__read_queries_and_keys(const struct posenc_arguments *arguments,
                                                 struct posenc__vectors *q,
                                                 struct posenc__vectors *k,
                                                 struct posenc_problem *problem)
{
    enum posenc_status status =
        posenc__read_vectors(arguments, "q", "[..., query, dim]", q, problem);

    if (status == POSENC_OK)
        status = posenc__read_vectors(arguments, "k", "[..., key, dim]", k, problem);
    if (status == POSENC_OK)
        status = posenc__check_outer("k", k, "q", q, problem);
    if (status == POSENC_OK)
        status = posenc__check_width("k", k, "q", q, problem);
    return status;
}

enum posenc_status posenc__check_shared(const char *name, const struct posenc__vectors *vectors,
                                        const char *other, const struct posenc__vectors *reference,
                                        struct posenc_problem *problem)
{
    if (!fronts_agree(vectors->array, reference->array))
        return posenc__refuse(
            problem, POSENC_WRONG_SHAPE, name,
            "The axes in front of the last two of '%s' must be the innermost ones "
            "of '%s', or none where all share it.",
            name, other);
    return posenc__check_width(name, vectors, other, reference, problem);
}

enum posenc_status posenc__check_rows(const char *name, const struct posenc__vectors *vectors,
                                      size_t rows, const char *reason,
                                      struct posenc_problem *problem)
{
    if (vectors->rows == rows)
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                          "'%s' has %zu rows, but needs %zu: %s.", name, vectors->rows, rows,
                          reason);
}

#define DOT_BLOCK 64 /* channels on the stack */

static void read_vector(struct posenc__vector vector, size_t first, size_t count, double *out)
{
    if (vector.array)
        posenc__read_array(vector.array, vector.first + first, count, out);
    else
        for (size_t i = 0; i < count; i++)
            out[i] = 0;
}

/* A sum and the errors of its additions: Dot2 of Ogita, Rump and Oishi, "Accurate sum and dot
 * product", 2005. */
struct dot {
    double sum;
    double errors; /* NaN where the sum is infinite */
};

static inline void dot_add(struct dot *dot, double a, double shift, double b)
{
    const double shifted = a + shift, shift_part = shifted - a;
    const double low = (a - (shifted - shift_part)) + (shift - shift_part);
    const double product = shifted * b, sum = dot->sum + product, part = sum - dot->sum;

    dot->errors += (dot->sum - (sum - part)) + (product - part);
    dot->errors += fma(shifted, b, -product) + low * b;
    dot->sum = sum;
}

struct posenc__dd posenc__dot(struct posenc__vector a, struct posenc__vector shift,
                              struct posenc__vector b, size_t width)
{
    double left[DOT_BLOCK], shifts[DOT_BLOCK], right[DOT_BLOCK];
    struct dot dot = {0, 0};

    for (size_t done = 0; done < width;) {
        const size_t part = width - done < DOT_BLOCK ? width - done : DOT_BLOCK;

        read_vector(a, done, part, left);
        read_vector(shift, done, part, shifts);
        read_vector(b, done, part, right);
        for (size_t i = 0; i < part; i++)
            dot_add(&dot, left[i], shifts[i], right[i]);
        done += part;
    }
    if (!isfinite(dot.errors))
        return (struct posenc__dd){dot.sum, 0};
    return posenc__dd_sum(dot.sum, dot.errors);
}

struct posenc__dd posenc__inverse_root(double x)
{
    const double root = sqrt(x);
    const struct posenc__dd refined = posenc__dd_sum(root, fma(-root, root, x) / (2 * root));

    return posenc__dd_divide((struct posenc__dd){1, 0}, refined);
}

double posenc__scaled_sum(const struct posenc__dd *terms, size_t count, struct posenc__dd scale)
{
    struct posenc__dd sum = terms[0];
    double plain = terms[0].hi;

    for (size_t i = 1; i < count; i++) {
        sum = posenc__dd_add(sum, terms[i]);
        plain += terms[i].hi;
    }
    plain *= scale.hi;
    return isfinite(plain) ? posenc__dd_multiply(sum, scale).hi : plain;
}
