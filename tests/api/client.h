/* A client without a network: takes calls through api/ as http/ does, on a database in a directory of its own. */
#ifndef IUVOD_TESTS_API_CLIENT_H
#define IUVOD_TESTS_API_CLIENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/call.h"
#include "api/json.h"
#include "tests/folder.h"

struct client {
	char directory[FOLDER_MAX];
	struct db *write, *read;
	struct service service;
	struct arena *arena;              /* of the last call */
	struct call call;                 /* the last one */
	const cJSON *json;                /* its body, if it is JSON; else NULL */
	char authorization[128];          /* sent with each call; empty: none */
	const char *header[HEADER_COUNT]; /* sent with the next call only */
	long memory; /* how many requests for memory of ours the next call may make; -1: any number */
};

/* For cmocka: a group's setup and teardown; *state is the client. */
int client_open(void **state);
int client_close(void **state);

/* Sends a call; body NULL: none, else JSON unless Content-Type is set.  Returns the status. */
unsigned client_send(struct client *client, enum method method, const char *target, const char *body);

/* A header of the last reply; NULL if it has none. */
const char *client_header(const struct client *client, const char *name);

/* Members of the last reply's body: text, number, or what is behind a path as "game.ply" (NULL if not there). */
const cJSON *client_at(const struct client *client, const char *path);
const char *client_text(const struct client *client, const char *path);
int64_t client_number(const struct client *client, const char *path);

/* Which token is sent from now on; NULL: none. */
void client_token(struct client *client, const char *token);

/* Fails unless the last reply is a problem of this status and code. */
void client_problem(const struct client *client, unsigned status, const char *code);

#endif
