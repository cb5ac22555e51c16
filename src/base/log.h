/*
 * Log lines on standard error, key=value, one line a call, never torn between
 * threads.  Each thread gathers its lines; log_flush writes them out, when the
 * thread is about to wait or end, and when its buffer is full; an error is written at once.  A token is never given
 * to these functions.
 */
#ifndef IUVOD_BASE_LOG_H
#define IUVOD_BASE_LOG_H

#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

/* Lines below the level are dropped.  LOG_INFO at first.  Before threads start. */
void log_set_level(enum log_level level);

/* Whether a line of this level would be written. */
int log_enabled(enum log_level level);

/*
 * One line: `time=… level=… event=EVENT`, then the formatted key=value text as it
 * is; values from outside go through log_quote first.
 */
void log_line(enum log_level level, const char *event, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * The same in pieces and without a format, for a line that every request costs:
 * log_begin, then keys, then log_end.  False: the line is dropped, and nothing
 * of the rest may be called.  Values of log_text are quoted where they must be.
 */
int log_begin(enum log_level level, const char *event);
void log_text(const char *key, const char *value);
void log_uint(const char *key, uint64_t value);
void log_hex(const char *key, const char *before, uint64_t value); /* what stands before, -, and the value */
void log_us_as_ms(const char *key, uint64_t us);
void log_end(void);

/*
 * Writes a value from outside so that it cannot break a line or be mistaken for
 * another key: quoted where it must be, other bytes as \xNN, cut to room (then
 * `"…"...`).  NULL is written as -.  Returns out.
 */
const char *log_quote(const char *value, char *out, unsigned room);

/* Writes out what this thread has gathered. */
void log_flush(void);

#endif
