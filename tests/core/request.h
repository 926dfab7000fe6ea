/* Requests that grow from what an operation's rows, and its complaints, say is missing. */
#ifndef TESTS_REQUEST_H
#define TESTS_REQUEST_H

#include "support.h"

/* Every operation of every encoding, then every tool, whose encoding is NULL. */
struct place {
    const struct posenc_encoding *encoding;
    const struct posenc_operation *operation;
    char name[80]; /* "sinusoidal/table" */
};

#define PLACES_MAX 128

size_t all_places(struct place places[PLACES_MAX]);

/* The rows of an operation; returns how many. */
size_t all_rows(const struct posenc_operation *operation,
                const struct posenc_parameter *rows[POSENC_ARGUMENTS_MAX]);

/* The row of that name, or, for "object.member", of that member; NULL when there is none. */
const struct posenc_parameter *find_setting(const struct posenc_operation *operation,
                                            const char *path);

/*
 * A request that grows by what is said to be missing, until the operation is planned or refuses it
 * for another reason. Numbers are `size` where their rows allow it; every axis of a list or tensor
 * is 4 or WIDTH long, or 1, and its shape is the first of several that is not refused.
 */
#define OBJECTS_MAX 4
#define MEMBERS_MAX 24

struct request {
    const struct place *place;
    double size;
    size_t count, object_count;
    struct posenc_member members[POSENC_ARGUMENTS_MAX];
    size_t shapes[POSENC_ARGUMENTS_MAX]; /* which shape a list or tensor has now */
    struct posenc_member inner[OBJECTS_MAX][MEMBERS_MAX];
    size_t inner_shapes[OBJECTS_MAX][MEMBERS_MAX];
};

/* A request without members. */
struct request request_for(const struct place *place, double size);

/* A value that the row allows. */
struct posenc_value value_for(const struct place *place, const struct posenc_parameter *row,
                              double size);

/* Gives a parameter that is not given yet. */
void give(struct request *request, const struct posenc_parameter *row, struct posenc_value value);

/* Binds and plans, growing the request meanwhile. Release `asked` after it. */
enum posenc_status run(struct request *request, struct asked *asked);

#endif
