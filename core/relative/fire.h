/* FIRE's parts: the network of one variable (fire_network.c) and the biases (fire.c). */
#ifndef POSENC_FIRE_H
#define POSENC_FIRE_H

#include "dd.h"
#include "internal.h"

#define POSENC__FIRE_WEIGHT_MAX 1e100 /* of each weight: sums of products stay finite */

extern const struct posenc_parameter
    posenc__fire_table_rows[]; /* weights, where they may be missing */
extern const struct posenc_parameter posenc__fire_apply_rows[]; /* weights, where they must not */

/*
 * w2 relu(w1 x + b1) + b2 as a function of x: every head is linear between the points where a
 * hidden unit starts or stops. Segment s lies between knots[s - 1] and knots[s].
 */
struct posenc__fire_network {
    size_t heads, hidden;
    const double *knots;              /* [hidden], ascending */
    const struct posenc__dd *slopes;  /* [heads][hidden + 1] */
    const struct posenc__dd *offsets; /* [heads][hidden + 1] */
};

/* Reads an object of w1 [hidden, 1], b1 [hidden], w2 [heads, hidden], b2 [heads]. */
enum posenc_status posenc__fire_network_init(struct posenc__fire_network *network,
                                             const struct posenc_value *weights,
                                             struct posenc_memory *memory,
                                             struct posenc_problem *problem);

/* One head's value, as exact as the knots: within an ulp of the largest of its terms. */
double posenc__fire_network_at(const struct posenc__fire_network *network, size_t head,
                               struct posenc__dd x);

#endif
