/*
 * What TLS listeners show: a chain of certificates and the key of its first, from
 * two PEM files that can be read again while the server serves.  A reading is
 * checked whole before it counts; each connection holds the one that it began with.
 */
#ifndef IUVOD_HTTP_CERTIFICATE_H
#define IUVOD_HTTP_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct certificate;
struct certificate_reading;

enum certificate_file { CERTIFICATE_CHAIN, CERTIFICATE_KEY, CERTIFICATE_FILES };

struct certificate_paths {
	const char *of[CERTIFICATE_FILES]; /* outlive the certificate */
};

/*
 * Reads the files.  NULL with the file that is at fault and a line in why[room]:
 * one is missing, too long or no PEM, the key may be read by everybody, or it is not that of the first certificate.
 */
struct certificate *certificate_open(
    const struct certificate_paths *paths, enum certificate_file *wrong, char *why, size_t room);

/* Reads them again, for connections that begin after this; false in the same way, and all is as it was.  One thread. */
bool certificate_read(struct certificate *certificate, enum certificate_file *wrong, char *why, size_t room);

/* Logs which certificate is shown, and warns of one that is not valid now. */
void certificate_log(struct certificate *certificate);

/* Until when the certificate that is shown is valid, in milliseconds since 1970.  Any thread. */
int64_t certificate_until_ms(struct certificate *certificate);

/* NULL is allowed.  Readings that are held stay. */
void certificate_close(struct certificate *certificate);

/* The reading that counts now, and the end of its use.  Any thread. */
struct certificate_reading *certificate_hold(struct certificate *certificate);
void certificate_release(struct certificate_reading *reading);

/* A gnutls_certificate_credentials_t, for gnutls_credentials_set as long as the reading is held. */
struct gnutls_certificate_credentials_st *certificate_credentials(const struct certificate_reading *reading);

#endif
