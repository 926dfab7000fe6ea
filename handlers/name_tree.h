/* Values under dotted names, as one object: "scaling.factor" is the member `factor` of the object
 * `scaling`. */
#ifndef POSENC_NAME_TREE_H
#define POSENC_NAME_TREE_H

#include "body_problem.h"

#define NAME_TREE_MAX       256 /* names */
#define NAME_TREE_DEPTH_MAX 4   /* dots in a name */

struct name_node {
    const char *name;
    struct posenc_value value; /* of a node without children */
    struct name_node *children, *last_child;
    struct name_node *next;
    size_t child_count;
};

/* Starts as {.memory = ...}. */
struct name_tree {
    struct posenc_memory *memory;
    size_t count; /* of names */
    struct name_node root;
};

/*
 * Adds a value, whose texts must outlive the object. Refused: an empty name or part of one, a name
 * given twice, one that is both a value and an object, too many dots or names. The problem comes
 * zeroed, and its offset is left alone.
 */
bool name_tree_add(struct name_tree *tree, const char *path, const struct posenc_value *value,
                   struct body_problem *problem);

/* The object of all values, in the tree's memory; false when that is out. */
bool name_tree_object(const struct name_tree *tree, struct posenc_value *object);

#endif
