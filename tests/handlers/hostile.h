/*
 * Tables of hostile requests, which tests send to the handlers themselves, and others through a
 * running server.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <stddef.h>

struct hostile {
    const char *row; /* of the tables of rows.h */
    const char *target;
    const char *body; /* JSON, POSTed; NULL: GET */
    unsigned status;
    const char *parameter; /* of the problem; NULL: there is none, or it does not matter */
    const char *word;      /* in the answer, or NULL */
};

struct hostile_table {
    const struct hostile *rows;
    size_t count;
};

extern const struct hostile_table hostile_json;                  /* J */
extern const struct hostile_table hostile_sizes, hostile_angles, /* S */
    hostile_scalings, hostile_others;

#define ROPE            "/v1/rope"
#define HALF(members)   "{\"layout\":\"half\",\"dim\":8,\"length\":2," members "}"
#define SCALED(members) HALF("\"scaling\":{" members "}")
#define YARN(members)                                                                              \
    SCALED("\"rope_type\":\"yarn\",\"factor\":2,\"original_max_position_embeddings\":100" members)
#define LLAMA3(low, high, more)                                                                    \
    SCALED("\"rope_type\":\"llama3\",\"factor\":8,\"low_freq_factor\":" low                        \
           ",\"high_freq_factor\":" high ",\"original_max_position_embeddings\":8192" more)
#define LONGROPE(s, l)                                                                             \
    SCALED("\"rope_type\":\"longrope\",\"factor\":4,\"original_max_position_embeddings\":4,"       \
           "\"short_factor\":" s ",\"long_factor\":" l)
#define SECTIONS(list)                                                                             \
    "{\"layout\":\"half\",\"dim\":8,\"mrope_order\":\"chunked\",\"positions\":[[1],[2],[3]],"      \
    "\"mrope_section\":" list "}"
#define AXES "/v1/sinusoidal_grid?axis_order=xy&dim="

#endif
