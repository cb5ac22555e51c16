/*
 * Calls that the engine thinks about before they are answered: suspended meanwhile,
 * and answered on their loop's thread.
 */
#ifndef IUVOD_HTTP_THOUGHT_H
#define IUVOD_HTTP_THOUGHT_H

#include <stdbool.h>

#include "http/exchange.h"

/* Gives the question of a call to the engine; false if it was refused, with the reply set. */
bool thought_begin(struct exchange *exchange);

/* A job came back to the loop that its exchange belongs to: replies, and goes on. */
void thought_end(struct think_job *job);

/* Whoever asked has gone: the answer is not waited for any more. */
void thought_cancel(struct exchange *exchange);

#endif
