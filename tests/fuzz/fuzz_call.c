/*
 * The handler of requests: a script of them, one after the other on one database.
 *
 *     POST /v1/games/$g/moves +3600
 *     Authorization: Bearer $1
 *     Content-Type: application/json
 *
 *     {"move": "a1-b3"}
 *     .
 *     GET /v1/games/$g
 *
 * A number behind the target is seconds that go by before.  A dollar and a letter
 * stand for what an answer told last: $g the game, $c its creator's token, $1 to
 * $4 those of its seats, $p a player, $k the player's token, $o an offer, $e the
 * tag, $n the path of the next page.
 */
#include "config.h"

#include <string.h>
#include <strings.h>

#include "tests/fuzz/caller.h"
#include "tests/fuzz/fuzz.h"

enum { REQUESTS_MOST = 24, WORD_MAX = 256, WAIT_MOST_S = 10 * 365 * 24 * 3600 };

static const char letters[] = "gc1234pkoen";
static char words[sizeof letters - 1][WORD_MAX];

static void
learn(char letter, const char *word)
{
	if (word != NULL && strlen(word) < WORD_MAX)
		strcpy(words[strchr(letters, letter) - letters], word);
}

static void
learn_game(const cJSON *game)
{
	const cJSON *seat;
	learn('g', json_text(game, "id"));
	learn('c', json_text(game, "creator_token"));
	cJSON_ArrayForEach(seat, json_member(game, "seats"))
	{
		int64_t number = json_int(seat, "seat", 0);
		FUZZ_CHECK(number >= 1 && number <= 4);
		learn((char)('0' + number), json_text(seat, "token"));
	}
}

static void
learn_all(const struct call *call, const cJSON *json)
{
	const cJSON *game = json_member(json, "game");
	for (unsigned i = 0; i < call->reply.header_count; i++)
		if (strcmp(call->reply.headers[i].name, "ETag") == 0)
			learn('e', call->reply.headers[i].value);
	learn('n', json_text(json, "next"));
	learn('o', json_text(json_member(json, "offer"), "id"));
	if (strncmp(call_template(call), "/v1/players", 11) == 0 || strncmp(call_template(call), "/v1/me", 6) == 0) {
		learn('p', json_text(json, "id"));
		learn('k', json_text(json, "token"));
		return;
	}
	int64_t seat = json_int(json, "seat", 0);
	if (seat >= 1 && seat <= 4)
		learn((char)('0' + seat), json_text(json, "token"));
	learn_game(cJSON_IsObject(game) ? game : json);
}

/* The text with words in place of their letters. */
static struct text
fill(const char *bytes, size_t len)
{
	struct text text = TEXT_EMPTY;
	for (size_t i = 0; i < len; i++) {
		const char *letter =
		    bytes[i] == '$' && i + 1 < len && bytes[i + 1] != '\0' ? strchr(letters, bytes[i + 1]) : NULL;
		if (letter == NULL) {
			text_char(&text, bytes[i]);
		} else {
			text_puts(&text, words[letter - letters]);
			i++;
		}
	}
	text_char(&text, '\n');
	FUZZ_CHECK(!text_failed(&text));
	return text;
}

/* The header of a line, as head.c leaves it to api/: what is none, or what no header may hold, is not sent. */
static void
read_header(struct caller_request *request, char *line)
{
	static const char *const names[] = {
#define H(name, text, once) text,
	    HEADER_TABLE(H)
#undef H
	};
	size_t len = strcspn(line, ":");
	if (line[len] == '\0')
		return;
	char *value = line + len + 1;
	value += strspn(value, " \t");
	for (char *end = value + strlen(value); end > value && (end[-1] == ' ' || end[-1] == '\t'); end--)
		end[-1] = '\0';
	for (const char *c = value; *c != '\0'; c++)
		if ((*c > 0 && *c < ' ' && *c != '\t') || *c == 0x7f)
			return;
	for (unsigned i = 0; i < HEADER_COUNT; i++)
		if (strlen(names[i]) == len && strncasecmp(names[i], line, len) == 0)
			request->header[i] = value;
	const char *coding = request->header[HEADER_TRANSFER_ENCODING];
	if (coding != NULL && strcmp(coding, "chunked") != 0)
		request->header[HEADER_TRANSFER_ENCODING] = NULL;
}

/* METHOD TARGET [+SECONDS]; false if it is none. */
static bool
read_line(struct caller_request *request, char *line)
{
	char *rest, *method = strtok_r(line, " ", &rest), *target = strtok_r(NULL, " ", &rest);
	const char *wait = strtok_r(NULL, " ", &rest);
	uint64_t seconds = 0;
	if (method == NULL || target == NULL)
		return false;
	request->method = method;
	request->target = target;
	if (wait != NULL && *wait == '+' && text_read_uint(wait + 1, strlen(wait + 1), WAIT_MOST_S, &seconds))
		caller_wait((int64_t)seconds * 1000);
	return true;
}

static void
send_request(char *text, size_t len)
{
	struct caller_request request = {0};
	const cJSON *json;
	char *line = text, *end = memchr(line, '\n', len);
	*end = '\0';
	if (!read_line(&request, line))
		return;
	for (line = end + 1; line < text + len && *line != '\n'; line = end + 1) {
		end = memchr(line, '\n', (size_t)(text + len - line));
		*end = '\0';
		read_header(&request, line);
	}
	/* Behind the empty line, without the line end that fill put there. */
	if (line + 1 < text + len) {
		request.body = line + 1;
		request.body_len = (size_t)(text + len - 1 - request.body);
	}
	const struct call *call = caller_send(&request, &json);
	learn_all(call, json);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *end = at + size;
	memset(words, 0, sizeof words);
	caller_begin();
	for (unsigned i = 0; i < REQUESTS_MOST && at < end; i++) {
		const char *stop = memmem(at, (size_t)(end - at), "\n.\n", 3);
		size_t len = (size_t)((stop == NULL ? end : stop) - at);
		struct text text = fill(at, len);
		send_request(text.bytes, text.len);
		text_free(&text);
		at = stop == NULL ? end : stop + 3;
	}
	caller_end();
	return 0;
}
