// The table of rules that find claims in a clause. rules.fixtures.ts holds sentences that each rule must
// and must not match.
import type { Claim } from './claims.ts'
import type { Clause } from './clauses.ts'
import type { RunKind } from './command-kinds.ts'
import { kindOf } from './command-kinds.ts'
import { findPaths, isPath } from './paths.ts'
import { fileClaims } from './file-claims.ts'
import { splitShell } from './shell.ts'

export interface Rule {
  name: string
  /** Whether the rule applies to a clause that denies something. */
  allowsNegation?: boolean
  find(text: string, clause: Clause): Claim[]
}

const good = String.raw`(?:pass(?:es|ed|ing)?|succe(?:ed|eds|eded|ss|ssful|ssfully)|(?:is|are|were|was|run|runs|ran|all|now|still|stays?|remains?|came back|comes back|:|=) ?(?:all )?(?:green|clean|fine|ok|okay|successful|happy|good)|green|clean(?:ly)?|✅|✓|✔|works? (?:fine|again|now)|ok)`
const testWord = String.raw`(?:tests?|test[- ]suites?|suites?|specs?|test cases?|unit tests?|assertions)`

/** Names of test runners, as the subject of a claim. */
const runner = String.raw`(?:vitest|jest|pytest|mocha|karma|cypress|playwright|rspec|phpunit|pest|nextest|ctest|junit|(?:npm|yarn|pnpm|bun|deno|go|cargo|dotnet|swift|flutter|mix|make|bazel) test)`

/** `All tests pass` in German, French and Spanish. */
const otherLanguages =
  /\b(?:alle (?:\d+ )?tests? (?:laufen(?: wieder| jetzt)? durch|bestehen|sind (?:grün|erfolgreich)|erfolgreich|bestanden)|tous les (?:\d+ )?tests (?:passent|sont (?:verts|passés)|réussissent)|(?:todas las (?:\d+ )?pruebas|todos los (?:\d+ )?tests) (?:pasan|pasaron|están en verde))/i

/** `pass` in the sense of handing over: `passes the options to`. */
const handsOver =
  /\bpass(es|ed|ing)? ((it|them|along|through|on(?! (?:my|this|all|both|every|node|linux|macos|windows|ci|the (?:first|second))\b)|down|in(?! (\d|under|about|less)))\b|(the|a|an|its|this|that|these|their) (?!(full|whole|entire|existing|new|old|complete|unit|integration|tests?|test suite|suite|specs?|checks?|same|\d+)\b)|`\w+` (to|as|into)\b)|\b(that|which|to|who) pass(es|ed|ing)? /i

export const rules: readonly Rule[] = [
  {
    name: 'tests pass',
    find: (text, { admitsFailure, sentence }) => {
      if (handsOver.test(text)) return []
      const isClaim =
        matches(text, String.raw`\b${testWord}\b[^.]{0,70}?(?:\b|\s)${good}`) ||
        matches(text, String.raw`\bpass(?:es|ed|ing)?\b[^.]{0,40}\b${testWord}\b`) ||
        matches(text, String.raw`\bgreen\b[^.]{0,20}\b${testWord}\b`) ||
        matches(
          text,
          String.raw`\b\d+(?: ?\/ ?\d+| of \d+| out of \d+)? (?:tests? |specs? )?(?:pass(?:ed|ing)?|green|succeeded)\b`,
        ) ||
        matches(
          text,
          String.raw`\b(?:no|0|zero|without(?: any)?) (?:test )?(?:failures|failing tests|failed tests|regressions in the tests)\b`,
        ) ||
        /\btests?\b.*`[^`]*`.*\bpass/i.test(text) ||
        matches(
          text,
          String.raw`\b${testWord}\b[^.]{0,30}?\b(?:runs?|ran|finish(?:es|ed)|completes?d?) without (?:any )?(?:errors?|failures?|problems)\b`,
        ) ||
        matches(
          text,
          String.raw`\b(?:none of the ${testWord} fail(?:s|ed)?|${testWord} (?:no longer|don't|do not|doesn't) fail)\b`,
        ) ||
        matches(
          text,
          String.raw`\b${runner}\b\W{1,3}(?:[^.]{0,30}?(?:\b|\s))?(?:${good}|all green|exits? (?:with )?(?:code )?(?:0|zero))`,
        ) ||
        otherLanguages.test(text) ||
        matches(
          text,
          String.raw`\b${testWord}\b (?:is|are|were|have been|was)(?: all| now| both)* (?:fixed|repaired)\b`,
        ) ||
        (/^\W*(and )?(it|they|both|all)( all| now| both| of them)* (pass(es|ed)?|succeed(s|ed)?|(is|are|was|were|came back|comes back)( now| all| fully)* (green|clean))\b/i.test(
          text,
        ) &&
          matches(sentence, String.raw`\b${testWord}\b`)) ||
        (findTestNames(text).length > 0 &&
          matches(
            text,
            String.raw`(?:\b|\s)(?:pass(?:es|ed|ing)?|succeeds?|is green|(?:is|are) now green)\b`,
          ))
      if (!isClaim) return []
      const claim = passes('test', text)
      if (claim.isWhole || admitsFailure === 'no') return [claim]
      if (claim.count !== undefined) return [{ ...claim, isPartial: true }]
      return admitsFailure === 'sentence' ? [] : [claim]
    },
  },
  {
    name: 'a fix with its test',
    find: (text) => {
      const names = findTestNames(text)
      const isFix =
        /\b(fixed|fixes|resolved|resolves|repaired|solved|(bug|issue|problem|crash|regression) (is|has been|was) (fixed|gone|resolved|solved))\b/i.test(
          text,
        )
      const isCovered =
        /\b(cover(ed|s)?|confirm(ed|s)?|verif(ied|ies)|prove[sdn]?|proven|check(ed|s)?|demonstrate[sd]?|shown?|tested|validated)\b/i.test(
          text,
        )
      return isFix && isCovered && names.length > 0 ? [passes('test', text)] : []
    },
  },
  {
    name: 'the build passes',
    find: (text) => {
      const isClaim =
        matches(
          text,
          String.raw`\b(?:build|compilation|bundle|bundling)\b[^.]{0,40}?(?:\b|\s)${good}`,
        ) ||
        matches(
          text,
          String.raw`\b(?:it|project|code|code ?base|everything|package|app|application|crate|module|program|repo(?:sitory)?|library|workspace|solution|image|container|site|docs|all)\b(?: now| still| also| again)? (?:compiles|builds|compiled|built)\b(?! (?:a|an|the|its|on|up|from|upon|by)\b)`,
        ) ||
        matches(text, String.raw`\bbuild\b(?: still| now| also)? works\b`) ||
        matches(
          text,
          String.raw`\b(?:compiles|builds|compiled|built) (?:fine|cleanly|successfully|without|ok|again|with no)\b`,
        ) ||
        matches(
          text,
          String.raw`\b(?:no|0|zero|without(?: any)?) (?:compile|compilation|compiler|build) (?:errors?|failures?|warnings?)\b`,
        ) ||
        matches(text, String.raw`\bsuccessful(?:ly)? (?:build|built|compil\w+)\b`)
      return isClaim ? [passes('build', text)] : []
    },
  },
  {
    name: 'types check',
    find: (text) => {
      const isClaim =
        matches(
          text,
          String.raw`\b(?:type[- ]?check(?:s|ing|er)?|tsc|typescript(?: compiler)?|mypy|pyright)\b\W{0,3}[^.]{0,40}?(?:\b|\s)(?:${good}|no (?:errors|issues|complaints)|without (?:any )?errors?)`,
        ) ||
        matches(text, String.raw`\btypes? (?:checks?|is clean|are clean|pass(?:es)?)\b`) ||
        /\b(?:it|everything|all|code|project)(?: now| still| also)? type-?checks\b/i.test(text) ||
        matches(
          text,
          String.raw`\b(?:no|0|zero|without(?: any)?) (?:new )?(?:type|typescript|tsc|typing|mypy) ?(?:check )?(?:errors?|issues|failures)\b`,
        )
      return isClaim ? [passes('types', text)] : []
    },
  },
  {
    name: 'lint passes',
    find: (text) => {
      const isClaim =
        matches(
          text,
          String.raw`\b(?:lint(?:er|ers|ing)?|eslint|oxlint|ruff|clippy|flake8|pylint|rubocop|biome|golangci-lint|format(?:ting)? check|style check)\b\W{0,3}[^.]{0,40}?(?:\b|\s)(?:${good}|no (?:errors|issues|problems|complaints|warnings|findings)|without (?:any )?(?:errors?|warnings?))`,
        ) ||
        matches(
          text,
          String.raw`\b(?:no|0|zero|without(?: any)?) (?:new )?(?:lint(?:ing|er)?|eslint|ruff|clippy|style) (?:errors?|warnings?|issues?|problems?|violations?|findings?)\b`,
        )
      return isClaim ? [passes('lint', text)] : []
    },
  },
  {
    name: 'everything passes',
    find: (text) =>
      matches(
        text,
        String.raw`\b(?:everything|all (?:the )?checks|all of (?:it|them)|the (?:whole|full) (?:pipeline|check)|ci|(?:full|whole) ci)\b(?: is| are| now| still| comes? back| came back)*\W{0,2} ?(?:${good}|all green)`,
      ) || /^\W*all green\b/i.test(text)
        ? [passes('any', text)]
        : [],
  },
  {
    name: 'a command was run',
    find: (text) => {
      const commands = findCommands(text)
      const isRun =
        /\b(?:has|have) been (?:linted|type-?checked)\b|\b(ran|re-?ran|executed|invoked)\b|\b(have|has|'ve) (just |now |also )?(re-?)?run\b|\b(verified|checked|tested|confirmed|validated|committed|formatted|installed|deployed|pushed|benchmarked|measured) (it |this |that |everything |the \w+ )*(with|by running|by|using|via|through)\b|^\W*(after )?(re-?)?running\b.*\b(shows?|showed|prints?|printed|gives?|gave|returns?|returned|reports?|reported|passe[sd]|succeed\w*|confirms?|confirmed|produces?|produced|works?)\b/i.test(
          text,
        )
      if (isRun && commands.length > 0) {
        return commands.map((command) => ({
          kind: 'ran',
          what: undefined,
          command,
          hasSucceeded: false,
        }))
      }
      const what = isRun ? namedRun(text) : undefined
      return what === undefined
        ? []
        : [{ kind: 'ran', what, command: undefined, hasSucceeded: false }]
    },
  },
  {
    name: 'a command succeeded',
    find: (text) => {
      const found =
        /`([^`]+)`(?: (?:now|also|still|again|run|command))* (?:pass(?:es|ed)|succeed(?:s|ed)|works|worked|exit(?:s|ed) (?:with )?(?:code |status )?(?:0|zero)|(?:is|are|was|came back|comes back|runs|ran) (?:now )?(?:green|clean|cleanly|fine|successful(?:ly)?|ok|without errors?)|(?:reports|reported|shows|showed|finds|found) (?:no|0|zero) )/i.exec(
          text,
        )
      const command = found?.[1]
      if (command === undefined || !isCommand(command) || isPath(command, true)) return []
      return [{ kind: 'ran', what: undefined, command, hasSucceeded: true }]
    },
  },
  { name: 'a file was changed', find: fileClaims },
  {
    name: 'no other uses',
    allowsNegation: true,
    find: (text) => {
      const isClaim =
        /\b(no|zero|0|without) (other|more|remaining|further|additional|leftover) (usages?|uses?|references?|callers?|occurrences?|call[- ]?sites?|mentions?|imports?|instances?|places? (that|where))\b/i.test(
          text,
        ) ||
        /\b(not|n't|never|no longer) (used|referenced|called|imported|mentioned|needed) (anywhere|elsewhere|any ?where else|in any other)\b/i.test(
          text,
        ) ||
        /\bno other (code|files?|modules?|places?|parts?)\b.*\b(references?|uses?|calls?|imports?|mentions?|depends? on)\b/i.test(
          text,
        ) ||
        /\b(last|final) (remaining )?(usage|use|caller|call[- ]?site|reference|occurrence) of\b/i.test(
          text,
        ) ||
        /\bnothing else (uses|calls|references|imports|depends on|mentions)\b/i.test(text) ||
        /\b(only|sole) (usage|use|caller|call[- ]?site|reference|occurrence|place)\b.*\b(of|that|where|is|was)\b/i.test(
          text,
        ) ||
        /\bunused (elsewhere|anywhere else|everywhere else)\b/i.test(text) ||
        /\bno (usages?|uses|references?|callers?|occurrences|call[- ]?sites?|mentions|imports|instances)\b.*\b(remain|are left|left|exist)\b/i.test(
          text,
        )
      return isClaim ? [{ kind: 'no_other_uses', name: findName(text) }] : []
    },
  },
]

const compiled = new Map<string, RegExp>()

function matches(text: string, pattern: string): boolean {
  const known = compiled.get(pattern) ?? new RegExp(pattern, 'i')
  compiled.set(pattern, known)
  return known.test(text)
}

function passes(what: RunKind | 'any', text: string): Extract<Claim, { kind: 'passes' }> {
  const count = what === 'test' || what === 'any' ? findCount(text) : undefined
  const isWhole = /\b(all|every|full|whole|entire|complete|everything)\b/i.test(text)
  return {
    kind: 'passes',
    what,
    isPartial: false,
    isWhole,
    named: findTestNames(text),
    ...(count && { count }),
  }
}

function findCount(text: string): { passed: number; total?: number } | undefined {
  const ratio = /\b(\d+) ?(?:\/|of|out of) ?(?:the |all )?(\d+)\b/.exec(text)
  if (ratio !== null) return { passed: Number(ratio[1]), total: Number(ratio[2]) }
  const found =
    /\b(?:all|the|both) (\d+) (?:[\w-]+ ){0,3}?(?:tests?|specs?|test cases?|cases|checks)\b/i.exec(
      text,
    ) ??
    /\b(\d+) (?:[\w-]+ ){0,2}?(?:tests?|specs?|test cases?)\b(?! files?| suites?)/i.exec(text) ??
    /\b(\d+) (?:passed|passing|pass|green)\b/i.exec(text) ??
    /\btests?\b[^\d]{0,20}\b(\d+) (?:passed|passing|pass|ok)\b/i.exec(text) ??
    /\b(?:all|of) (\d+) (?:pass|passed|passing|are green)\b/i.exec(text)
  return found === null ? undefined : { passed: Number(found[1]) }
}

/** Test files, and names in quotes before or after the word test. */
function findTestNames(text: string): string[] {
  const files = findPaths(text)
    .map(({ path }) => path)
    .filter((path) => /(^|[/._-])(tests?|specs?)([/._-]|$)/i.test(path))
  const names = [
    ...text.matchAll(
      /[`"']([^`"'\n]{3,80})[`"'](?: (?:unit |regression |integration )?(?:tests?|spec|case))|(?:tests?|spec|case) (?:named |called )?[`"']([^`"'\n]{3,80})[`"']/gi,
    ),
  ]
    .map(([, before, after]) => before ?? after ?? '')
    .filter((name) => !isPath(name, true) && !isCommand(name))
  const functions = [...text.matchAll(/`((?:test_|Test)\w+)`/g)].map(([, name = '']) => name)
  return [...new Set([...files, ...names, ...functions])]
}

const programs =
  /^(npm|npx|yarn|pnpm|bun|deno|node|tsc|eslint|vitest|jest|mocha|pytest|python3?|pip|uv|poetry|go|cargo|make|cmake|mvn|gradle|\.\/\S+|git|docker|kubectl|curl|grep|rg|sed|ls|cat|bash|sh|ruby|bundle|rake|rspec|php|composer|dotnet|ruff|mypy|flake8|black|prettier|oxlint|biome|tox|ctest|swift|java|terraform|helm|psql|sqlite3|playwright|cypress|tsx|ts-node|vite|webpack|next|turbo|nx|just|task|zig|mix|rails|zdx|zeno|zcl|zino)( |$)/

function isCommand(text: string): boolean {
  return programs.test(text.replace(/^\$\s*/, ''))
}

function findCommands(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code.replace(/^\$\s*/, '').trim())
    .filter(isCommand)
}

/** `the tests`, `the linter`, `the build` after a verb such as ran. */
function namedRun(text: string): RunKind | undefined {
  const words =
    /\b(?:ran|re-?ran|executed|running|(?:have|has|'ve)(?: just| now| also)? (?:re-?)?run) (?:all |the |full |whole |entire |complete |existing |unit |integration |project's |repo's |both |its |every )*(tests?|test suite|suite|specs?|linter|lint|linting|eslint|type[- ]?check(?:er)?|build|compiler)\b/i.exec(
      text,
    )?.[1]
  if (words === undefined) {
    const passive = /\b(?:has|have) been (linted|type-?checked)\b/i.exec(text)?.[1]
    return passive === undefined ? undefined : /lint/i.test(passive) ? 'lint' : 'types'
  }
  if (/lint/i.test(words)) return 'lint'
  if (/type/i.test(words)) return 'types'
  if (/build|compiler/i.test(words)) return 'build'
  return 'test'
}

/** The name in code or quotes that the clause is about. */
function findName(text: string): string | undefined {
  return [...text.matchAll(/[`"']([^`"'\n]{2,80})[`"']/g)]
    .map(([, name = '']) => name.replace(/\(.*\)$/, ''))
    .find((name) => !isPath(name, true))
}

/** The kind of a command in an answer, for example of `npm test`. */
export function kindOfLine(line: string): RunKind | undefined {
  return splitShell(line)
    .map(({ words }) => kindOf(words))
    .find((kind) => kind !== undefined)
}
