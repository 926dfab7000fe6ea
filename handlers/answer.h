/* From a planned result and its representation to the response. */
#ifndef POSENC_ANSWER_H
#define POSENC_ANSWER_H

#include "delivery.h"

/*
 * Answers with the result in its representation, or with a problem: larger than the service sends,
 * longer to make than the request's watch allows, or nothing that the format can carry. What is
 * offered tells how caches may keep it. The exchange has begun.
 */
void respond_result(const struct service *service, const struct request *request,
                    const struct posenc_result *result, const struct offer *offer,
                    const struct representation *representation, struct response *response);

#endif
