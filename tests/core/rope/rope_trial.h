/* Rotary encodings drawn at random, for properties that hold of all of them. */
#ifndef TESTS_ROPE_TRIAL_H
#define TESTS_ROPE_TRIAL_H

#include "asking.h"
#include "rope_formula.h"

#define DRAWS 250

#define DIM_MAX     160
#define MEMBERS_MAX 16

/* A cosine or sine at positions up to 2^53, its rounding to float64 included. */
#define ANGLE_ERROR 5e-16

/* A component of a rotated pair, for each unit of length of the pair: two products with an angle's
 * error, three roundings. */
#define TURN_ERROR (2 * ANGLE_ERROR + 3 * 0x1p-53)

/* Parameters of one draw, as a request; copies share the memory. */
struct trial {
    int draw;
    uint64_t seed;
    const struct rope_formula *formula;
    struct rope_draw parameters;
    struct posenc_memory memory; /* the scaling dictionary lives here */
    size_t count;
    struct posenc_member members[MEMBERS_MAX];
};

/* float64, dim and a base from near 1 to 1e12, for the draw of that number. Release the memory. */
struct trial draw_trial(int draw);

/* The same with one of the schemes, by turns, and a base that suits it. */
struct trial draw_scheme_trial(int draw);

/* Schemes that count turns over the trained length need pairs that make few of them. */
void use_long_waves(struct trial *trial);

void trial_add(struct trial *trial, const char *name, struct posenc_value value);

/* half, interleaved or deinterleaved. */
const char *trial_add_layout(struct trial *trial);

/* A width that turns, even, and where it begins. */
void trial_add_part(struct trial *trial, double *rotary_dim, double *offset);

/* Random numbers: in [low, high), in [0, limit), in [-1, 1). */
double trial_between(struct trial *trial, double low, double high);
size_t trial_below(struct trial *trial, size_t limit);
void trial_fill(struct trial *trial, double *numbers, size_t count);

/* A whole number between -2^bits and 2^bits, as likely small as large. */
double trial_position(struct trial *trial, double bits);

/* Asks for "table" or "apply"; asserts that it is answered. */
void ask_trial(struct asked *asked, const struct trial *trial, const char *operation);

/* All elements of a float64 tensor, in the answer's memory. */
double *asked_all(struct asked *asked, const char *name);

double derived_number(const struct asked *asked, const char *name);

/* Rotates count rows of the tensor `name` at positions, into out. The trial stays as it was. */
void trial_rotate(const struct trial *trial, const char *name, const double *rows,
                  const double *positions, size_t count, double *out);

#endif
