/* Sanitizers keep what is freed, have their own account of everything, and are slow: what holds for
 * memory and time then holds no more. */
#ifndef SANITIZED_H
#define SANITIZED_H

#include <stdbool.h>

#ifdef SANITIZED
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

#endif
