/*
 * The tool `identify`: which convention, or which mistake, is behind a tensor that somebody has.
 *
 * It knows no encoding. An explanation is a question to an encoding's own operation with some of
 * its parameters changed, and what can be changed follows from the operation's rows: other choices,
 * switches, presets, numbers that slipped, positions that were counted otherwise. Where no
 * parameter explains the tensor, views of a right one are tried: scaled, shifted by a constant a
 * row, cut off, in another order.
 *
 * Everything is tried on a sample of the tensor; what fits best is then held against all of it.
 */
#ifndef POSENC_IDENTIFY_H
#define POSENC_IDENTIFY_H

#include "internal.h"

#define POSENC__IDENTIFY_NUMBERS_MAX  ((size_t)1 << 23) /* elements of the tensor */
#define POSENC__IDENTIFY_SAMPLE_MAX   4096              /* numbers that a trial looks at */
#define POSENC__IDENTIFY_TRIALS_MAX   16384             /* of one request */
#define POSENC__IDENTIFY_WORK_MAX     ((size_t)1 << 24) /* trials times the width of the tensor */
#define POSENC__IDENTIFY_CHANGES_MAX  1024              /* single changes of one operation */
#define POSENC__IDENTIFY_CONTEXTS_MAX 64
#define POSENC__IDENTIFY_LADDER_MAX   512 /* numbers that one may be instead */
#define POSENC__IDENTIFY_AXES_MAX     3   /* of a tensor that tells parameters */
#define POSENC__EXPLANATIONS_MAX      16

/* How well two tensors agree. */
enum posenc__agreement {
    POSENC__AGREE_SAME,  /* one is the other, rounded once */
    POSENC__AGREE_NEAR,  /* to two units in the last place of the type */
    POSENC__AGREE_CLOSE, /* as when a step was computed in a small type */
    POSENC__AGREE_NOT,
};

struct posenc__fit {
    enum posenc__agreement agreement;
    enum posenc_dtype dtype; /* of POSENC__AGREE_SAME, and whose ulp counts for NEAR */
    int decimals;            /* POSENC__AGREE_SAME when printed to so many; -1: does not matter */
    double max_difference, mean_difference;
    size_t worst;           /* element with the largest difference */
    size_t first_different; /* the first element that differs; SIZE_MAX: none */
};

/* The tensor in question. */
struct posenc__sent {
    struct posenc_array array; /* as it was sent */
    const double *values;
    size_t count, width, rows; /* width: of the last axis */
    bool could_be[POSENC_DTYPE_COUNT];
    enum posenc_dtype coarsest; /* the smallest floating type that it could be */
    int decimals;               /* all numbers end after so many; -1: they do not */
    bool are_whole;             /* integers, all of them */
    double magnitude;           /* the largest of its numbers, masks left out */
    size_t sample_rows[16], sample_row_count, sample_width;
};

/* Reads the tensor; its numbers live in the memory. */
enum posenc_status posenc__read_sent(const struct posenc_array *array, struct posenc_memory *memory,
                                     struct posenc__sent *sent, struct posenc_problem *problem);

/* Why nothing can be said of the tensor: a sentence in the memory; NULL where something can, or
 * memory is out. */
const char *posenc__not_comparable(const struct posenc__sent *sent, struct posenc_memory *memory);

/* Holding numbers against those of the tensor: begin, add runs, end. */
struct posenc__comparison {
    const struct posenc__sent *sent;
    bool are_integers;
    bool same[POSENC_DTYPE_COUNT], same_decimals, near;
    double sum; /* of differences; a mask that is none counts as the largest numbers would */
    size_t count;
    struct posenc__fit fit;
};

void posenc__comparison_init(struct posenc__comparison *comparison, const struct posenc__sent *sent,
                             bool are_integers);
/* expected[i] stands beside element first + i. */
void posenc__compare(struct posenc__comparison *comparison, size_t first, size_t count,
                     const double *expected);
/* All of a tensor, in parts, between which it asks the memory whether to go on: POSENC_OK or
 * POSENC_CANCELLED. */
enum posenc_status posenc__compare_whole(struct posenc__comparison *comparison,
                                         const double *expected, const struct posenc_memory *memory,
                                         struct posenc_problem *problem);
struct posenc__fit posenc__comparison_end(const struct posenc__comparison *comparison);

/* Below 0 when a is the better fit. */
int posenc__fit_order(const struct posenc__fit *a, const struct posenc__fit *b);

/* Where the tensor may come from: one tensor of one operation. */
struct posenc__context {
    const struct posenc_encoding *encoding;
    const struct posenc_operation *operation;
    const struct posenc_tensor_row *part;
    struct posenc_members given; /* the request's parameters, a model's in place of its name */
    bool is_applied;             /* what came of the request's x */
    /* The parameters that the lengths of the tensor's axes tell; NULL for an axis that tells none.
     * None of them where axis_count is 0. */
    const struct posenc_parameter *axes[POSENC__IDENTIFY_AXES_MAX];
    size_t axis_count;
    bool needs_length;          /* though no axis tells one: any will do */
    size_t times;               /* what the last axis is multiplied by to be its parameter */
    struct posenc_members echo; /* of the context's parameters as they are; none where they fail */
    struct posenc__fit fit;     /* theirs, on the sample; valid when has_fit */
    bool has_fit;
    bool has_other_shape; /* the parameters as they are give one */
};

/* One thing that may be other than expected. */
struct posenc__change {
    const char *parameter;       /* dotted path */
    struct posenc_value was, is; /* null: absent */
    const char *words;           /* "'base' is 10000 instead of 500000" */
    struct posenc_members sets;  /* top-level members that make it */
    const char *const *drops;    /* names of members that have no place beside it, or NULL */
    unsigned cost;               /* 1: a slip that many make; 2: another number */
    bool matters;                /* it alters the tensor */
    struct posenc__fit fit;      /* alone, on the sample; valid when has_fit */
    bool has_fit;
};

#define POSENC__CHANGES_OF_GUESS_MAX 2

/* What a right tensor went through, where that is no parameter. */
enum posenc__view_kind {
    POSENC__VIEW_NONE,
    POSENC__VIEW_SCALED,     /* number: the factor */
    POSENC__VIEW_ROW_OFFSET, /* a constant was added to each row */
    POSENC__VIEW_TRANSPOSED, /* the last two axes */
    POSENC__VIEW_ZERO_TAIL,  /* number: the first row that is zero, as all behind it */
    POSENC__VIEW_LAST_TAIL,  /* number: the first row that repeats the last right one */
    POSENC__VIEW_WRAPPED,    /* number: rows after which the tensor begins anew */
    POSENC__VIEW_INPUT_TAIL, /* number: the first row that is the input as it came */
    POSENC__VIEW_COLUMNS,    /* the same columns in another order */
    POSENC__VIEW_HEADS,      /* the same entries of the first axis in another order */
};

struct posenc__view {
    enum posenc__view_kind kind;
    double number;
    const size_t *order; /* of COLUMNS and HEADS: where each entry comes from */
    size_t order_count;
};

struct posenc__guess {
    struct posenc__context *context;
    struct posenc__change *changes[POSENC__CHANGES_OF_GUESS_MAX];
    size_t change_count;
    const struct posenc__fault *fault; /* or NULL */
    struct posenc__view view;
    unsigned cost;
    struct posenc__fit fit; /* on the sample, and at the end on all */
};

/* One request. */
struct posenc__question {
    struct posenc__sent sent;
    const struct posenc_array *x; /* what the tensor came of, or NULL */
    bool has_expectation;         /* parameters were given */
    struct posenc__context contexts[POSENC__IDENTIFY_CONTEXTS_MAX];
    size_t context_count;
    bool is_named; /* the encoding was */
    /* Why the first context's parameters give no such tensor as they are; OK where they do. */
    struct posenc_problem refusal;
    size_t trials;
    struct posenc__guess best[POSENC__EXPLANATIONS_MAX]; /* the best first */
    size_t best_count;
    struct posenc_memory *memory;
    struct posenc_problem *problem;
};

/* Where the tensor may come from, as the request says; none is a problem. */
enum posenc_status posenc__find_contexts(const struct posenc_arguments *arguments,
                                         struct posenc__question *question);

/* Finds the parameters that the axes of the context's tensor, which has that rank, tell: see
 * posenc_tensor_row.dims. */
void posenc__find_axes(struct posenc__context *context, size_t rank);

/* A planned guess. */
struct posenc__planned {
    struct posenc_arguments *arguments;
    struct posenc_result result;
    const struct posenc_tensor *tensor; /* NULL where the guess cannot be: see the problem */
};

/* Plans a guess in a memory of choice. POSENC_OK also where it cannot be, or gives another shape.
 */
enum posenc_status posenc__plan_guess(struct posenc__question *question,
                                      const struct posenc__guess *guess,
                                      struct posenc_memory *memory,
                                      struct posenc__planned *planned);

/* The same whatever shape it gives. */
enum posenc_status posenc__plan_free(struct posenc__question *question,
                                     const struct posenc__guess *guess,
                                     struct posenc_memory *memory, struct posenc__planned *planned);

/* A memory for one trial, to be released. */
struct posenc_memory posenc__trial_memory(const struct posenc__question *question);

/* Tries a guess on the sample. *fits is false where it cannot be. */
enum posenc_status posenc__try(struct posenc__question *question, struct posenc__guess *guess,
                               bool *fits);

/* Holds it against the whole tensor. */
enum posenc_status posenc__try_whole(struct posenc__question *question,
                                     struct posenc__guess *guess);

/* Numbers of the sample as a planned tensor has them: [sample_row_count][sample_width]. */
void posenc__fill_sample(const struct posenc__sent *sent, const struct posenc_tensor *tensor,
                         double *out);

/* Puts a guess among the best, if it is. */
void posenc__keep(struct posenc__question *question, const struct posenc__guess *guess);

/* Holds the best guesses against all of the tensor, which may change their order, and leaves out
 * those that say more than a better one. */
enum posenc_status posenc__check_best(struct posenc__question *question);

/* True when the best guess needs no better one. */
bool posenc__is_explained(const struct posenc__question *question);

/* A list of changes in the memory. */
struct posenc__changes {
    struct posenc__change *items; /* [POSENC__IDENTIFY_CHANGES_MAX] */
    size_t count;
};

/* What could be other in a context: from its operation's rows. */
enum posenc_status posenc__list_changes(struct posenc__question *question,
                                        struct posenc__context *context,
                                        struct posenc__changes *changes);

/* Adds one that sets a single member; false when memory is out. Where the list is full, no more are
 * added. */
bool posenc__add_change(struct posenc__changes *changes, struct posenc_memory *memory,
                        const struct posenc__change *change);

/* "'name' is 4 instead of 8" in the memory; NULL when there is no more. */
const char *posenc__change_words(struct posenc_memory *memory, const char *path,
                                 const struct posenc_value *was, const struct posenc_value *is);

/* Positions that were counted or rounded otherwise. */
enum posenc_status posenc__list_position_changes(struct posenc__question *question,
                                                 const struct posenc__context *context,
                                                 struct posenc__changes *changes);

/* Lists that were derived by a wrong rule, or kept in a small type. */
enum posenc_status posenc__list_list_changes(struct posenc__question *question,
                                             const struct posenc__context *context,
                                             struct posenc__changes *changes);

/* The operation's tensor row of that name, or NULL. */
const struct posenc_tensor_row *posenc__part_of(const struct posenc_operation *operation,
                                                const char *name);

/* Whether the operation has a row of that name. */
const struct posenc_parameter *posenc__row_of(const struct posenc_operation *operation,
                                              const char *name);

/* The context's value of a parameter, as it was understood; NULL where it is absent. */
const struct posenc_value *posenc__current(const struct posenc__context *context, const char *name);

/* Whether the tensor itself tells the row's parameter, or it shapes no value. */
bool posenc__is_settled(const struct posenc__context *context, const struct posenc_parameter *row);

/* A number that can be set: a parameter, or a member of a dictionary beside its other members. */
struct posenc__number {
    const char *path;                   /* "scaling.factor" */
    const struct posenc_parameter *row; /* its own */
    const char *dictionary;             /* the parameter that it is a member of */
    struct posenc_member *members;      /* all of that one, the number last; NULL: no member */
    size_t member_count;
    const struct posenc_value *was; /* NULL: absent */
};

typedef enum posenc_status posenc__number_visit(struct posenc__question *question,
                                                struct posenc__context *context,
                                                struct posenc__change *flip,
                                                const struct posenc__number *number);

/* Calls with every number of the context, also with those that a dictionary would bring which is
 * not there, until one call fails. `flip`, which may be NULL, is passed on. */
enum posenc_status posenc__visit_numbers(struct posenc__question *question,
                                         struct posenc__context *context,
                                         struct posenc__change *flip, posenc__number_visit *visit);

/* Sets the number; what `setting` points to changes with the next call, except for a copy's. */
void posenc__set_number(const struct posenc__number *number, double value,
                        struct posenc_member *setting);

/* A copy with members of its own; false when memory is out. */
bool posenc__copy_number(const struct posenc__number *number, struct posenc_memory *memory,
                         struct posenc__number *copy);

/* What the number may be instead, rising: round ones, multiples, and what it makes with the other
 * numbers of the request. Returns how many. */
size_t posenc__list_ladder(const struct posenc__context *context,
                           const struct posenc__number *number,
                           double out[POSENC__IDENTIFY_LADDER_MAX]);

/* Looks for the numbers that rows flagged POSENC_SEARCHED must have, beside `flip` or NULL. */
enum posenc_status posenc__scan(struct posenc__question *question, struct posenc__context *context,
                                struct posenc__change *flip);

/* Looks for each of the other numbers among those that it may be instead. */
enum posenc_status posenc__climb(struct posenc__question *question, struct posenc__context *context,
                                 struct posenc__change *flip);

/* Looks for an integer shift of all positions, beside `flip` or NULL. */
enum posenc_status posenc__find_shift(struct posenc__question *question,
                                      struct posenc__context *context, struct posenc__change *flip);

/* Tries every view of a guess on the whole tensor. */
enum posenc_status posenc__try_views(struct posenc__question *question,
                                     const struct posenc__guess *guess);

/* The elements of a planned guess under its view, [0, count) of the sent tensor. */
enum posenc_status posenc__view_all(struct posenc__question *question,
                                    const struct posenc__guess *guess,
                                    const struct posenc__planned *planned, double *out);

/* The array with its last two axes, where it has them, in the other order. */
void posenc__swap_last_axes(struct posenc_array *array);

/* Fills in question->best: the best first. */
enum posenc_status posenc__search(struct posenc__question *question);

/* How well it is right, as the end of a sentence; NULL when memory is out. */
const char *posenc__agreement_words(const struct posenc__fit *fit, struct posenc_memory *memory);

/* What a right tensor went through; NULL for nothing, or when memory is out. */
const char *posenc__view_words(const struct posenc__view *view, struct posenc_memory *memory);

/* "right", "mistaken", "identified", "close", "unexplained" or "not_comparable", by the best guess.
 */
const char *posenc__verdict(const struct posenc__question *question);

/* The verdict as a sentence; NULL when memory is out. */
const char *posenc__statement(const struct posenc__question *question);

/* Derives the answer, with so many explanations at most. */
enum posenc_status posenc__answer(struct posenc__question *question, size_t most,
                                  struct posenc_result *result);

#endif
