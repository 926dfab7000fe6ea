/* Names grow a tree of nodes, which then becomes objects of members. */
#include "name_tree.h"

#include <stdio.h>
#include <string.h>

static bool fail(struct body_problem *problem, const char *path, const char *detail)
{
    (void)snprintf(problem->parameter, POSENC_PATH_MAX, "%s", path);
    (void)snprintf(problem->detail, POSENC_DETAIL_MAX, "%s", detail);
    return false;
}

static bool fail_memory(struct body_problem *problem)
{
    problem->no_memory = true;
    return fail(problem, "", "out of memory; try again later");
}

static struct name_node *find_child(const struct name_node *parent, const char *name)
{
    struct name_node *child = parent->children;

    while (child && strcmp(child->name, name) != 0)
        child = child->next;
    return child;
}

static struct name_node *add_child(struct name_tree *tree, struct name_node *parent,
                                   const char *name)
{
    struct name_node *const child = posenc_allocate(tree->memory, 1, sizeof *child);

    if (!child)
        return NULL;
    *child = (struct name_node){.name = name};
    if (parent->last_child)
        parent->last_child->next = child;
    else
        parent->children = child;
    parent->last_child = child;
    parent->child_count++;
    return child;
}

/* Refuses names that cannot be. */
static bool check_name(const char *path, struct body_problem *problem)
{
    size_t dots = 0;

    for (const char *at = path; *at; at++)
        dots += *at == '.';
    if (dots > NAME_TREE_DEPTH_MAX)
        return fail(problem, path, "a name has at most 4 dots");
    if (path[0] == '\0' || path[0] == '.' || path[strlen(path) - 1] == '.' || strstr(path, ".."))
        return fail(problem, path, "a name is missing; write name=value, or object.name=value");
    return true;
}

/* Finds or makes the node of a dotted name, which must not have a value yet. */
static bool grow_path(struct name_tree *tree, const char *path, struct name_node **leaf,
                      struct body_problem *problem)
{
    const size_t size = strlen(path) + 1;
    char *names = posenc_allocate(tree->memory, size, 1);
    struct name_node *node = &tree->root;

    if (!names)
        return fail_memory(problem);
    for (names = memcpy(names, path, size); names;) {
        char *const dot = strchr(names, '.');

        if (dot)
            *dot = '\0';
        struct name_node *child = find_child(node, names);

        if (child && !dot && !child->children)
            return fail(problem, path, "this name stands twice; send it once");
        if (child && (!dot || !child->children))
            return fail(problem, path,
                        "this name is both a value and an object; send one of the two");
        if (!child)
            child = add_child(tree, node, names);
        if (!child)
            return fail_memory(problem);
        node = child;
        names = dot ? dot + 1 : NULL;
    }
    *leaf = node;
    return true;
}

bool name_tree_add(struct name_tree *tree, const char *path, const struct posenc_value *value,
                   struct body_problem *problem)
{
    struct name_node *leaf;

    if (++tree->count > NAME_TREE_MAX)
        return fail(problem, path, "there are more than 256 names; send fewer");
    if (!check_name(path, problem) || !grow_path(tree, path, &leaf, problem))
        return false;
    leaf->value = *value;
    return true;
}

/* Depth is at most NAME_TREE_DEPTH_MAX + 1. */
static bool convert(const struct name_tree *tree, const struct name_node *node,
                    struct posenc_value *value)
{
    struct posenc_member *const members =
        posenc_allocate(tree->memory, node->child_count, sizeof *members);
    struct posenc_member *member = members;

    if (!members)
        return false;
    for (const struct name_node *child = node->children; child; child = child->next, member++) {
        member->name = child->name;
        member->value = child->value;
        if (child->children && !convert(tree, child, &member->value))
            return false;
    }
    *value = posenc_object(members, node->child_count);
    return true;
}

bool name_tree_object(const struct name_tree *tree, struct posenc_value *object)
{
    return convert(tree, &tree->root, object);
}
