#include "rope_trial.h"

#include <criterion/criterion.h>

#include "rope_question.h"

void trial_add(struct trial *trial, const char *name, struct posenc_value value)
{
    cr_assert_lt(trial->count, MEMBERS_MAX);
    trial->members[trial->count++] = (struct posenc_member){name, value};
}

double trial_between(struct trial *trial, double low, double high)
{
    return exact_between(&trial->seed, low, high);
}

size_t trial_below(struct trial *trial, size_t limit)
{
    return exact_bits(&trial->seed) % limit;
}

double trial_position(struct trial *trial, double bits)
{
    const double size = floor(exp2(trial_between(trial, 0, bits)));

    return trial_below(trial, 2) ? size : -size;
}

void trial_fill(struct trial *trial, double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = trial_between(trial, -1, 1);
}

struct trial draw_trial(int draw)
{
    struct trial trial = {.draw = draw, .seed = (uint64_t)draw};

    posenc_memory_init(&trial.memory, POSENC_MEMORY_DEFAULT);
    trial.parameters = rope_draw(&trial.seed);
    trial.parameters.base = pow(10.0, trial_between(&trial, 0.01, 12));
    trial_add(&trial, "dtype", posenc_text("float64"));
    trial_add(&trial, "dim", posenc_number((double)trial.parameters.dim));
    trial_add(&trial, "base", posenc_number(trial.parameters.base));
    return trial;
}

#define LONG_WAVES 1000.0

void use_long_waves(struct trial *trial)
{
    trial->parameters.base = fmax(trial->parameters.base, LONG_WAVES);
    trial->members[2].value = posenc_number(trial->parameters.base);
}

/* The scheme of that number, modulo their number, joins. */
static void add_scheme(struct trial *trial, size_t number)
{
    char text[ROPE_DICTIONARY_MAX];
    size_t count = 0;

    while (rope_formulas[count].name)
        count++;
    trial->formula = &rope_formulas[number % count];
    use_long_waves(trial);
    trial->formula->write(text, sizeof(text), &trial->parameters);
    trial_add(trial, "scaling", question_dictionary(&trial->memory, text));
    if (trial->formula->has_length) {
        trial_add(trial, "max_position_embeddings", posenc_number(trial->parameters.original));
        trial_add(trial, "sequence_length", posenc_number(trial->parameters.length));
    }
}

struct trial draw_scheme_trial(int draw)
{
    struct trial trial = draw_trial(draw);

    add_scheme(&trial, (size_t)draw);
    return trial;
}

const char *trial_add_layout(struct trial *trial)
{
    static const char *const layouts[] = {"half", "interleaved", "deinterleaved"};
    const char *layout = layouts[trial_below(trial, 3)];

    trial_add(trial, "layout", posenc_text(layout));
    return layout;
}

void trial_add_part(struct trial *trial, double *rotary_dim, double *offset)
{
    const size_t dim = trial->parameters.dim, pairs = 1 + trial_below(trial, dim / 2);

    *rotary_dim = (double)(2 * pairs);
    *offset = (double)trial_below(trial, dim - 2 * pairs + 1);
    trial_add(trial, "rotary_dim", posenc_number(*rotary_dim));
    trial_add(trial, "rotary_offset", posenc_number(*offset));
}

void ask_trial(struct asked *asked, const struct trial *trial, const char *operation)
{
    ask_members(asked, "rope", operation, trial->members, trial->count);
    cr_assert_eq(asked->status, POSENC_OK, "draw %d: %s", trial->draw, asked->problem.detail);
}

double *asked_all(struct asked *asked, const char *name)
{
    const struct posenc_tensor *tensor = posenc_find_tensor(&asked->result, name);

    cr_assert_not_null(tensor, "%s", name);
    cr_assert_eq(tensor->dtype, POSENC_FLOAT64);
    double *values = posenc_allocate(&asked->memory, tensor->count, sizeof(*values));

    cr_assert_not_null(values);
    posenc_fill(tensor, 0, tensor->count, values);
    return values;
}

void trial_rotate(const struct trial *trial, const char *name, const double *rows,
                  const double *positions, size_t count, double *out)
{
    const size_t dim = trial->parameters.dim;
    struct trial whole = *trial;
    struct asked asked;

    trial_add(&whole, name, asking_rows(count, dim, rows));
    trial_add(&whole, "positions", posenc_numbers(positions, count));
    ask_trial(&asked, &whole, "apply");
    memcpy(out, asked_all(&asked, name), count * dim * sizeof(*out));
    posenc_memory_release(&asked.memory);
}

double derived_number(const struct asked *asked, const char *name)
{
    const struct posenc_value object = {.kind = POSENC_OBJECT, .as.object = asked->result.derived};
    const struct posenc_value *found = posenc_find_member(&object, name);

    cr_assert_not_null(found, "nothing derived is called %s", name);
    return found->as.number;
}
