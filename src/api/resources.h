/* The handlers of the route table, one pair each (see struct route). */
#ifndef IUVOD_API_RESOURCES_H
#define IUVOD_API_RESOURCES_H

#include "api/route.h"

#define R(method, template, lane, quota, who, body, size, parameters, media, handler) \
	enum fault handler##_prepare(struct call *call); \
	enum fault handler##_run(struct call *call);
#define A(template, to, media, handler) \
	enum fault handler##_prepare(struct call *call); \
	enum fault handler##_run(struct call *call);
ROUTE_TABLE(R, A)
#undef R
#undef A

/* A prepare that has nothing to do. */
#define RESOURCE_NOTHING_TO_PREPARE(handler) \
	enum fault handler##_prepare(struct call *call) \
	{ \
		(void)call; \
		return FAULT_NONE; \
	}

#endif
