// The table of rules that find claims in a clause. rules.fixtures.ts holds sentences that each rule must
// and must not match.
import type { Claim } from '../claims.ts'
import type { Clause } from '../clauses.ts'
import { isPath } from '../paths.ts'
import { containing, startingWith } from '../wording/wording.ts'
import { findCount } from './counts.ts'
import { failureClaims } from './failures.ts'
import { fileClaims } from './file-claims.ts'
import {
  bareCommand,
  commandAfterRan,
  findCommands,
  findName,
  findTestNames,
  isCommand,
  isOwnRun,
  namedRun,
} from './names.ts'
import { claimsSuccess, handsOver, type Passing, pronounKinds, saysItPassed } from './passes.ts'
import { vocabulary } from './vocabulary.ts'

export interface Rule {
  name: string
  /** Whether the rule applies to a clause that denies something. */
  allowsNegation?: boolean
  find(text: string, clause: Clause): Claim[]
}

type PassClaim = Extract<Claim, { kind: 'passes' }>

export const rules: readonly Rule[] = [
  {
    name: 'tests pass',
    find: (text, clause) => {
      const { admitsFailure } = clause
      const context = contextOf(text, clause)
      if (handsOver(text) || !claimsTests(text, context)) return []
      const claim = withSentenceCount(passes('test', text), text, context)
      if (claim.isWhole || admitsFailure === 'no') return [claim]
      if (claim.count !== undefined) return [{ ...claim, isPartial: true }]
      return admitsFailure === 'sentence' ? [] : [claim]
    },
  },
  {
    name: 'a fix with its test',
    find: (text, { sentence }) =>
      fixed.test(sentence) && covered.test(text) && findTestNames(text).length > 0
        ? [passes('test', text)]
        : [],
  },
  { name: 'the build passes', find: (text) => successOf('build', text) },
  { name: 'types check', find: (text) => successOf('types', text) },
  { name: 'lint passes', find: (text) => successOf('lint', text) },
  {
    name: 'everything passes',
    find: (text) => (allGreen.test(text) ? [passes('any', text)] : successOf('any', text)),
  },
  {
    name: 'a command was run',
    find: (text, { sentence }) => {
      if (relativeRun.test(text) && findCommands(text).length === 0) {
        const before = sentence.slice(0, Math.max(0, sentence.indexOf(text)))
        return findCommands(before)
          .slice(-1)
          .map((command) => ranCommand(command, false))
      }
      if (!ran.test(text) && !runningShows.test(text) && !isOwnRun(text)) return []
      const commands = findCommands(text)
      if (commands.length > 0) return commands.map((command) => ranCommand(command, false))
      const bare = commandAfterRan(text) ?? bareCommand(text)
      if (bare !== undefined) return [ranCommand(bare, false)]
      const what = namedRun(text)
      return what === undefined
        ? []
        : [{ kind: 'ran', what, command: undefined, hasSucceeded: false }]
    },
  },
  {
    name: 'a command succeeded',
    find: (text) => {
      const command = commandSucceeded.exec(text)?.[1]
      if (command === undefined || !isCommand(command) || isPath(command, true)) return []
      return [ranCommand(command, true)]
    },
  },
  {
    name: 'it passed',
    find: (text, clause) => {
      if (!saysItPassed(text)) return []
      const sentence = contextOf(text, clause)
      const kinds = pronounKinds(text, sentence).filter((kind) => kind !== 'test')
      const commands = findCommands(sentence.slice(0, Math.max(0, sentence.indexOf(text))))
      const meant = /^\W*(?:and )?both\b/i.test(text) ? -2 : -1
      return [
        ...kinds.map((kind) => passes(kind, text)),
        ...commands.slice(meant).map((command) => ranCommand(command, true)),
      ]
    },
  },
  {
    name: 'the work was committed or pushed',
    find: (text) => {
      const verb = gitAction.exec(text)?.[0]
      if (verb === undefined || findCommands(text).length > 0) return []
      return [ranCommand(/push/i.test(verb) ? 'git push' : 'git commit', true)]
    },
  },
  {
    name: 'some tests fail',
    allowsNegation: true,
    find: (text) => failureClaims(text),
  },
  { name: 'a file was changed', find: (text, clause) => fileClaims(text, clause) },
  {
    name: 'no other uses',
    allowsNegation: true,
    find: (text, { sentence }) => {
      if (!unused.test(text)) return []
      const name = findName(text) ?? findName(sentence)
      return [{ kind: 'no_other_uses', name, allows: allowedUses(text) }]
    },
  },
]

/** The words in which a pronoun finds what it stands for: `I ran the suite. It passed.` */
function contextOf(text: string, { sentence, previous }: Clause): string {
  return sentence.startsWith(text) ? `${previous} ${sentence}` : sentence
}

/** `I ran all 24 tests and they passed`: the number is in the clause that the pronoun stands for. */
function withSentenceCount(claim: PassClaim, text: string, sentence: string): PassClaim {
  if (claim.count !== undefined || !pronounKinds(text, sentence).includes('test')) return claim
  const count = findCount(sentence.slice(0, Math.max(0, sentence.indexOf(text))))
  return count === undefined ? claim : { ...claim, count }
}

function claimsTests(text: string, sentence: string): boolean {
  return (
    claimsSuccess('test', text) ||
    isWholeRatio(text) ||
    /\btests?\b.*`[^`]*`.*\bpass/i.test(text) ||
    pronounKinds(text, sentence).includes('test') ||
    (namedSuccess.test(text) && findTestNames(text).length > 0)
  )
}

/** `all good: 12/12` */
function isWholeRatio(text: string): boolean {
  return /\b(\d+) ?\/ ?\1\b/.test(text) && /\b(all|tests?|suite|green|specs?)\b/i.test(text)
}

const namedSuccess = containing([
  ...['pass(es|ed|ing)?', 'succeeds?', '(is|are)( now)? green', 'no longer fails?'],
  '(is|are)( now)? fixed',
])

const fixed = containing([
  ...['fixed', 'fixes', 'resolved', 'resolves', 'repaired', 'solved'],
  '(bug|issue|problem|crash|regression) (is|has been|was) (fixed|gone|resolved|solved)',
])
const covered = containing([
  ...['cover(ed|s)?', 'confirm(ed|s)?', 'verif(ied|ies)', 'prove[sdn]?', 'proven', 'check(ed|s)?'],
  ...['demonstrate[sd]?', 'shown?', 'tested', 'validated'],
])

/** A sentence of its own: `All green.`, `Green.` */
const allGreen =
  /^\W*(?:you can rest assured that )?((final )?(results?|outcome|status|verdict)( is)?\W+)?((we're |we are )?all green\b|(we're |we are )?(green|passing)\W*$)/i

function successOf(what: Passing, text: string): Claim[] {
  return claimsSuccess(what, text) && !handsOver(text) ? [passes(what, text)] : []
}

function passes(what: Passing, text: string): PassClaim {
  const count = what === 'test' || what === 'any' ? findCount(text) : undefined
  const isWhole = /\b(all|every|full|whole|entire|complete|everything)\b/i.test(text)
  return {
    kind: 'passes',
    what,
    isPartial: false,
    isWhole,
    named: findTestNames(text),
    isWarningFree: warningFree.test(text),
    ...(count && { count }),
  }
}

const warningFree = containing([
  '(no|zero|0|without( any)?) ([\\w-]+ )?(errors?( or| and|,)( 0| no| zero)? )?warnings?',
])

const ran = containing(
  [
    ...['ran', 're-?ran', 'executed', 'invoked', 'called', 'used', 'launched', 'kicked off'],
    // `npm run migrate` was run.
    '(was|were|has been|have been|got)( also| then| just| now)? (run|executed|invoked|launched)',
    'started (with|by)',
    '(have|has) (just |now |also )?(re-?)?run',
    "\\w+'ve (just |now |also )?(re-?)?run",
    '(has|have) been (linted|type-?checked)',
    '(?<!\\b(is|are|be|being|gets?) )(verified|checked|tested|confirmed|validated|benchmarked|measured) {it}{by}',
    '(?<!\\b(is|are|be|being|gets?) )(committed|formatted|installed|deployed|pushed) {it}{by}',
    // `seeded the database by running`, `started the services using`: a command follows in code.
    '(?<!\\b(is|are|be|being|gets?) )(\\w+ed|built|set up)( [\\w-]+| `[^`]*`){0,4} (by running|using|with|via)(?= `)',
    // `installed the dependencies (`.
    '(?<!\\b(is|are|be|being|gets?) )(\\w+ed|built|set up)( [\\w-]+){0,4} \\((?=`)',
    'commands? (run|ran|executed|used)\\W',
    '(was|were|has been|have been) \\w+ (by running|using|with|via)(?= `)',
  ],
  {
    it: ['(it |this |that |everything |the \\w+ )*'],
    by: ['with', 'by running', 'by', 'using', 'via', 'through'],
  },
)
/** `the figures come from npm run bench, which I ran`. */
const relativeRun = startingWith([
  "which (I|we)( have|'ve)?( also| just)? (ran|run|executed|invoked|used)",
])

const runningShows = startingWith([
  '(after )?(re-?)?running\\b.*\\b(shows?|showed|prints?|printed|gives?|gave|returns?|returned)',
  '(after )?(re-?)?running\\b.*\\b(reports?|reported|confirms?|confirmed|produces?|produced)',
  '(after )?(re-?)?running\\b.*\\b(passe[sd]|succeed\\w*|works?|worked)',
  'after (re-?)?running `[^`]+`',
])

function ranCommand(command: string, hasSucceeded: boolean): Claim {
  return { kind: 'ran', what: undefined, command, hasSucceeded }
}

/** Success after a command in code. */
const succeededWords: readonly string[] = [
  ...['pass(?:es|ed)', 'succeed(?:s|ed)', 'works', 'worked'],
  '(?:exit(?:s|ed)|return(?:s|ed)) (?:with )?(?:code |status )?(?:0|zero)',
  '(?:completed|finished|was successful)\\W*$',
  '(?:is|are|was|came back|comes back|runs|ran) (?:now )?(?:green|clean|cleanly|fine|successful(?:ly)?|ok|without errors?)',
  '(?:reports|reported|shows|showed|finds|found) (?:no|0|zero) ',
  '(?:completes?|completed|finish(?:es|ed)|runs|ran|terminates?|ended) (?:without (?:any )?(?:error|issue|problem|failure)|with no |cleanly|successfully|fine)',
]
const commandSucceeded = new RegExp(
  `\`([^\`]+)\`(?: (?:now|also|still|again|run|command))* (?:${succeededWords.join('|')})`,
  'i',
)

/** `I pushed the branch`, `the changes are committed`. */
const gitAction = containing(
  [
    "(I|we)( have|'ve)?( also| then| now| just| already)* (committed|pushed) {work}",
    '{work} (is|are|was|were|has been|have been)( now| also| all)* (committed|pushed)',
    '(committed|pushed) (it|them|everything|the (changes?|fix|branch|commits?|work|result))',
    "(I|we)( have|'ve)?( also| then| now| just)* (created|made|added) (a|one|the|another)( [\\w-]+)? commit",
  ],
  {
    work: [
      ...['it', 'this', 'them', 'everything', 'all( of it| changes)?', '(the|my|these|this) \\w+'],
      ...['to (the )?(remote|origin|main|master|branch)', 'changes'],
    ],
  },
)

/** One match may be the use that is named, `the only caller`, or the definition, `no other uses`. */
function allowedUses(text: string): Extract<Claim, { kind: 'no_other_uses' }>['allows'] {
  if (containing(['only', 'sole(ly)?', 'last', 'final']).test(text)) return 'a use'
  return containing(['other', 'else', 'elsewhere']).test(text) ? 'a definition' : 'nothing'
}

const unused = containing(
  [
    '(no|zero|0|without) (other|more|remaining|further|additional|leftover) ({uses}|places? (that|where))',
    "(not|\\w+n't|never|no longer) (used|referenced|called|imported|mentioned|needed) (anywhere|elsewhere|in any other)",
    'no other (code|files?|modules?|places?|parts?)\\b.*\\b(references?|uses?|calls?|imports?|mentions?|depends? on)',
    '(last|final) (remaining )?{uses} of',
    '(nothing|no one|no ?body) else( (in|across|within|throughout) [\\w ]{1,30}?)? (uses|calls|references|imports|depends on|mentions)',
    '(only|sole) ({uses}|place)\\b.*\\b(of|that|where|is|was)',
    'unused (elsewhere|anywhere else|everywhere else)',
    'no {uses}\\b.*\\b(remain|are left|left|exist)',
    '(all|the) ([\\w-]+ )?{uses} (of|to) .*\\b(are|were|have been) {gone}',
    '(is|are)( now)? unused',
    "(could|did|can|do)(n't| not) (find|see|spot|locate) any (other|more|remaining|further|additional|leftover) {uses}",
    "(does|do|did)(n't| not) (appear|occur|show up|exist) (anywhere|elsewhere|in any other)",
    '(is|are) no longer (used|referenced|called|imported)(?! (to|as|for|with)\\b)',
    '(is|are|was|were) (only|solely) (used|referenced|called|imported) (in|by|from|within)',
    '(is|are|was|were) (used|referenced|called|imported) (only|solely) (in|by|from|within)',
    '(has|have|had) no ({left} )*{uses}',
    // `searched for other usages and found none`.
    '{uses}\\b.*\\b(found|saw|turned up|returned|gave) (none|nothing|no (others?|more|matches|results))',
    '(nothing|no one|no ?body) (still )?(uses|calls|references|imports|mentions)',
    'no (code|files?|modules?|places?|one|part)\\b.*\\b(refers? to|references?|uses?|calls?|imports?|mentions?)\\b.*\\b(any ?more|any longer|now)',
  ],
  vocabulary,
)
