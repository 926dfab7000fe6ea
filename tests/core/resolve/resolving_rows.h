/* Rows for tests of resolving: a file, and what must be said of it, both as facts.h reads them. */
#ifndef TESTS_RESOLVING_ROWS_H
#define TESTS_RESOLVING_ROWS_H

#include "resolving.h"

#define COUNT_OF(rows) (sizeof(rows) / sizeof(*(rows)))

/* Four heads, or sixteen of 64 channels. */
#define SHAPE "hidden_size=64 num_attention_heads=4 num_hidden_layers=2 "
#define WIDE  "hidden_size=1024 num_attention_heads=16 num_hidden_layers=2 "

struct use_row {
    const char *facts;
    size_t use;
    /* Members of that use: "parameters.dim=128 parameters.base=1e4". null: not there. Numbers that
     * are no parameter may differ from a decimal by their last bit. */
    const char *expected;
    const char *warned; /* a member that is warned of, or NULL */
};

void expect_uses(const struct use_row *rows, size_t count);

struct refused_row {
    const char *facts;
    enum posenc_status status;
    const char *parameter;
};

void expect_refused(const struct refused_row *rows, size_t count);

/* A built-in model of that name, resolved; asserts that there is one. */
struct resolved resolve_model(const char *name);

/* Members of uses of a built-in model; `facts` is its name. */
void expect_model_uses(const struct use_row *rows, size_t count);

#endif
