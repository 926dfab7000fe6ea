/* Asking for quantities of analysis in tests, as support.h asks for operations. */
#ifndef TESTS_QUANTITY_H
#define TESTS_QUANTITY_H

#include "support.h"

/* Initialises `asked`, then finds the quantity and its encoding, binds and plans. */
enum posenc_status ask_quantity_with(struct asked *asked, const char *quantity, const char *query,
                                     const struct posenc_member *members, size_t count);
enum posenc_status ask_quantity(struct asked *asked, const char *quantity, const char *query);

/* Asks, and asserts that the answer is refused for a parameter. Release after it. */
void assert_quantity_refused(struct asked *asked, const char *quantity, const char *query,
                             enum posenc_status status, const char *parameter);

/* Asserts that a tensor of an answer has `count` elements, each within `tolerance` of what is
 * expected. */
void assert_tensor_near(struct asked *asked, const char *tensor, const double *expected,
                        size_t count, double tolerance);

/* The derived member of an answer; asserts that it is there. */
const struct posenc_value *derived_value(const struct asked *asked, const char *name);

#endif
