/* Asking the library in tests: requests are written as query strings are, with typed members beside
 * them. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include "internal.h"

#define SUPPORT_MEMBERS_MAX 40

/* One exchange: what was asked, and all that the answer lives in. */
struct asked {
    struct posenc_memory memory;
    struct posenc_arguments arguments;
    struct posenc_result result;
    struct posenc_problem problem;
};

void asked_init(struct asked *asked);
void asked_release(struct asked *asked);

/*
 * "length=4&positions=0,1.5" as an object of untyped values, with the typed members after them. The
 * object lives in the memory; NULL texts and no members are fine.
 */
struct posenc_value support_object(struct posenc_memory *memory, const char *query,
                                   const struct posenc_member *members, size_t count);

/* Initialises `asked`, then finds "sinusoidal/apply", binds and plans. */
enum posenc_status ask_with(struct asked *asked, const char *operation, const char *query,
                            const struct posenc_member *members, size_t count);
enum posenc_status ask(struct asked *asked, const char *operation, const char *query);

/* All elements of a tensor of an answer as doubles, in the answer's memory. */
const double *asked_values(struct asked *asked, const char *tensor);

/* All elements in their dtype, by one fill; posenc_tensor_bytes() of them, in the answer's memory.
 */
unsigned char *asked_bytes(struct asked *asked, const struct posenc_tensor *tensor);

/* The number or text of the answer's echo; asserts that it is there. */
double echoed_number(const struct posenc_result *result, const char *name);
const char *echoed_text(const struct posenc_result *result, const char *name);

/* A float64 array of a shape. */
struct posenc_value support_array(const double *numbers, size_t rank, const size_t *shape);

/* Fills every tensor in random runs, in a random order, and asserts the bytes of one fill. */
void assert_runs_agree(struct asked *asked, uint64_t *seed);

/* Asks with a memory that ends at 0, 64, 128, ... bytes until it suffices: asserts that all before
 * that is POSENC_NO_MEMORY and leaves the result alone. Returns the bytes that sufficed. */
size_t assert_memory_ends_well(const char *operation, const char *query,
                               const struct posenc_member *members, size_t count);

/* Is `name` among the problem's choices? */
bool is_allowed(const struct posenc_problem *problem, const char *name);

#endif
