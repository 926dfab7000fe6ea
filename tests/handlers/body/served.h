/* What is common to all rows of hostile binary bodies, beside what their readers' tests expect. */
#ifndef SERVED_H
#define SERVED_H

#include "body.h"

/*
 * Sends a body of that type through the whole service as well. It must be refused when and as its
 * reader refused it (is_read, problem): a 400 of the same place and words; and whatever comes of
 * it, memory and descriptors must be given back. A reader that has no memory tells nothing.
 */
void expect_served_alike(const char *content_type, const char *bytes, size_t size, bool is_read,
                         const struct body_problem *problem);

#endif
