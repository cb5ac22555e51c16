# The daemon from outside: pytest against the real binary, every reply checked against the contract.
EXTRA_DIST += openapi/openapi.json
