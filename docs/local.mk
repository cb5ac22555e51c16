# What is installed beside the binary: manual pages, the contract, completion of the shell, and the documents.
EXTRA_DIST += tools/manual tools/metrics docs/iuvod.bash tests/tree/test_install.py
CLEANFILES += docs/iuvod.1 docs/iuvod.7

man_MANS = docs/iuvod.1 docs/iuvod.7
MANUAL = $(AM_V_GEN)$(MKDIR_P) docs && manual() { $(PYTHON) $(srcdir)/tools/manual "$$@" >$@.new && mv $@.new $@; } && manual

docs/iuvod.1: $(srcdir)/tools/manual iuvod$(EXEEXT)
	$(MANUAL) commands $(PACKAGE_VERSION) ./iuvod$(EXEEXT)
docs/iuvod.7: $(srcdir)/tools/manual $(srcdir)/docs/RULES.md $(srcdir)/README.md
	$(MANUAL) rules $(PACKAGE_VERSION) $(srcdir)/docs/RULES.md

# Writes the tables of options and limits into README.md, and that of metrics into its page, as the program has them.
readme: iuvod$(EXEEXT)
	@$(PYTHON) $(srcdir)/tools/manual readme $(srcdir)/README.md ./iuvod$(EXEEXT) >README.new
	@if cmp -s README.new $(srcdir)/README.md; then rm README.new; else mv README.new $(srcdir)/README.md; fi
	@$(PYTHON) $(srcdir)/tools/metrics $(srcdir)/src/base/metric.h $(srcdir)/docs/METRICS.md >METRICS.new
	@if cmp -s METRICS.new $(srcdir)/docs/METRICS.md; then rm METRICS.new; else mv METRICS.new $(srcdir)/docs/METRICS.md; fi
.PHONY: readme

contractdir = $(datadir)/iuvod
contract_DATA = openapi/openapi.json
doc_DATA = README.md docs/HTTP.md docs/METRICS.md docs/PROMISES.md docs/RULES.md

completiondir = $(datadir)/bash-completion/completions
install-data-local: docs/iuvod.bash
	$(MKDIR_P) '$(DESTDIR)$(completiondir)'
	$(INSTALL_DATA) $(srcdir)/docs/iuvod.bash '$(DESTDIR)$(completiondir)/iuvod'
uninstall-local:
	rm -f '$(DESTDIR)$(completiondir)/iuvod'
	-rmdir '$(DESTDIR)$(contractdir)' '$(DESTDIR)$(docdir)' 2>/dev/null

if SYSTEMD_UNITS
systemdsystemunit_DATA = packaging/iuvod.service packaging/iuvod.socket
endif

EXTRA_DIST += tools/package tests/tree/test_debian.py \
	packaging/debian/changelog \
	packaging/debian/control \
	packaging/debian/copyright \
	packaging/debian/iuvod.default \
	packaging/debian/iuvod.postrm \
	packaging/debian/rules \
	packaging/debian/source/format
