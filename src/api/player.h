/* The player who asks, and how players are shown. */
#ifndef IUVOD_API_PLAYER_H
#define IUVOD_API_PLAYER_H

#include "api/call.h"
#include "api/writer.h"
#include "store/players.h"

/* Who asks, if it is a player: *player points to *row, or is NULL. */
enum fault player_asking(struct call *call, struct player_row *row, const struct player_row **player);

/* The same where nobody else may ask.  FAULT_NOT_A_PLAYER. */
enum fault player_required(struct call *call, struct player_row *row);

/* The player that the path's first variable names.  FAULT_NO_SUCH_PLAYER. */
enum fault player_named(struct call *call, struct player_row *row);

/* A player as everybody sees him, as an object. */
void player_document(struct writer *writer, const struct call *call, const struct player_row *row);

/* The reply that shows a player himself.  token: his, in the answer that issues it and in no other; else NULL. */
enum fault player_reply(struct call *call, unsigned status, const struct player_row *row, const char *token);

#endif
