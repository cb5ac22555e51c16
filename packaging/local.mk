# The units of systemd, with the paths of this installation in them; nginx in front of the service.
EXTRA_DIST += packaging/iuvod.service.in packaging/iuvod.socket packaging/nginx.conf
CLEANFILES += packaging/iuvod.service

all-local: packaging/iuvod.service
packaging/iuvod.service: packaging/iuvod.service.in Makefile
	@$(MKDIR_P) packaging
	@sed -e 's,[@]bindir@,$(bindir),g' -e 's,[@]localstatedir@,$(localstatedir),g' -e 's,[@]sysconfdir@,$(sysconfdir),g' \
		$(srcdir)/packaging/iuvod.service.in >$@.new && mv $@.new $@
