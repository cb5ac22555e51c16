noinst_LIBRARIES += libengine.a
libengine_a_CPPFLAGS = $(AM_CPPFLAGS) 
libengine_a_SOURCES = \
	src/engine/variant.c \
	src/engine/variant.h \
	src/engine/verdict.c \
	src/engine/verdict.h \
	src/engine/cell.h \
	src/engine/position.h \
	src/engine/history.h \
	src/engine/notation.h \
	src/engine/perft.h
