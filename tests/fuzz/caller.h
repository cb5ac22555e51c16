/*
 * Takes calls through api/ as http/ does, without a network.  All calls of an
 * input run in one transaction that is rolled back at its end: each input finds
 * an empty database, the same time and the same chance.
 */
#ifndef IUVOD_TESTS_FUZZ_CALLER_H
#define IUVOD_TESTS_FUZZ_CALLER_H

#include "api/call.h"
#include "api/json.h"

/* What is to be sent: method, target, headers and body of a call that api/ has not yet seen. */
struct caller_request {
	const char *method;
	const char *target;
	const char *header[HEADER_COUNT]; /* NULL: not sent */
	const char *body;                 /* not NUL-terminated */
	size_t body_len;
};

/* Begins an input. */
void caller_begin(void);

/* Time goes by; what is due by then is done. */
void caller_wait(int64_t ms);

/*
 * Sends a call and checks the reply by what must hold of all of them.  It is good
 * until the next; *json is its body where that is JSON, else NULL.
 */
const struct call *caller_send(const struct caller_request *request, const cJSON **json);

/* Ends an input: each stored game must agree with its replay. */
void caller_end(void);

#endif
