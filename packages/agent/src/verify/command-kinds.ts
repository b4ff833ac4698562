// Recognizes commands that test, build, check types or lint, and commands that cannot change a file.
import { programWords } from './shell.ts'

export type RunKind = 'test' | 'build' | 'types' | 'lint'

interface KindRow {
  kind: RunKind
  /** Matches the program and its arguments, joined by spaces. */
  pattern: RegExp
}

/** The first row that matches decides. */
const kindRows: readonly KindRow[] = [
  {
    kind: 'lint',
    pattern:
      /^(eslint|oxlint|stylelint|standard|xo|tslint|flake8|pylint|golangci-lint|rubocop|shellcheck|pycodestyle|hadolint|markdownlint\S*)( |$)|^ruff( (check|format --check).*)?$|^biome (check|lint|ci)|^(prettier|black|isort|oxfmt|gofmt|rustfmt)\b.*(--check|--list-different|-l\b|-c\b)|^go vet|^cargo (clippy|fmt.*--check)|^(npm|yarn|pnpm|bun|deno)( run)? \S*(lint|format:check|fmt:check|check:format|style)\S*|^deno lint|^(make|just|task|rake|gradle|\.?gradlew) \S*lint\S*|^mvn .*checkstyle/,
  },
  {
    kind: 'types',
    pattern:
      /^(tsc|vue-tsc|mypy|pyright|pyre|flow|basedpyright|svelte-check)( |$)|^cargo check|^(npm|yarn|pnpm|bun)( run)? \S*(typecheck|type-check|check-types|check:types|types|tsc)\S*|^deno check|^(make|just) (typecheck|types|mypy)/,
  },
  {
    kind: 'test',
    pattern:
      /^(vitest|jest|mocha|ava|tap|jasmine|karma|pytest|py\.test|unittest|tox|nox|nose2?|rspec|phpunit|pest|ctest|bats|busted|minitest|testcafe|wtr|uvu|tape|prove|robot)( |$)|^(npm|yarn|pnpm|bun|deno) (t|tst|test)( |$)|^(npm|yarn|pnpm|bun)( run(-script)?)? \S*test\S*|^npm (cit|it)( |$)|^go test|^gotestsum|^cargo (test|nextest|t)( |$)|^node\b.*(--test\b|\btests?\/|[\w.-]*(\.|-|_)(test|spec)\.\w+|\btest\.[cm]?[jt]s\b)|^(tsx|ts-node|bun|deno run) .*(\.|-|_|\/)(test|spec)s?\b|^(make|just|task|rake|ninja|bazel|zig build|dune|mix|swift|flutter|dart|dotnet|sbt|lein|stack|cabal|meson) (-\S+ (\S+ )?)*\S*(test|spec)\S*|^make check|^(gradle|gradlew|mvn|mvnw)\b.*\b(test|check|verify)\b|^(playwright|cypress) (test|run)|^python[\d.]* (\S*\/)?(tests?\/|test_|run_?tests)\S*|^python[\d.]* \S*_test\.py|^(sh|bash|zsh) \S*tests?\S*|^\S*(run[-_]?)?tests?(\.sh)?$|^manage\.py test|^python[\d.]* manage\.py test/,
  },
  {
    kind: 'build',
    pattern:
      /^(npm|yarn|pnpm|bun)( run)? \S*(build|compile|bundle)\S*|^(webpack|rollup|esbuild|rolldown|tsup|tsdown|parcel|gcc|g\+\+|clang\+?\+?|cc|javac|kotlinc|rustc|ninja|xcodebuild|msbuild|swiftc)( |$)|^(vite|next|nuxt|astro|remix|expo|ng|vue-cli-service|bazel|docker|buildah|podman|swift|dotnet|zig|stack|cabal|flutter|dune|turbo run|nx|lerna run) (build|compile|assemble)|^cargo (build|b|rustc)( |$)|^go (build|install)|^make( (all|build|-j\S*|install))*$|^cmake --build|^(mvn|mvnw)\b.*\b(package|compile|install)\b|^(gradle|gradlew)\b.*\b(build|assemble|classes)\b|^(build|compile)( |$)|^\S*build\S*\.sh/,
  },
]

export function kindOf(words: readonly string[]): RunKind | undefined {
  const line = programWords(words).join(' ')
  return kindRows.find(({ pattern }) => pattern.test(line))?.kind
}

/** Words that select some tests: a file, a folder, a name. */
export function isPartialRun(words: readonly string[]): boolean {
  const [program = '', ...args] = programWords(words)
  if (/^(go|cargo)$/.test(program)) {
    const rest = args.slice(1)
    return (
      rest.some((word) => /^(-run|--test|-p|--package)$/.test(word)) ||
      rest.some((word) => !word.startsWith('-') && !word.includes('...') && word !== '.')
    )
  }
  return args.some(
    (word, index) =>
      /^(-t|-k|--grep|-g|--testNamePattern|--test-name-pattern|--filter|-run|--only|--testPathPattern)(=|$)/.test(
        word,
      ) ||
      (/[\w-]+(\.|_|-)(test|spec)s?\.\w+|::|test_\w+\.py/.test(word) &&
        !/[*?]/.test(word) &&
        args[index - 1] !== '-c'),
  )
}

/** Programs that only read. A command of others may have changed files. */
const readers =
  /^(ls|ll|cat|bat|head|tail|less|more|grep|egrep|fgrep|rg|ag|ack|find|fd|tree|wc|sort|uniq|cut|tr|awk|gawk|jq|yq|diff|cmp|stat|file|du|df|pwd|cd|echo|printf|true|false|test|\[|which|type|whoami|id|date|env|printenv|uname|sleep|seq|xxd|hexdump|od|basename|dirname|realpath|readlink|sha\d+sum|md5sum|ps|top|uptime|curl|ping|exit|set|export|source|nl|column|comm|join|paste|expr|tput|clear|history|man|help|gh|rm|mv|cp|touch|mkdir|rmdir|tee|ln|chmod|git|sed|kill|wait|trap|return|for|do|done|if|then|fi|else|while|until|case|esac)$/

/** Subcommands of git that change the working tree in ways that the command does not name. */
const treeChangingGit =
  /^git (checkout|switch|reset|stash|pull|merge|rebase|cherry-pick|revert|apply|am|restore|clean)\b/

/** Whether a command may have changed files that its words do not name. */
export function mayChangeUnnamedFiles(words: readonly string[]): boolean {
  const program = programWords(words)
  const [name = ''] = program
  const line = program.join(' ')
  if (name === '' || kindOf(words) !== undefined) return /--(fix|write)\b/.test(line)
  if (treeChangingGit.test(line)) return true
  if (/^(npm|yarn|pnpm|bun) (ls|list|outdated|view|audit|why|info|--version|-v)\b/.test(line))
    return false
  if (/(^| )(--version|-v|-V|--help|-h)$/.test(line)) return false
  if (/^(node|python[\d.]*|ruby|perl|deno|bun|php) (-e|-c|-p|eval|-pe)\b/.test(line)) {
    return /write|open\(|unlink|remove|rename|mkdir|append|fs\.|>\s|-i\b|save|dump/.test(line)
  }
  return !readers.test(name)
}
