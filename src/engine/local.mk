noinst_LIBRARIES += libengine.a
libengine_a_SOURCES = \
	src/engine/bits.h \
	src/engine/cell.h \
	src/engine/halma.c \
	src/engine/halma.h \
	src/engine/halma_judge.c \
	src/engine/halma_moves.h \
	src/engine/halma_path.c \
	src/engine/history.c \
	src/engine/history.h \
	src/engine/iuvo.c \
	src/engine/iuvo.h \
	src/engine/iuvo_judge.c \
	src/engine/iuvo_moves.h \
	src/engine/kernel.h \
	src/engine/kernel_halma.h \
	src/engine/kernel_iuvo.h \
	src/engine/kernel_plain.c \
	src/engine/kernel_popcnt.c \
	src/engine/kernel_table.h \
	src/engine/notation.c \
	src/engine/notation.h \
	src/engine/notation_position.c \
	src/engine/perft.c \
	src/engine/perft.h \
	src/engine/position.c \
	src/engine/position.h \
	src/engine/reason.c \
	src/engine/reason.h \
	src/engine/rules.h \
	src/engine/variant.c \
	src/engine/variant.h \
	src/engine/verdict.c \
	src/engine/verdict.h \
	src/engine/zobrist.h
