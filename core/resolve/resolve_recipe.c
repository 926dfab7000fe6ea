/*
 * Encodings other than rotary ones: a few members of the file each, and what the class says beside
 * them.
 */
#include <assert.h>
#include <string.h>

#include "resolve_part.h"

#define PARAMETERS_MAX 12

/* A recipe while it is followed. */
struct cooking {
    const struct posenc__part *part;
    struct posenc__use use;
    struct posenc__members parameters;
};

/* Constants that steer a recipe and are no parameters. */
static const char steering[] = "rows_from dim_from class_tokens tokens_from image_from patch_from "
                               "tubes patches padding_offset less axes";

static const char *steer(const struct cooking *cooking, const char *name, const char *fallback)
{
    const struct posenc_value *value = posenc_find_member(&cooking->part->constants, name);

    return value && value->kind == POSENC_TEXT ? value->as.text : fallback;
}

static double steer_number(const struct cooking *cooking, const char *name)
{
    const struct posenc_value *value = posenc_find_member(&cooking->part->constants, name);

    return value && value->kind == POSENC_NUMBER ? value->as.number : 0;
}

/* Adds a parameter that must be an integer of the file or class. */
static enum posenc_status add_size(struct cooking *cooking, const char *parameter,
                                   const char *names, const char *missing)
{
    struct posenc__fact fact;
    size_t size;
    const enum posenc_status status =
        posenc__part_size(cooking->part, names, 0, (size_t)1 << 40, &fact, &size);

    if (status != POSENC_OK)
        return status;
    if (!fact.value)
        return missing ? posenc__part_refuse_missing(cooking->part, missing) : POSENC_OK;
    posenc__part_tell_assumed(cooking->part, &fact);
    posenc__members_add(&cooking->parameters, parameter, posenc_number((double)size));
    posenc__use_note(cooking->part, &cooking->use, "%s: %s%s", parameter, fact.member,
                     fact.from_class ? " of the class" : "");
    return POSENC_OK;
}

/* RoBERTa and its kin count from the padding token's index on. */
static enum posenc_status add_padding_offset(struct cooking *cooking)
{
    struct posenc__fact fact;
    size_t padding;
    const enum posenc_status status =
        posenc__part_size(cooking->part, "pad_token_id padding_idx", 0, 1000000, &fact, &padding);

    if (status != POSENC_OK)
        return status;
    padding = fact.value ? padding : 1;
    posenc__members_add(&cooking->parameters, "position_offset",
                        posenc_number((double)padding + 1));
    posenc__members_add(&cooking->parameters, "padding_idx", posenc_number((double)padding));
    posenc__use_note(cooking->part, &cooking->use,
                     "position_offset: padding index + 1; padding tokens stand at the padding "
                     "index");
    return POSENC_OK;
}

/* A grid's rows, whose sides the file has by themselves. */
static enum posenc_status add_area(struct cooking *cooking)
{
    static const char *const sides[] = {"init_pos_emb_height pos_emb_height",
                                        "init_pos_emb_width pos_emb_width"};
    double area = 1;

    for (size_t i = 0; i < 2; i++) {
        struct posenc__fact fact;
        size_t side;
        const enum posenc_status status =
            posenc__part_size(cooking->part, sides[i], 1, 1 << 20, &fact, &side);

        if (status != POSENC_OK)
            return status;
        assert(fact.value); /* classes with sides have defaults for them */
        area *= (double)side;
    }
    posenc__members_add(&cooking->parameters, "rows", posenc_number(area));
    posenc__use_note(cooking->part, &cooking->use, "rows: pos_emb_height by pos_emb_width");
    return POSENC_OK;
}

static enum posenc_status cook_learned(struct cooking *cooking)
{
    static const char rows_names[] =
        "max_position_embeddings n_positions max_seq_len n_ctx block_size max_sequence_length "
        "seq_length max_target_positions max_source_positions";
    const char *source = steer(cooking, "rows_from", rows_names);
    enum posenc_status status;

    if (strcmp(source, "sides") == 0)
        status = add_area(cooking);
    else
        status = add_size(cooking, "rows", source, "max_position_embeddings");
    if (status == POSENC_OK)
        status = add_size(cooking, "dim", steer(cooking, "dim_from", POSENC__WIDTH_NAMES), NULL);
    if (status == POSENC_OK && posenc_find_member(&cooking->part->constants, "padding_offset"))
        status = add_padding_offset(cooking);
    return status;
}

/* A number, or the entries of a [height, width] list. */
static enum posenc_status read_sides(const struct posenc__part *part, const char *name,
                                     size_t sides[2])
{
    const struct posenc__fact fact = posenc__part_look(part, name);
    enum posenc_status status = POSENC_OK;
    double number = 0;

    if (!fact.value)
        return posenc__part_refuse_missing(part, name);
    for (size_t i = 0; i < 2 && status == POSENC_OK; i++) {
        struct posenc_value side = *fact.value;

        if (side.kind == POSENC_ARRAY && side.as.array.rank == 1 && side.as.array.shape[0] == 2)
            side = posenc_number(((const double *)fact.value->as.array.data)[i]);
        status = posenc__part_check(part, fact.member, &side, true, 1, 1 << 20, &number);
        sides[i] = (size_t)number;
    }
    if (status == POSENC_OK)
        posenc__part_tell_assumed(part, &fact);
    return status;
}

/* Rows and columns of patches, under the names that the class has for their sizes. */
static enum posenc_status count_patches(const struct cooking *cooking, size_t counts[2])
{
    const char *image_name = steer(cooking, "image_from", "image_size");
    const char *patch_name = steer(cooking, "patch_from", "patch_size");
    size_t patch[2] = {1, 1};
    enum posenc_status status = read_sides(cooking->part, image_name, counts);

    if (status == POSENC_OK)
        status = read_sides(cooking->part, patch_name, patch);
    for (size_t i = 0; i < 2 && status == POSENC_OK; i++)
        counts[i] /= patch[i];
    return status;
}

/* Patches of a video: tubelet_size has their frames, rows and columns. */
static enum posenc_status count_tubes(const struct cooking *cooking, double *count)
{
    const struct posenc__fact fact = posenc__part_look(cooking->part, "tubelet_size");
    size_t image[2] = {1, 1}, frames;
    struct posenc__fact frames_fact;
    enum posenc_status status = read_sides(cooking->part, "image_size", image);

    if (status == POSENC_OK)
        status = posenc__part_size(cooking->part, "num_frames", 1, 1 << 20, &frames_fact, &frames);
    if (status != POSENC_OK)
        return status;
    assert(fact.value && frames_fact.value); /* the class has both */
    if (fact.value->kind != POSENC_ARRAY || fact.value->as.array.rank != 1 ||
        fact.value->as.array.shape[0] != 3)
        return posenc__part_refuse(cooking->part, POSENC_WRONG_TYPE, fact.member,
                                   "'%s' must be a list of frames, rows and columns.",
                                   posenc__part_path(cooking->part, fact.member));
    const size_t whole[3] = {frames, image[0], image[1]};

    *count = 1;
    for (size_t i = 0; i < 3 && status == POSENC_OK; i++) {
        const struct posenc_value side =
            posenc_number(((const double *)fact.value->as.array.data)[i]);
        double size = 1;

        status = posenc__part_check(cooking->part, fact.member, &side, true, 1, 1 << 20, &size);
        if (status == POSENC_OK)
            *count *= (double)(whole[i] / (size_t)size);
    }
    return status;
}

static enum posenc_status cook_patches(struct cooking *cooking)
{
    const char *tokens_name = steer(cooking, "tokens_from", "");
    const bool has_tubes = posenc_find_member(&cooking->part->constants, "tubes");
    struct posenc__fact fact;
    size_t counts[2] = {1, 1}, tokens;
    double rows = 0;
    enum posenc_status status =
        has_tubes ? count_tubes(cooking, &rows) : count_patches(cooking, counts);

    if (status == POSENC_OK)
        status = posenc__part_size(cooking->part, tokens_name, 0, 1 << 20, &fact, &tokens);
    if (status != POSENC_OK)
        return status;
    if (!has_tubes)
        rows = (double)counts[0] * (double)counts[1];
    rows += steer_number(cooking, "class_tokens") + (double)tokens;
    posenc__members_add(&cooking->parameters, "rows", posenc_number(rows));
    posenc__use_note(cooking->part, &cooking->use,
                     "rows: the patches of image_size by patch_size, and the class's extra tokens");
    return add_size(cooking, "dim", steer(cooking, "dim_from", POSENC__WIDTH_NAMES), NULL);
}

/* A grid that the file tells, or that of the image. */
static enum posenc_status cook_sine_grid(struct cooking *cooking)
{
    double *grid = posenc_allocate(cooking->part->whole->memory, 2, sizeof(*grid));
    size_t counts[2] = {1, 1};
    enum posenc_status status = POSENC_OK;

    if (!grid)
        return posenc__no_memory(cooking->part->whole->problem);
    if (posenc_find_member(&cooking->part->constants, "patches")) {
        status = count_patches(cooking, counts);
        grid[0] = (double)counts[0];
        grid[1] = (double)counts[1];
        posenc__members_add(&cooking->parameters, "grid", posenc_numbers(grid, 2));
    } else {
        posenc__use_note(cooking->part, &cooking->use, "it also needs a grid, the image's");
    }
    return status == POSENC_OK
               ? add_size(cooking, "dim", steer(cooking, "dim_from", POSENC__WIDTH_NAMES),
                          "hidden_size")
               : status;
}

static enum posenc_status cook_sinusoidal(struct cooking *cooking)
{
    return add_size(cooking, "dim", steer(cooking, "dim_from", POSENC__WIDTH_NAMES), "hidden_size");
}

static enum posenc_status cook_alibi(struct cooking *cooking)
{
    struct posenc__fact fact;
    double bias_max;
    enum posenc_status status =
        add_size(cooking, "heads", POSENC__HEADS_NAMES, "num_attention_heads");

    if (status == POSENC_OK)
        status = posenc__part_number(cooking->part, "attn_config.alibi_bias_max alibi_bias_max",
                                     1e-3, 512, &fact, &bias_max);
    if (status == POSENC_OK)
        posenc__members_add(&cooking->parameters, "bias_max",
                            posenc_number(fact.value ? bias_max : 8));
    return status;
}

static enum posenc_status cook_t5(struct cooking *cooking)
{
    enum posenc_status status =
        add_size(cooking, "heads", "num_heads num_attention_heads n_heads", "num_heads");

    if (status == POSENC_OK)
        status = add_size(cooking, "num_buckets",
                          "relative_attention_num_buckets num_buckets position_bias_num_buckets "
                          "rel_pos_bins",
                          "relative_attention_num_buckets");
    if (status == POSENC_OK)
        status = add_size(cooking, "max_distance",
                          "relative_attention_max_distance max_bucket_distance "
                          "position_bias_max_distance max_rel_pos",
                          "relative_attention_max_distance");
    return status;
}

/* A max_relative_positions below 1 stands for max_position_embeddings. */
static enum posenc_status cook_deberta(struct cooking *cooking)
{
    struct posenc__fact fact;
    double buckets, distance;
    size_t length;
    enum posenc_status status =
        posenc__part_number(cooking->part, "position_buckets", -1, 1e6, &fact, &buckets);

    if (status == POSENC_OK)
        status =
            posenc__part_number(cooking->part, "max_relative_positions", -1, 1e6, &fact, &distance);
    if (status == POSENC_OK && distance < 1) {
        status = posenc__part_size(cooking->part, POSENC__LENGTH_NAMES, 1, 1000000, &fact, &length);
        distance = (double)length;
    }
    if (status != POSENC_OK)
        return status;
    if (distance < 1)
        return posenc__part_refuse_missing(cooking->part, "max_position_embeddings");
    posenc__members_add(&cooking->parameters, "position_buckets",
                        posenc_number(buckets > 0 ? buckets : 0));
    posenc__members_add(&cooking->parameters, "max_relative_positions", posenc_number(distance));
    posenc__use_note(cooking->part, &cooking->use, "max_relative_positions: %s", fact.member);
    return POSENC_OK;
}

static enum posenc_status cook_shaw(struct cooking *cooking)
{
    struct posenc__fact fact;
    size_t distance;
    const enum posenc_status status =
        posenc__part_size(cooking->part, steer(cooking, "rows_from", "max_position_embeddings"), 1,
                          1000000, &fact, &distance);

    if (status != POSENC_OK)
        return status;
    if (!fact.value)
        return posenc__part_refuse_missing(cooking->part, "max_position_embeddings");
    posenc__members_add(&cooking->parameters, "max_relative_position",
                        posenc_number((double)distance - steer_number(cooking, "less")));
    return POSENC_OK;
}

static enum posenc_status cook_transformer_xl(struct cooking *cooking)
{
    const enum posenc_status status = add_size(cooking, "dim", POSENC__WIDTH_NAMES, "hidden_size");
    const struct posenc__fact clamp = posenc__part_look(cooking->part, "clamp_len");
    const struct posenc__fact attention = posenc__part_look(cooking->part, "attn_type");

    if (attention.value && attention.value->kind == POSENC_TEXT)
        posenc__members_add(&cooking->parameters, "attention", *attention.value);
    if (clamp.value && clamp.value->kind == POSENC_NUMBER && clamp.value->as.number > 0)
        posenc__members_add(&cooking->parameters, "clamp_len", *clamp.value);
    return status;
}

static enum posenc_status cook_swin(struct cooking *cooking)
{
    double *window = posenc_allocate(cooking->part->whole->memory, 2, sizeof(*window));
    size_t sides[2] = {1, 1}, patch[2] = {1, 1};
    enum posenc_status status;

    if (!window)
        return posenc__no_memory(cooking->part->whole->problem);
    if (posenc__part_look(cooking->part, "window_size").value) {
        status = read_sides(cooking->part, "window_size", sides);
    } else {
        status = read_sides(cooking->part, "image_size", sides);
        if (status == POSENC_OK)
            status = read_sides(cooking->part, "patch_size", patch);
        for (size_t i = 0; i < 2 && status == POSENC_OK; i++)
            sides[i] /= patch[i];
    }
    if (status != POSENC_OK)
        return status;
    window[0] = (double)sides[0];
    window[1] = (double)sides[1];
    posenc__members_add(&cooking->parameters, "window", posenc_numbers(window, 2));
    return POSENC_OK;
}

/* What each kind is called, where it is used, and how its parameters are found. */
static const struct recipe {
    const char *encoding;
    const char *layers;
    enum posenc_status (*cook)(struct cooking *cooking);
} recipes[POSENC__KIND_COUNT] = {
    [POSENC__KIND_LEARNED] = {"learned", "embedding", cook_learned},
    [POSENC__KIND_PATCHES] = {"learned", "embedding", cook_patches},
    [POSENC__KIND_SINUSOIDAL] = {"sinusoidal", "embedding", cook_sinusoidal},
    [POSENC__KIND_SINE_GRID] = {"sinusoidal_grid", "embedding", cook_sine_grid},
    [POSENC__KIND_ALIBI] = {"alibi", "all", cook_alibi},
    [POSENC__KIND_T5] = {"t5", "all", cook_t5},
    [POSENC__KIND_DEBERTA] = {"deberta", "all", cook_deberta},
    [POSENC__KIND_SHAW] = {"shaw", "all", cook_shaw},
    [POSENC__KIND_TRANSFORMER_XL] = {"transformer_xl", "all", cook_transformer_xl},
    [POSENC__KIND_SWIN] = {"swin", "all", cook_swin},
    [POSENC__KIND_NONE] = {"none", "all", NULL},
};

/* The class's constants, but for those that steer. */
static void add_constants(struct cooking *cooking)
{
    const struct posenc_members *constants = &cooking->part->constants.as.object;

    for (size_t i = 0; i < constants->count; i++)
        if (!posenc__has_word(steering, constants->items[i].name))
            posenc__members_add(&cooking->parameters, constants->items[i].name,
                                constants->items[i].value);
}

/* Nothing turns, whatever the file says. */
static void warn_unused(const struct posenc__part *part)
{
    static const char *const members[] = {"rope_theta", "rope_scaling", "rope_parameters",
                                          "partial_rotary_factor", "rotary_emb_base"};

    if (part->type->kind != POSENC__KIND_NONE && strcmp(part->component, "text") != 0)
        return; /* a tower may have a table beside its rotation */
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
        if (posenc__part_member(part, members[i]))
            posenc__part_warn(part, members[i],
                              "'%s' is in the file, but this model uses no "
                              "rotary encoding.",
                              posenc__part_path(part, members[i]));
}

enum posenc_status posenc__resolve_recipe(const struct posenc__part *part)
{
    const struct recipe *recipe = &recipes[part->type->kind];
    struct cooking cooking = {.part = part,
                              .use = {.component = part->component,
                                      .encoding = recipe->encoding,
                                      .layers = posenc_text(recipe->layers)}};
    enum posenc_status status = POSENC_OK;

    if (!posenc__members_init(&cooking.parameters, PARAMETERS_MAX, part->whole->memory))
        return posenc__no_memory(part->whole->problem);
    warn_unused(part);
    if (recipe->cook)
        status = recipe->cook(&cooking);
    if (status != POSENC_OK)
        return status;
    add_constants(&cooking);
    if (part->type->note)
        posenc__use_note(part, &cooking.use, "%s", part->type->note);
    cooking.use.parameters = posenc__members_value(&cooking.parameters);
    return posenc__add_use(part, &cooking.use);
}
