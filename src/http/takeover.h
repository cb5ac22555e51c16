/*
 * Calls for what is still to come.  A stream is taken over from the library: its
 * socket is the watch's from then on, and the library is told to close its own
 * side, which with MHD_USE_TURBO it does without a word to the reader.  An answer
 * that waits stays a suspended exchange.
 */
#ifndef IUVOD_HTTP_TAKEOVER_H
#define IUVOD_HTTP_TAKEOVER_H

#include "http/exchange.h"

/* The reply of the call is the head of a stream: hands it over, or answers why not. */
enum MHD_Result takeover_stream(struct exchange *exchange);

/* The reply of the call may wait: true if it does, and is forgotten.  Else it is to be sent now. */
bool takeover_wait(struct exchange *exchange);

/* For watch_options.woken: on the watch thread. */
void takeover_woken(struct watch_wait *wait);

#endif
