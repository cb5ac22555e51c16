/* What the system knows of this process, for the metrics.  Any thread. */
#ifndef IUVOD_HTTP_PROCESS_H
#define IUVOD_HTTP_PROCESS_H

#include <stdint.h>

#include "base/text.h"

/* When it was started, in microseconds since 1970: asked once, since clocks are set. */
int64_t process_started_us(void);

/* Tells of these families; of what the system does not tell there is no sample. */
void process_tell(int64_t started_us, struct text *out);

#endif
