import { expect, it } from 'vitest'
import { kindOfLine, type RunKind } from './commands.ts'

const lines: Readonly<Record<RunKind, readonly string[]>> = {
  lint: [
    ...['eslint .', 'npx oxlint src', 'stylelint "**/*.css"', 'standard', 'xo', 'tslint -p .'],
    ...['markdownlint README.md', 'markdownlint-cli2 docs', 'flake8 src', 'pylint app'],
    ...['pycodestyle app.py', 'golangci-lint run', 'bundle exec rubocop', 'shellcheck a.sh'],
    ...['hadolint Dockerfile', 'npm run lint', 'npm run lint:tests', 'yarn format:check'],
    ...['pnpm run fmt:check', 'bun run check:format', 'npm run code-style', 'ruff', 'ruff check .'],
    ...['ruff format --check', 'biome check', 'biome lint', 'biome ci .', 'go vet ./...'],
    ...['deno lint', 'prettier --check .', 'black . --check', 'isort --check-only .'],
    ...['oxfmt --list-different', 'gofmt -l .', 'rustfmt -c .', 'prettier src -c', 'cargo clippy'],
    ...['cargo fmt -- --check', 'deno run lint', 'deno run fmt:check', 'deno check:format'],
    ...['deno code-style', 'make lint', 'just lint', 'task go-lint', 'rake lint', 'gradle lint'],
    ...['./gradlew lint', 'mvn -q checkstyle:check', 'npm --prefix web run lint'],
  ],
  types: [
    ...['tsc', 'npx tsc --noEmit', 'vue-tsc -b', 'svelte-check', 'flow check', 'mypy src'],
    ...['pyright', 'basedpyright', 'pyre check', 'npm run typecheck', 'yarn type-check'],
    ...['pnpm check-types', 'bun run check:types', 'npm run types', 'npm run build-tsc'],
    ...['cargo check', 'deno check main.ts', 'make typecheck', 'just types', 'make mypy'],
    ...['python3 -m mypy src', 'npm run-script typecheck'],
  ],
  test: [
    ...['vitest', 'npx jest --ci', 'mocha', 'ava', 'tap', 'tape test.js', 'uvu', 'jasmine'],
    ...['karma start', 'testcafe chrome', 'wtr', 'pytest -q', 'py.test', 'python -m unittest'],
    ...['tox', 'nox', 'nose', 'nose2', 'rspec', 'minitest', 'vendor/bin/phpunit', 'pest', 'ctest'],
    ...['bats a.bats', 'busted', 'prove -l', 'robot suite', 'npm test', 'npm t', 'npm tst'],
    ...['npm run test:unit', 'yarn test', 'pnpm -r test', 'pnpm --filter web test', 'bun test'],
    ...['npm --workspace web test', 'npm -w web test', 'pnpm -F web test', 'yarn --cwd web test'],
    ...[
      'pnpm -C web test',
      'pnpm --dir=web test',
      'yarn workspace web test',
      'pnpm recursive test',
    ],
    ...['yarn workspaces foreach test', 'npm --prefix web t', 'deno test', 'nx test web'],
    ...['turbo run test', 'nx run-many --target test', 'lerna run test', 'nx affected -t test'],
    ...['npm cit', 'npm it', 'go test ./...', 'gotestsum', 'cargo test', 'cargo nextest run'],
    ...['cargo t', 'playwright test', 'cypress run', 'node --test', 'node test/a.js'],
    ...['node tests/a.js', 'node a.spec.js', 'node a-test.mjs', 'node test.mjs', 'tsx a.test.ts'],
    ...['ts-node src/a.spec.ts', 'bun a/tests', 'deno run a.test.ts', 'python tests/all.py'],
    ...['python3 test_a.py', 'python run_tests.py', 'python app_test.py', 'sh tests.sh'],
    ...['bash run-tests.sh', 'zsh ./test', './test', './run-tests.sh', './run_test', 'make test'],
    ...['just test', 'task test', 'rake spec', 'ninja test', 'bazel test //...', 'zig build test'],
    ...['dune test', 'mix test', 'swift test', 'flutter test', 'dart test', 'dotnet test'],
    ...['sbt test', 'lein test', 'stack test', 'cabal test', 'meson test', 'make -C build test'],
    ...['make check', 'gradle test', './gradlew check', 'mvn -q verify', './mvnw test'],
    ...['manage.py test', 'python manage.py test'],
  ],
  build: [
    ...['webpack', 'npx rollup -c', 'esbuild a.ts', 'rolldown', 'tsup', 'tsdown', 'parcel a.html'],
    ...['ninja', './build', 'compile', 'gcc a.c', 'g++ a.cc', 'clang a.c', 'clang++ a.cc'],
    ...['cc a.c', 'javac A.java', 'kotlinc a.kt', 'rustc a.rs', 'swiftc a.swift', 'xcodebuild'],
    ...['msbuild', 'npm run build', 'npm run compile', 'yarn bundle', 'vite build', 'next build'],
    ...['ng build', 'vue-cli-service build', 'nx build web', 'turbo run build', 'expo compile'],
    ...['bazel build //...', 'docker build .', 'swift build', 'dotnet build', 'zig build'],
    ...['cargo build', 'cargo b', 'cargo rustc', 'go build ./...', 'go install', 'make'],
    ...['cmake --build out', 'make all', 'make -j4', 'make build', 'make install'],
    ...['mvn -q package', './mvnw compile', 'gradle build', './gradlew assemble'],
    ...['gradle classes', './scripts/build-all.sh', 'nuxt build', 'astro build', 'remix build'],
  ],
}

it.each(Object.entries(lines))('knows the command lines that %s', (kind, list) => {
  expect(list.filter((line) => kindOfLine(line) !== kind)).toEqual([])
})

it.each([
  ...['ls', 'npm install eslint', 'npm start', 'git commit -m test', 'cat test.log', 'prettier .'],
  ...['prettier --write .', 'cargo run', 'go run .', 'deno fmt', 'make clean', 'docker ps'],
  ...['node a.js', 'python a.py', 'bash deploy.sh', 'mvn clean', 'gradle clean', 'vite', 'echo'],
  ...['ruff format', 'biome format', 'playwright install', 'cypress open', 'nx graph', 'FOO=1'],
  ...['eslint-config', 'tscx', 'jests', 'gccx', ''],
])('knows no kind of %j', (line) => {
  expect(kindOfLine(line)).toBeUndefined()
})

it.each([
  ...['--help', '--version', '--dry-run', '--list', '--listTests', '--list-tests', '--no-run'],
  ...['--collect-only', '--co', '--showConfig', '--show-config', '--print-config', '--init'],
])('knows that %s runs nothing', (option) => {
  expect([`npx vitest ${option}`, `tsc ${option}`].map(kindOfLine)).toEqual([undefined, undefined])
})

it.each([
  ['npm run build && npm test', 'build'],
  ['cd app; npm test | tail -5', 'test'],
  ['npm ci && npx eslint . && npx tsc', 'lint'],
])('takes the first known kind of %j: %s', (line, kind) => {
  expect(kindOfLine(line)).toBe(kind)
})
