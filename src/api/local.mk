noinst_LIBRARIES += libapi.a
libapi_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
libapi_a_SOURCES = \
	src/api/accept.c \
	src/api/accept.h \
	src/api/advice.c \
	src/api/advice.h \
	src/api/analysis.c \
	src/api/board.h \
	src/api/board_plan.c \
	src/api/board_plan.h \
	src/api/board_svg.c \
	src/api/board_svg.h \
	src/api/board_svg_board.c \
	src/api/board_svg_style.c \
	src/api/board_text.c \
	src/api/board_words.c \
	src/api/board_words.h \
	src/api/body.c \
	src/api/body.h \
	src/api/call.c \
	src/api/call.h \
	src/api/claim.c \
	src/api/contract.h \
	src/api/create.c \
	src/api/cursor.c \
	src/api/cursor.h \
	src/api/document.c \
	src/api/document.h \
	src/api/document_offer.c \
	src/api/document_position.c \
	src/api/etag.c \
	src/api/etag.h \
	src/api/events.c \
	src/api/field.c \
	src/api/field.h \
	src/api/game.c \
	src/api/games.c \
	src/api/hint.c \
	src/api/import.c \
	src/api/json.c \
	src/api/json.h \
	src/api/me.c \
	src/api/me_events.c \
	src/api/moves.c \
	src/api/page.c \
	src/api/page.h \
	src/api/offers.c \
	src/api/picture.c \
	src/api/play.c \
	src/api/player.c \
	src/api/player.h \
	src/api/player_games.c \
	src/api/players.c \
	src/api/position.c \
	src/api/prefer.c \
	src/api/prefer.h \
	src/api/problem.c \
	src/api/problem.h \
	src/api/problems.c \
	src/api/question.h \
	src/api/quota.c \
	src/api/quota.h \
	src/api/record.c \
	src/api/refusal.c \
	src/api/refusal.h \
	src/api/rematch.c \
	src/api/reply.c \
	src/api/reply.h \
	src/api/report.c \
	src/api/resignation.c \
	src/api/resources.h \
	src/api/retry.c \
	src/api/retry.h \
	src/api/root.c \
	src/api/route.c \
	src/api/route.h \
	src/api/scan.c \
	src/api/scan.h \
	src/api/scan_inside.h \
	src/api/scan_number.c \
	src/api/scan_string.c \
	src/api/schema.c \
	src/api/schema.h \
	src/api/seat.c \
	src/api/stream.c \
	src/api/stream.h \
	src/api/stream_call.c \
	src/api/stream_call.h \
	src/api/subject.c \
	src/api/subject.h \
	src/api/target.c \
	src/api/target.h \
	src/api/terms.c \
	src/api/terms.h \
	src/api/test_clock.c \
	src/api/variants.c \
	src/api/withdrawal.c \
	src/api/words.c \
	src/api/words.h \
	src/api/writer.c \
	src/api/writer.h

# The contract, served as it is.
nodist_libapi_a_SOURCES = src/api/contract_json.c
CLEANFILES += src/api/contract_json.c
src/api/contract_json.c: $(srcdir)/openapi/openapi.json $(srcdir)/tools/embed
	$(EMBED) bytes contract_json $(srcdir)/openapi/openapi.json
