# Builds libposenc and posencd; `make help` lists the targets. Yours to set, and only ever added to:
# CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LDLIBS PREFIX LIBDIR UNITDIR DESTDIR. V=1 shows commands, WERROR=1
# refuses warnings, TESTS='core http' picks tests; SANITIZE=address,undefined or SANITIZE=thread
# builds beside the plain build, in a folder of that name.

.DEFAULT_GOAL := all
.SECONDEXPANSION:
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run setup test check bench fuzz soak format analyze install uninstall clean help always

ifeq ($(MAKECMDGOALS),fuzz)
CC       := clang
SANITIZE := address,undefined,fuzzer-no-link
endif

BUILD   := build$(if $(SANITIZE),/$(SANITIZE))
Q       := $(if $(V),,@)
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
UNITDIR ?= $(PREFIX)/lib/systemd/system
VERSION := $(shell sed -n 's/^.define POSENC_VERSION "\(.*\)"/\1/p' core/posenc.h)
comma   := ,
SONAME  := libposenc.so.$(firstword $(subst ., ,$(VERSION)))

ifeq ($(origin CXX),default)
CXX := $(if $(findstring clang,$(CC)),$(subst clang,clang++,$(CC)),g++)
endif

CORE     := $(wildcard core/*.c core/*/*.c)
HANDLERS := $(wildcard handlers/*.c handlers/*/*.c handlers/*.cc handlers/*/*.cc handlers/*/*.S)
SERVER   := $(wildcard server/*.c)
PUBLIC   := $(wildcard core/posenc*.h)
HEADERS  := $(wildcard core/*.h core/*/*.h handlers/*.h handlers/*/*.h server/*.h)
BENCHES  := $(wildcard tests/bench/bench_*.c)
BENCHED  := $(filter-out $(BENCHES),$(wildcard tests/bench/*.c))
UNITS    := $(wildcard docker/systemd/posencd.*)
FUZZERS  := $(wildcard tests/fuzz/fuzz_*.c)
TESTS    ?= $(sort $(foreach f,$(wildcard tests/*/test_*.c tests/*/*/test_*.c),$(word 2,$(subst /, ,$f))))
objects   = $(1:%=$(BUILD)/%.o)

# A forced exit leaves threads behind on purpose, so the thread sanitizer does not report those.
# Criterion does not start under the thread sanitizer: plain end-to-end tests then meet that server.
SANITIZER      := $(if $(SANITIZE),-fsanitize=$(SANITIZE)$(if $(findstring undefined,$(SANITIZE)),$(comma)float-cast-overflow) -fno-sanitize-recover=all -fno-omit-frame-pointer)
TEST_SANITIZER := $(if $(findstring thread,$(SANITIZE)),,$(SANITIZER))
TESTS_RUN      := $(if $(findstring thread,$(SANITIZE)),$(filter http,$(TESTS)),$(TESTS))

# Each folder sees itself and what stands below it, so that no include can point up.
headers_of        = $(addprefix -I,$(sort $(dir $(wildcard $(1:%=%/*.h) $(1:%=%/*/*.h)))))
INCLUDE_core     := $(call headers_of,core)
INCLUDE_handlers := $(INCLUDE_core) $(call headers_of,handlers)
INCLUDE_server   := $(INCLUDE_handlers) -Iserver
INCLUDE_tests    := $(INCLUDE_server) -Itests $(call headers_of,tests/core) $(call headers_of,tests/handlers)
FLAGS_core       := $(INCLUDE_core) -O3 -fPIC -fno-semantic-interposition $(SANITIZER)
FLAGS_handlers   := $(INCLUDE_handlers) $(SANITIZER)
FLAGS_server     := $(INCLUDE_server) $(SANITIZER)
FLAGS_tests      := $(INCLUDE_tests) $(TEST_SANITIZER) $(if $(SANITIZE),-DSANITIZED)

FLAGS := -O2 -g -fPIE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla \
    $(if $(WERROR),-Werror) $(if $(SANITIZE),,-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
STD_C := -std=c11 -D_GNU_SOURCE -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
C      = $(STD_C) $(FLAGS) $(FLAGS_$(firstword $(subst /, ,$<))) $(CPPFLAGS) $(CFLAGS)
CPP    = -std=c++17 -fno-exceptions -fno-rtti $(FLAGS) $(FLAGS_$(firstword $(subst /, ,$<))) $(CPPFLAGS) $(CXXFLAGS)
LINK   = -Wl,-z,relro,-z,now -Wl,--as-needed $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o %.a,$^)
LIBS   = -ljansson -lpng -lzstd -lz -lm
STATIC = $(if $(SANITIZE),,-static-libstdc++ -static-libgcc)

all: $(BUILD)/posencd $(BUILD)/libposenc.a $(BUILD)/libposenc.so ## build the server and the libraries (the default)

$(BUILD)/%.c.o: %.c Makefile $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "CC    $<"
	$(Q)$(CC) $(C) -MMD -MP -c -o $@ $<

$(BUILD)/%.cc.o: %.cc Makefile $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "CXX   $<"
	$(Q)$(CXX) $(CPP) -MMD -MP -c -o $@ $<

# The explorer's files come in by .incbin, of which the compiler tells nothing.
$(BUILD)/%.S.o: %.S $(wildcard handlers/explorer/*.html handlers/explorer/*.css handlers/explorer/*.js) Makefile $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "AS    $<"
	$(Q)$(CC) $(filter-out -W%,$(CPPFLAGS) $(CFLAGS)) -c -o $@ $<

$(BUILD)/libposenc.a: $(call objects,$(CORE))
	@echo "AR    $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# The map exports posenc_x and hides posenc__x, which core files share among themselves.
$(BUILD)/libposenc.so: $(call objects,$(CORE))
	@echo "LINK  $@"
	@echo '{ global: posenc_[a-z]*; local: *; };' >$(BUILD)/posenc.map
	$(Q)$(CC) -shared $(SANITIZER) -Wl,-soname,$(SONAME) -Xlinker --version-script=$(BUILD)/posenc.map $(LINK) -lm $(LDLIBS)
	@ln -sf libposenc.so $(BUILD)/$(SONAME)

$(BUILD)/posencd: $(call objects,$(SERVER) $(HANDLERS)) $(BUILD)/libposenc.a
	@echo "LINK  $@"
	$(Q)$(CXX) -pie $(SANITIZER) $(STATIC) $(LINK) -lmicrohttpd -lgnutls -lcurl -lseccomp $(LIBS) $(LDLIBS)

# One test program per folder of tests/, linked with the folder it tests and what stands below that.
# Tests of core, as the benchmarks, try all levels of kernels: the question for the best one is theirs.
FORCE_LEVEL    := -Wl,--wrap=posenc__level_best
ALSO           := $(if $(TEST_SANITIZER),$(call objects,tests/leaks.c))
ALSO_core      := $(call objects,tests/bench/forced_level.c)
WITH_core      := $(FORCE_LEVEL)
NEEDS_core     := $(BUILD)/libposenc.a
NEEDS_handlers := $(call objects,$(HANDLERS)) $(NEEDS_core)
NEEDS_server   := $(call objects,$(filter-out server/main.c,$(SERVER))) $(NEEDS_handlers)
NEEDS_http     := $(call objects,$(wildcard tests/handlers/hostile_*.c))
NEEDS_torture  := $(call objects,tests/handlers/ask.c tests/handlers/catalogue_requests.c) $(NEEDS_handlers)
LIBS_torture   := $(if $(SANITIZE),$(foreach f,malloc calloc realloc aligned_alloc free,-Xlinker --wrap=$f))
LIBS_core      := -lmpfr -lgmp
LIBS_server    := -lmicrohttpd -lgnutls -lcurl -lseccomp
LIBS_http      := -lcurl -lgnutls

$(BUILD)/test-%: $$(call objects,$$(wildcard tests/$$*/*.c tests/$$*/*/*.c)) $$(ALSO_$$*) $(ALSO) $$(NEEDS_$$*)
	@echo "LINK  $@"
	$(Q)$(CXX) -pie $(TEST_SANITIZER) $(STATIC) $(WITH_$*) $(LINK) -lcriterion $(LIBS_$*) $(LIBS) $(LDLIBS)

$(BUILD)/bench_%: $(BUILD)/tests/bench/bench_%.c.o $(call objects,$(BENCHED)) $(NEEDS_handlers)
	@echo "LINK  $@"
	$(Q)$(CXX) -pie $(SANITIZER) $(STATIC) $(FORCE_LEVEL) $(LINK) -lmicrohttpd -lmpfr $(LIBS) $(LDLIBS)

# Digests of what every encoding gives, to compare machines (.ci/run does it with arm64).
$(BUILD)/bits: $(call objects,tests/clients/bits.c tests/core/samples.c) $(BUILD)/libposenc.a
	@echo "LINK  $@"
	$(Q)$(CC) -pie $(SANITIZER) $(LINK) -lm $(LDLIBS)

$(BUILD)/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.c.o $(NEEDS_handlers)
	@echo "LINK  $@"
	$(Q)$(CXX) -pie -fsanitize=fuzzer $(SANITIZER) $(LINK) $(LIBS) $(LDLIBS)

$(BUILD)/%.h.alone: %.h Makefile $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)echo '#include "$(CURDIR)/$<"' | $(CC) $(C) -MMD -MP -MT $@ -MF $@.d -x c -c -o $@ -

# Holds the compilers and flags of the last build, so that a change of them rebuilds everything.
$(BUILD)/flags: export NOW = $(CC) $(CXX) $(STD_C) $(FLAGS) $(FLAGS_tests) $(CPPFLAGS) $(CFLAGS) $(CXXFLAGS)
$(BUILD)/flags: always | $(if $(filter run test,$(MAKECMDGOALS)),setup)
	@mkdir -p $(@D) && (echo "$$NOW" | cmp -s - $@ || echo "$$NOW" >$@)

PACKAGES := gcc g++ libmicrohttpd-dev libgnutls28-dev libjansson-dev libpng-dev libseccomp-dev zlib1g-dev libzstd-dev \
    libcurl4-openssl-dev curl \
    $(if $(filter test,$(MAKECMDGOALS)),libcriterion-dev libmpfr-dev)
setup: # where there is no apt-get, these are yours to install
	@command -v apt-get >/dev/null || exit 0; \
	missing=$$(for p in $(PACKAGES); do dpkg-query -W -f '$${Status}' $$p 2>&1 | grep -q 'ok installed' || echo $$p; done); \
	[ -z "$$missing" ] && exit; echo "Installing with apt-get:" $$missing; \
	sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); lock='-o DPkg::Lock::Timeout=300'; \
	$$sudo apt-get $$lock -q update && \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get $$lock -q -y --no-install-recommends install $$missing

URL := http://$(or $(POSENC_LISTEN),127.0.0.1:8080)
run: $(BUILD)/posencd ## install what is missing, build, start the server
	@echo "Try in another terminal:"
	@echo "  curl '$(URL)/v1/sinusoidal?length=4&dim=8&pretty=true'"
	@echo "  curl '$(URL)/v1/rope/apply' -d '{\"dim\": 4, \"layout\": \"half\", \"x\": [[1, 2, 3, 4], [5, 6, 7, 8]]}' \\"
	@echo "       -H 'Content-Type: application/json'"
	@echo "  curl '$(URL)/v1/alibi?heads=8&query_length=6&key_length=6&pretty=true'"
	@exec $(BUILD)/posencd

test: check ## install what is missing, then check

# What a sanitizer says goes into build/report.*, since tests do not show the server's own words.
check: all $(TESTS_RUN:%=$(BUILD)/test-%) $(HEADERS:%=$(BUILD)/%.alone) ## all tests; headers compile alone; exported names
	@failed=0; export POSENCD=$(CURDIR)/$(BUILD)/posencd GOLDEN=$(CURDIR)/tests/golden; \
	$(if $(SANITIZE),,(nm -D --defined-only $(BUILD)/libposenc.so; nm -g --defined-only $(BUILD)/libposenc.a) | \
	    awk 'NF == 3 && $$3 !~ /^posenc_/ {print "exported without the prefix: " $$3; e = 1} END {exit e}' || failed=1; \
	! nm -D $(BUILD)/libposenc.so | grep ' posenc__' || failed=1;) \
	rm -f build/report.*; report=log_path=build/report:exitcode=99; \
	export ASAN_OPTIONS=$$report UBSAN_OPTIONS=$$report:print_stacktrace=1 TSAN_OPTIONS=$$report:halt_on_error=1:report_thread_leaks=0; \
	for test in $(TESTS_RUN); do echo "TEST  $$test"; $(BUILD)/test-$$test || failed=1; done; \
	! cat build/report.* 2>/dev/null || failed=1; exit $$failed

bench: $(BUILD)/posencd $(BENCHES:tests/bench/%.c=$(BUILD)/%) ## measure against the goals; BENCH_SHORT=1 only tries it, BENCH_SAVE=1 keeps it
	@export POSENCD=$(CURDIR)/$(BUILD)/posencd BENCH_SHORT=$(BENCH_SHORT) BENCH_SAVE=$(BENCH_SAVE); \
	tests/bench/report $(filter-out %/posencd,$^)

fuzz: $(FUZZERS:tests/fuzz/%.c=$(BUILD)/%) ## feed the readers of requests random bytes, FUZZ_SECONDS=60 each (clang)
	@for f in $(FUZZERS:tests/fuzz/fuzz_%.c=%); do echo "FUZZ  $$f"; mkdir -p $(BUILD)/corpus/$$f; \
	    $(BUILD)/fuzz_$$f -max_total_time=$(or $(FUZZ_SECONDS),60) -artifact_prefix=$(BUILD)/ \
	    $(BUILD)/corpus/$$f $$(ls -d tests/fuzz/corpus/$$f 2>/dev/null) >$(BUILD)/fuzz_$$f.log 2>&1 || { cat $(BUILD)/fuzz_$$f.log; exit 1; }; done

soak: $(BUILD)/posencd $(BUILD)/test-torture $(BUILD)/test-http ## attacks in full, and good and bad load for SOAK_SECONDS=600
	TORTURE_ALL=1 $(BUILD)/test-torture
	POSENCD=$(BUILD)/posencd GOLDEN=tests/golden ATTACK_ALL=1 $(BUILD)/test-http --filter 'attack_*/*'
	python3 tests/clients/soak.py $(BUILD)/posencd $(or $(SOAK_SECONDS),600)

format: ## show what clang-format would change; FIX=1 changes it
	$(Q)find core handlers server tests -name '*.[ch]' -o -name '*.cc' | xargs clang-format $(if $(FIX),-i,--dry-run -Werror)

# clang-tidy (checks in .clang-tidy) and gcc -fanalyzer file by file, so that -j helps; cppcheck once.
ANALYZED = $(filter-out %.S,$(CORE) $(HANDLERS) $(SERVER))
analyze: $(ANALYZED:%=$(BUILD)/%.tidy) ## static analysis; no finding is tolerated
	@echo "CPPCHECK"
	$(Q)cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    --suppress=missingIncludeSystem $(INCLUDE_server) $(ANALYZED)

$(BUILD)/%.c.tidy: %.c Makefile .clang-tidy $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "TIDY  $<"
	$(Q)clang-tidy --quiet --warnings-as-errors='*' $< -- $(C) 2>/dev/null
	$(Q)gcc $(C) -DANALYZING -fanalyzer -Werror -MMD -MP -MT $@ -MF $@.d -c -o $@ $<

$(BUILD)/%.cc.tidy: %.cc Makefile .clang-tidy $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "TIDY  $<"
	$(Q)clang-tidy --quiet --warnings-as-errors='*' $< -- $(CPP) 2>/dev/null && touch $@

install: all ## install server, libraries, headers, pkg-config file and systemd units below DESTDIR and PREFIX
	install -D $(BUILD)/posencd $(DESTDIR)$(PREFIX)/bin/posencd
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include $(PUBLIC)
	install -D -m 644 $(BUILD)/libposenc.a $(DESTDIR)$(LIBDIR)/libposenc.a
	install -D -m 644 $(BUILD)/libposenc.so $(DESTDIR)$(LIBDIR)/libposenc.so.$(VERSION)
	ln -sf libposenc.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libposenc.so
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' core/posenc.pc.in \
	    >$(DESTDIR)$(LIBDIR)/pkgconfig/posenc.pc
	install -d $(DESTDIR)$(UNITDIR)
	for unit in $(UNITS); do \
	    sed 's|/usr/local/bin/|$(PREFIX)/bin/|' $$unit >$(DESTDIR)$(UNITDIR)/$${unit##*/} || exit; done

uninstall: ## remove what install put down
	rm -f $(addprefix $(DESTDIR)$(UNITDIR)/,$(notdir $(UNITS)))
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/posencd $(PUBLIC:core/%=include/%)) $(addprefix $(DESTDIR)$(LIBDIR)/, \
	    libposenc.a libposenc.so $(SONAME) libposenc.so.$(VERSION) pkgconfig/posenc.pc)

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{printf "  make %-10s %s\n", $$1, $$2}'

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
