// Finds what a clause names: tests, commands, runs, identifiers.
import type { RunKind } from '../commands/commands.ts'
import { findPaths, isPath } from '../paths.ts'
import { sourceOf } from '../wording/wording.ts'

/** Test files, and names in quotes before or after the word test. */
export function findTestNames(text: string): string[] {
  const files = findPaths(text)
    .map(({ path }) => path)
    .filter((path) => /(^|[/._-])(tests?|specs?)([/._-]|$)/i.test(path))
  const names = [...text.matchAll(nameBeforeTest), ...text.matchAll(nameAfterTest)]
    .map(([, name = '']) => name)
    .filter((name) => !isPath(name, true) && !isCommand(name))
  const functions = [...text.matchAll(/`((?:test_|Test)\w+)`/g)].map(([, name = '']) => name)
  const passing = [...text.matchAll(nameThatPasses)]
    .map(([, name = '']) => name)
    .filter((name) => !isPath(name, true) && !isCommand(name) && !isTool(name))
  return [...new Set([...files, ...names, ...functions, ...passing])]
}

const quoted = '[`"\']([^`"\'\\n]{3,80})[`"\']'
const nameBeforeTest = new RegExp(
  `${quoted}(?: (?:unit |regression |integration )?(?:tests?|spec|case))`,
  'gi',
)
/** `adds tax` passes now, "adds tax" no longer fails. */
const nameThatPasses = new RegExp(
  `${quoted}(?: (?:now|also|again|finally))* (?:passes|pass now|passed|succeeds|no longer fails|is (?:now )?(?:green|passing))\\b(?! (?:the|a|an|its|it|this|that|in|to) )`,
  'gi',
)
const nameAfterTest = new RegExp(`(?:tests?|spec|case) (?:named |called )?${quoted}`, 'gi')

/** Programs by which code in an answer is known as a command. */
const programs: readonly string[] = [
  ...['npm', 'npx', 'yarn', 'pnpm', 'bun', 'deno', 'node', 'tsc', 'tsx', 'ts-node', 'vite', 'next'],
  ...['webpack', 'turbo', 'nx', 'eslint', 'oxlint', 'biome', 'prettier', 'vitest', 'jest', 'mocha'],
  ...['playwright', 'cypress', 'python3?', 'pip', 'uv', 'poetry', 'pytest', 'tox', 'ruff', 'mypy'],
  ...['flake8', 'black', 'go', 'cargo', 'zig', 'swift', 'java', 'mvn', 'gradle', 'dotnet', 'mix'],
  ...['ruby', 'bundle', 'rake', 'rails', 'rspec', 'php', 'composer', 'make', 'cmake', 'ctest'],
  ...['just', 'task', 'git', 'docker', 'kubectl', 'helm', 'terraform', 'psql', 'sqlite3'],
  ...['curl', 'grep', 'rg', 'sed', 'ls', 'cat', 'bash', 'sh', '\\./\\S+'],
  // Programs of the project: `bin/rails`, `vendor/bin/phpunit`, `scripts/seed.sh`.
  ...['([\\w.-]+/)*\\.?bin/\\S+', '(scripts?|tools)/\\S+(?= )', '\\w[\\w./-]*\\.sh'],
  ...['zdx', 'zeno', 'zcl', 'zino'],
]
/** Code that names a tool or a script and no test. */
function isTool(name: string): boolean {
  return /^(ci|lint|build|test|tests|check|typecheck|type-check|format|main|master)$/i.test(name)
}

const programStart = new RegExp(`^(${sourceOf(programs)})( |$)`)

export function isCommand(text: string): boolean {
  return programStart.test(text.replace(/^\$\s*/, ''))
}

export function findCommands(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code.replace(/^\$\s*/, '').trim())
    .filter(isCommand)
}

/** Any code after the verb is a command: `I ran \`alembic upgrade head\``. */
export function commandAfterRan(text: string): string | undefined {
  return /\b(?:ran|re-?ran|executed|invoked)(?: the command)? `((?!test_)[a-z][\w.-]* [^`(){}\n]+)`/i.exec(
    text,
  )?.[1]
}

/** Programs that are no English words: `I ran npm install`. */
const bareStart = new RegExp(
  String.raw`\b(?:ran|re-?ran|executed|invoked) (?!go (?!test|build|vet|mod|generate|run|fmt)|make [a-z]+ [a-z]+ [a-z]|next|just|task|black|java\b|swift\b)((?:${sourceOf(programs)})(?: [\w:./=@-]+)*)`,
  'i',
)
const commandEnd =
  / (?:and|to|with|on|in|for|which|but|so|again|once|twice|first|then|after|before|against|over|from|as|at|successfully|without|here|now|locally|too|also)\b.*$/i

/** A command without code marks, at most four words of it. */
export function bareCommand(text: string): string | undefined {
  const found = bareStart
    .exec(text)?.[1]
    ?.replace(commandEnd, '')
    .replace(/[.:,]+$/, '')
  // A sentence may spell a program as a name: `I ran ESLint`.
  const words = found?.split(' ').slice(0, 4)
  return words?.map((word, index) => (index === 0 ? word.toLowerCase() : word)).join(' ')
}

const ranVerbs: readonly string[] = [
  ...['ran', 're-?ran', 'executed', 'running'],
  "(have|has|'ve)( just| now| also)? (re-?)?run",
]
const runAdjectives: readonly string[] = [
  ...['all', 'the', 'full', 'whole', 'entire', 'complete', 'existing', 'unit', 'integration'],
  ...["project's", "repo's", 'both', 'its', 'every'],
]
/** Words for a run after a verb such as ran, by kind. */
const runWords: readonly (readonly [RunKind, readonly string[]])[] = [
  ['test', ['tests?', 'test suite', 'suite', 'specs?']],
  ['lint', ['linter', 'lint', 'linting', 'eslint']],
  ['types', ['type[- ]?check(er)?']],
  ['build', ['build', 'compiler']],
]
const namedRuns = runWords.map(
  ([kind, words]) =>
    [
      kind,
      new RegExp(
        `\\b(?:${sourceOf(ranVerbs)}) (?:(?:${sourceOf(runAdjectives)}) )*(?:${sourceOf(words)})\\b`,
        'i',
      ),
    ] as const,
)
const passiveRuns: readonly (readonly [RunKind, RegExp])[] = [
  ['lint', /\b(?:has|have) been linted\b/i],
  ['types', /\b(?:has|have) been type-?checked\b/i],
  ['lint', /\b(?:I|we)(?:'ve| have)?(?: also| then)? linted\b/i],
  ['types', /\b(?:I|we)(?:'ve| have)?(?: also| then)? type-?checked\b/i],
  [
    'build',
    /\b(?:I|we)(?:'ve| have)?(?: also| then)? (?:re)?(?:built|compiled) (?:the )?(?:whole |entire )?(?:project|app|application|package|packages|image|workspace|crate|bundle|binary|site)\b/i,
  ],
]

/** `I linted the code`: the verb names the run. */
export function isOwnRun(text: string): boolean {
  return passiveRuns.some(([, pattern]) => pattern.test(text))
}

/** `the tests`, `the linter`, `the build` after a verb such as ran. */
export function namedRun(text: string): RunKind | undefined {
  return [...namedRuns, ...passiveRuns].find(([, pattern]) => pattern.test(text))?.[0]
}

/** The name in code or quotes that the clause is about. */
export function findName(text: string): string | undefined {
  return [...text.matchAll(/[`"']([^`"'\n]{2,80})[`"']/g)]
    .map(([, name = '']) => name.replace(/\(.*\)$/, ''))
    .find((name) => !isPath(name, true))
}
