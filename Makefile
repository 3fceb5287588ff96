# make, or make help, lists all targets.

PREFIX ?= /usr/local
DESTDIR ?=

program ?= .build/release/tacit
library ?= .build/release/libsimplex.so

.PHONY: help deps release library check generated texts demo bench soak attack keys sanitize fuzz peers
.PHONY: scenarios install uninstall deb dist clean

help: ## list all targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 16

deps: ## install missing Debian packages, or name them
	@scripts/deps

release: deps ## build .build/release/tacit
	@scripts/build --product tacit

library: deps ## build .build/release/libsimplex.so, the C interface for bots
	@scripts/build --product simplex

check: ## build and run all tests
	@scripts/deps check
	@scripts/check

generated: deps ## write man pages and completions from the command model
	@scripts/generate

texts: deps ## write all text for users to .build/texts.txt, with counts of words to avoid
	@swift build --build-tests
	@scripts/texts
	@scripts/wording --counts .build/texts.txt

demo: release ## run a conversation through a local relay, and record it in docs/demo.svg
	@scripts/demo $(program)

bench: release ## measure speed and memory, and print one table
	@scripts/build --product client-bench
	@scripts/build --product relay-bench
	@scripts/build --product post-quantum-bench
	@Benchmarks/run $(if $(QUEUES),--queues $(QUEUES))

soak: release ## kill processes while messages, files, exports, imports and posts of channels move; simulate messages and SEEDS=200 groups
	@Tests/Soak/soak.py --verbose
	@Tests/Soak/integrity.py --verbose
	@Tests/Soak/moving.py --verbose
	@Tests/Soak/files.py
	@Tests/Soak/channel-relay.py --verbose
	@swift build --build-tests
	@TACIT_LONG_SIMULATION=1 TACIT_SEEDS=$(or $(SEEDS),200) .build/debug/tacitPackageTests.xctest --testing-library swift-testing \
	    --filter SimulationTests >.build/simulation.log 2>&1 || { grep -E '✘|↳' .build/simulation.log; exit 1; }
	@grep 'Test run with' .build/simulation.log

attack: release ## attack relay, client and store: TIME=600 seconds each, CASE=name, FLOODS=name,name
	@swift build --product attacker
	@TACIT_SECONDS=$(or $(TIME),600) TACIT_FLOODS="$(FLOODS)" Tests/Scripts/run --in Tests/Attack $(CASE)

keys: release ## type random keys in a session while messages arrive: TIME=1800 seconds, SEED=number
	@folder=$$(mktemp -d) && cd $$folder && TACIT=$(CURDIR)/$(program) TACIT_REPOSITORY=$(CURDIR) HOME=$$folder \
	    PYTHONPATH=$(CURDIR)/Tests/Scripts TACIT_SECONDS=$(or $(TIME),1800) $(if $(SEED),TACIT_SEED=$(SEED)) \
	    python3 $(CURDIR)/Tests/Soak/keys.py

sanitize: release ## use the C interface from eight threads with the thread sanitizer
	@scripts/sanitize $(program)

fuzz: ## feed random bytes to every decoder: TIME=60 seconds each, TARGET=name
	@scripts/fuzz $(or $(TIME),60) $(TARGET)

peers: release ## test against the independent agent in PEER=folder, also over RELAY=smp://...
	@Tests/Peers/matrix.py $(if $(PEER),--peer $(PEER)) $(if $(PYTHON),--python $(PYTHON)) \
	    $(foreach relay,$(RELAY),--relay '$(relay)') $(if $(MESSAGES),--messages $(MESSAGES))
	$(if $(PEER),@Tests/Peers/files.py --peer $(PEER) $(if $(PYTHON),--python $(PYTHON)))

scenarios: release ## play the chat scenarios of PEER=folder through the official API: REPEAT=times
	@Tests/Peers/scenarios.py --peer $(PEER) $(if $(PYTHON),--python $(PYTHON)) $(if $(REPEAT),--repeat $(REPEAT))

# An existing program is not built again, so that root can install without Swift.
$(program):
	@$(MAKE) --no-print-directory release

install: | $(program) ## install under PREFIX (/usr/local), staged in DESTDIR; SIMPLEX_CHAT=yes adds the link simplex-chat
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' SIMPLEX_CHAT='$(SIMPLEX_CHAT)' scripts/install $(program) $(wildcard $(library))

uninstall: ## remove all installed files
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install --remove

deb: | $(program) ## build a Debian package in .build/packages
	@scripts/package deb $(program)

dist: ## write an archive of the committed source to .build/packages
	@scripts/package dist

clean: ## remove all build products
	rm -rf .build
