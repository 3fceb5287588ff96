# make, or make help, lists what there is.

PREFIX ?= /usr/local
DESTDIR ?=

program ?= .build/release/tacit

.PHONY: help deps release check generated demo bench soak attack keys fuzz peers install uninstall deb dist clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 16

deps: ## install missing Debian packages, or say which
	@scripts/deps

release: deps ## build .build/release/tacit
	@scripts/build --product tacit

check: ## everything that must pass before a change lands
	@scripts/deps check
	@scripts/check

generated: deps ## write man and completions anew from the command model
	@scripts/generate

demo: release ## run a conversation through a local relay, and record it in docs/demo.svg
	@scripts/demo $(program)

bench: release ## measure, and print one table
	@scripts/build --product client-bench
	@scripts/build --product relay-bench
	@scripts/build --product post-quantum-bench
	@Benchmarks/run $(if $(QUEUES),--queues $(QUEUES))

soak: release ## send, keep and move while everything is killed; 10,000 messages in a simulation
	@Tests/Soak/soak.py --verbose
	@Tests/Soak/keeping.py --verbose
	@Tests/Soak/moving.py --verbose
	@swift build --build-tests
	@TACIT_LONG_SIMULATION=1 .build/debug/tacitPackageTests.xctest --testing-library swift-testing \
	    --filter SimulationTests >.build/simulation.log 2>&1 || { grep -E '✘|↳' .build/simulation.log; exit 1; }
	@grep 'Test run with' .build/simulation.log

attack: release ## attack relay, client and store for TIME=600 seconds each, only CASE=name, only FLOODS=name,name
	@swift build --product attacker
	@TACIT_SECONDS=$(or $(TIME),600) TACIT_FLOODS="$(FLOODS)" Tests/Scripts/run --in Tests/Attack $(CASE)

keys: release ## type at random in a session while messages pour in: TIME=1800 seconds, SEED=number
	@folder=$$(mktemp -d) && cd $$folder && TACIT=$(CURDIR)/$(program) TACIT_REPOSITORY=$(CURDIR) HOME=$$folder \
	    PYTHONPATH=$(CURDIR)/Tests/Scripts TACIT_SECONDS=$(or $(TIME),1800) $(if $(SEED),TACIT_SEED=$(SEED)) \
	    python3 $(CURDIR)/Tests/Soak/keys.py

fuzz: ## feed hostile bytes to every decoder: TIME=60 seconds each, or only TARGET=name
	@scripts/fuzz $(or $(TIME),60) $(TARGET)

peers: release ## talk to the independent agent in PEER=folder, and over RELAY=smp://... too
	@Tests/Peers/matrix.py $(if $(PEER),--peer $(PEER)) $(if $(PYTHON),--python $(PYTHON)) \
	    $(foreach relay,$(RELAY),--relay '$(relay)') $(if $(MESSAGES),--messages $(MESSAGES))

# Who installs as root need not have Swift there: what was built is not built again.
$(program):
	@$(MAKE) --no-print-directory release

install: | $(program) ## install under PREFIX (/usr/local), staged in DESTDIR
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install $(program)

uninstall: ## remove what install has put there
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install --remove

deb: | $(program) ## make a package for Debian in .build/packages
	@scripts/package deb $(program)

dist: ## make an archive of the committed source in .build/packages
	@scripts/package dist

clean: ## remove everything that was built
	rm -rf .build
