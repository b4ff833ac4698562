// The table of commands that test, build, check types or lint. To teach verify a tool, add its name to
// `programs`, or the beginning of its command line to `lines`.
import { sourceOf } from '../wording/wording.ts'

export type RunKind = 'test' | 'build' | 'types' | 'lint'

interface KindRow {
  kind: RunKind
  /** Programs that do nothing else. */
  programs: readonly string[]
  /** Words in the name of a script of package.json. */
  scripts: readonly string[]
  /** Beginnings of a command line, with the syntax of regular expressions. */
  lines: readonly string[]
}

/** Options that choose packages, with their values: `pnpm -r --filter web test`, `yarn workspace web test`. */
const packageOptions =
  '( (--prefix|-w|--workspace|--filter|-F|-C|--dir|--cwd)[= ]\\S+| -\\S+| workspaces?( foreach)?( [\\w@/.-]+(?= ))?| recursive)*'
const packageManager = `(npm|yarn|pnpm|bun)${packageOptions}( run(-script)?)?`

/** The first row that matches decides: `npm run lint:tests` lints. */
const kindRows: readonly KindRow[] = [
  {
    kind: 'lint',
    programs: [
      ...['eslint', 'oxlint', 'stylelint', 'standard', 'xo', 'tslint', 'markdownlint\\S*'],
      ...['flake8', 'pylint', 'pycodestyle', 'golangci-lint', 'rubocop', 'shellcheck', 'hadolint'],
    ],
    scripts: ['lint', 'format:check', 'fmt:check', 'check:format', 'style'],
    lines: [
      ...['ruff( (check|format --check).*)?$', 'biome (check|lint|ci)', 'go vet', 'deno lint'],
      '(prettier|black|isort|oxfmt|gofmt|rustfmt)\\b.*(--check|--list-different|-l\\b|-c\\b)',
      'cargo (clippy|fmt.*--check)',
      'deno( run)? \\S*(lint|format:check|fmt:check|check:format|style)',
      '(make|just|task|rake|gradle|\\.?gradlew) \\S*lint',
      'mvn .*checkstyle',
    ],
  },
  {
    kind: 'types',
    programs: [
      ...['tsc', 'vue-tsc', 'svelte-check', 'flow', 'mypy', 'pyright', 'basedpyright', 'pyre'],
    ],
    scripts: ['typecheck', 'type-check', 'check-types', 'check:types', 'types', 'tsc'],
    lines: ['cargo check', 'deno check', '(make|just) (typecheck|types|mypy)'],
  },
  {
    kind: 'test',
    programs: [
      ...['vitest', 'jest', 'mocha', 'ava', 'tap', 'tape', 'uvu', 'jasmine', 'karma', 'testcafe'],
      ...['wtr', 'pytest', 'py\\.test', 'unittest', 'tox', 'nox', 'nose2?', 'rspec', 'minitest'],
      ...['phpunit', 'pest', 'ctest', 'bats', 'busted', 'prove', 'robot'],
    ],
    scripts: ['test'],
    lines: [
      `(npm|yarn|pnpm|bun|deno)${packageOptions} (t|tst|test)( |$)`,
      '(nx|turbo|lerna)( run| run-many| affected)?( -\\S+)* \\S*test',
      'npm (cit|it)( |$)',
      ...['go test', 'gotestsum', 'cargo (test|nextest|t)( |$)', '(playwright|cypress) (test|run)'],
      // Files that are tests by their name.
      'node\\b.*(--test\\b|\\btests?\\/|[\\w.-]*(\\.|-|_)(test|spec)\\.\\w+|\\btest\\.[cm]?[jt]s\\b)',
      '(tsx|ts-node|bun|deno run) .*(\\.|-|_|\\/)(test|spec)s?\\b',
      'python[\\d.]* (\\S*\\/)?(tests?\\/|test_|run_?tests)',
      'python[\\d.]* \\S*_test\\.py',
      '(sh|bash|zsh) \\S*tests?',
      '\\S*(run[-_]?)?tests?(\\.sh)?$',
      // Targets of build tools.
      '(make|just|task|rake|ninja|bazel|zig build|dune|mix|swift|flutter|dart|dotnet|sbt|lein|stack|cabal|meson) (-\\S+ (\\S+ )?)*\\S*(test|spec)',
      'make check',
      '(gradle|gradlew|mvn|mvnw)\\b.*\\b(test|check|verify)\\b',
      '(python[\\d.]* )?manage\\.py test',
    ],
  },
  {
    kind: 'build',
    programs: [
      ...['webpack', 'rollup', 'esbuild', 'rolldown', 'tsup', 'tsdown', 'parcel', 'ninja', 'build'],
      ...[
        'compile',
        'gcc',
        'g\\+\\+',
        'clang\\+?\\+?',
        'cc',
        'javac',
        'kotlinc',
        'rustc',
        'swiftc',
      ],
      ...['xcodebuild', 'msbuild'],
    ],
    scripts: ['build', 'compile', 'bundle'],
    lines: [
      '(vite|next|nuxt|astro|remix|expo|ng|vue-cli-service|nx|turbo run|lerna run) (build|compile|assemble)',
      '(bazel|docker|buildah|podman|swift|dotnet|zig|stack|cabal|flutter|dune) (build|compile|assemble)',
      ...['cargo (build|b|rustc)( |$)', 'go (build|install)', 'cmake --build'],
      'make( (all|build|-j\\S*|install))*$',
      '(mvn|mvnw)\\b.*\\b(package|compile|install)\\b',
      '(gradle|gradlew)\\b.*\\b(build|assemble|classes)\\b',
      '\\S*build\\S*\\.sh',
    ],
  },
]

const patterns = kindRows.map(({ kind, programs, scripts, lines }) => ({
  kind,
  pattern: new RegExp(
    `^(?:(${sourceOf(programs)})( |$)|${packageManager} \\S*(${sourceOf(scripts)})|${sourceOf(lines)})`,
  ),
}))

/** The kind of a program with its arguments, joined by spaces. */
export function kindOfProgram(line: string): RunKind | undefined {
  return patterns.find(({ pattern }) => pattern.test(line))?.kind
}
