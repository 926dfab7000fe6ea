/* One part of a configuration (text, vision, ...) on its way to uses. */
#ifndef POSENC_RESOLVE_PART_H
#define POSENC_RESOLVE_PART_H

#include "facts.h"
#include "model_types.h"
#include "posenc_models.h"

#define POSENC__NOTES_MAX 12
#define POSENC__CONFIG_DIM_MAX                                                                     \
    16384 /* width of a head; the widest published ones are below 1024                             \
           */

/* A resolution while it runs. */
struct posenc__resolution {
    struct posenc_memory *memory;
    struct posenc_problem *problem;
    struct posenc_arguments *log; /* takes the warnings */
    struct posenc_value *uses;    /* [POSENC_CONFIG_USES_MAX] */
    size_t use_count;
    bool has_layers; /* of the first part that tells */
    size_t layers;
    double softmax_scale_multiplier;
    bool is_shell; /* parts of an object of no known class were resolved */
};

/* An object of the file with its class. */
struct posenc__part {
    struct posenc__resolution *whole;
    const struct posenc_value *file; /* the object */
    const char *path;                /* of its members: "" or "text_config." */
    const char *component;
    const struct posenc__model_type *type;
    struct posenc_value defaults, constants; /* the type's, read */
    bool is_general; /* no class was found: general rules, said with warnings */
};

/* A member that was looked for under several names. */
struct posenc__fact {
    const struct posenc_value *value; /* NULL: neither file nor class has it */
    const char *member;               /* the name it has, in the memory */
    bool from_class;
};

/* The path of a member for problems and warnings; in the memory, or "" when that is out. */
const char *posenc__part_path(const struct posenc__part *part, const char *member);

/* The file's member that a dotted path leads to, unless it is null; or NULL. */
const struct posenc_value *posenc__part_member(const struct posenc__part *part, const char *path);

/* The first of the names that the file has, else the first that the class has. */
struct posenc__fact posenc__part_look(const struct posenc__part *part, const char *names);

/* Numbers from minimum to maximum: 0 in `number`, and fact->value NULL, where there is none. */
enum posenc_status posenc__part_number(const struct posenc__part *part, const char *names,
                                       double minimum, double maximum, struct posenc__fact *fact,
                                       double *number);
enum posenc_status posenc__part_size(const struct posenc__part *part, const char *names,
                                     size_t minimum, size_t maximum, struct posenc__fact *fact,
                                     size_t *size);

/* The same for a value that was found elsewhere, as an element of a list. */
enum posenc_status posenc__part_check(const struct posenc__part *part, const char *member,
                                      const struct posenc_value *value, bool integral,
                                      double minimum, double maximum, double *number);

/* True for true, and for a number that is not 0; false where the file and the class are silent. */
bool posenc__part_flag(const struct posenc__part *part, const char *names);

/* The text of a member, or NULL. */
const char *posenc__part_text(const struct posenc__part *part, const char *names);

enum posenc_status posenc__part_refuse(const struct posenc__part *part, enum posenc_status status,
                                       const char *member, const char *detail, ...)
    __attribute__((format(printf, 4, 5)));
enum posenc_status posenc__part_refuse_missing(const struct posenc__part *part, const char *member);
void posenc__part_warn(const struct posenc__part *part, const char *member, const char *detail, ...)
    __attribute__((format(printf, 3, 4)));

/* Warns that a fact came from the class, if it did. */
void posenc__part_tell_assumed(const struct posenc__part *part, const struct posenc__fact *fact);

/* Words for synonyms that files use. */
#define POSENC__WIDTH_NAMES "hidden_size n_embd d_model hidden_dim model_dim dim vt_hidden_size"
#define POSENC__HEADS_NAMES                                                                        \
    "num_attention_heads n_head n_heads num_heads encoder_attention_heads "                        \
    "encoder_num_attention_heads"
#define POSENC__LAYERS_NAMES                                                                       \
    "num_hidden_layers n_layer n_layers num_layers encoder_layers depth "                          \
    "num_transformer_layers encoder_num_hidden_layers"
#define POSENC__LENGTH_NAMES                                                                       \
    "max_position_embeddings n_positions max_seq_len seq_length n_ctx max_sequence_length "        \
    "max_source_positions"

/* The number of layers, where it is known. */
enum posenc_status posenc__part_layers(const struct posenc__part *part, bool *known,
                                       size_t *layers);

/* Uses. */

/* What is said of one encoding. */
struct posenc__use {
    const char *component;
    const char *encoding;
    const char *layer_type;                               /* or NULL */
    struct posenc_value layers;                           /* "all", "embedding" or indices */
    struct posenc_value parameters, derived, query_scale; /* null: left out */
    size_t note_count;
    struct posenc_value notes[POSENC__NOTES_MAX];
};

/* Adds a note; lost silently when there are too many, or no memory. */
void posenc__use_note(const struct posenc__part *part, struct posenc__use *use, const char *note,
                      ...) __attribute__((format(printf, 3, 4)));

/* Appends a use to the answer. */
enum posenc_status posenc__add_use(const struct posenc__part *part, const struct posenc__use *use);

/* Members under construction. */
struct posenc__members {
    struct posenc_member *items;
    size_t count, room;
};
bool posenc__members_init(struct posenc__members *members, size_t room,
                          struct posenc_memory *memory);
void posenc__members_add(struct posenc__members *members, const char *name,
                         struct posenc_value value);
/* Adds them all, or those that are not there by name. */
void posenc__members_add_all(struct posenc__members *members, const struct posenc_value *object);
static inline struct posenc_value posenc__members_value(const struct posenc__members *members)
{
    return posenc_object(members->items, members->count);
}

/* The kinds. */
enum posenc_status posenc__resolve_rope(const struct posenc__part *part);   /* rope, none */
enum posenc_status posenc__resolve_grid(const struct posenc__part *part);   /* vision rotary */
enum posenc_status posenc__resolve_recipe(const struct posenc__part *part); /* the others */

/* Resolves a part whose class is found, and what its class adds. */
enum posenc_status posenc__resolve_part(struct posenc__part *part);

/* Warns of members that speak of positions and that nothing reads. */
void posenc__warn_unknown(const struct posenc__part *part);

#endif
