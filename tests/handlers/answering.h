/* Calling what answers, without a route: one exchange, and a look at its answer. */
#ifndef ANSWERING_H
#define ANSWERING_H

#include "exchange_memory.h"
#include "writing.h"

/* Of one test; the request asks by GET for nothing in particular, and may be changed. */
extern struct request answering_request;
extern struct response answering_response;

/* The fixtures of a suite: ANSWERING_SUITE(name) before its tests. They are those of WRITING_SUITE,
 * and an exchange that has begun. */
void answering_begin(void);
void answering_end(void);

#define ANSWERING_SUITE(name) TestSuite(name, .init = answering_begin, .fini = answering_end)

/* Forgets the answer, and begins another exchange. */
struct exchange *answering_again(void);

/* The header of the answer; "" where it has none. */
const char *answer_of(const char *header);

/* The body of the answer, which is JSON; lives until the test ends. */
const json_t *answered_json(void);

#endif
