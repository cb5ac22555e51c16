/* openapi/openapi.json, embedded by tools/embed. */
#ifndef IUVOD_API_CONTRACT_H
#define IUVOD_API_CONTRACT_H

#include <stddef.h>

extern const unsigned char contract_json[];
extern const size_t contract_json_len;

#endif
