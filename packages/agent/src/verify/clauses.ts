// Splits an answer into clauses, and drops what is no claim about the past: plans, conditions, questions,
// instructions, quotations and code.
import { findPaths } from './paths.ts'
import {
  deniesSuccess,
  isNegated,
  isNoReport,
  isPastState,
  isPlan,
  listVerbOf,
  opensPlans,
  sourceOf,
} from './wording/wording.ts'

export interface Clause {
  text: string
  /** The sentence that the clause is part of, for the report. */
  sentence: string
  /** The sentence before it, for a pronoun. */
  previous: string
  /** The clause denies something: `not`, `failed`, `except`. */
  isNegated: boolean
  /** Another clause of the sentence, or of the answer, admits a failure. */
  admitsFailure: 'sentence' | 'answer' | 'no'
}

/** Longer texts are no prose; the bounds keep every pattern fast. */
const maxAnswerLength = 256 * 1024
const maxSentenceLength = 2000

export function splitClauses(answer: string): Clause[] {
  const sentences = sentencesOf(answer.slice(0, maxAnswerLength)).map((sentence) =>
    sentence.slice(0, maxSentenceLength),
  )
  const isAdmitted = sentences.some(deniesSuccess)
  return sentences.flatMap((sentence, index) => {
    const previous = sentences[index - 1] ?? ''
    const reports = reportsOf(sentence)
    if (reports.length === 0) return []
    const isPast = isPastState(sentence)
    const isHere = clausesOf(sentence).length > 1 && deniesSuccess(sentence)
    const admitsFailure = isHere ? 'sentence' : isAdmitted ? 'answer' : 'no'
    return reports
      .flatMap(clausesOf)
      .map(withOmittedVerb)
      .filter((text) => !isPlan(text) && (!isPast || isPresentOf(text)))
      .map((text) => ({ text, sentence, previous, isNegated: isNegated(text), admitsFailure }))
  })
}

/** The parts of a sentence that report something: `you can read it in a.ts; I also updated b.ts`. */
function reportsOf(sentence: string): string[] {
  if (/\?\W*$/.test(sentence)) return []
  return sentence.split(/(?<=;)\s+/).filter((part) => !isNoReport(part))
}

/** `the linter passes, and so do the tests`: the verb is in the clause before. */
function withOmittedVerb(text: string, index: number, all: readonly string[]): string {
  const subject = /^\W*(?:and )?(?:so|as) (?:do|does|did|is|are) (.+?)\W*$/i.exec(text)?.[1]
  const before = all[index - 1]
  if (subject === undefined || before === undefined || isNegated(before)) return text
  return /\b(?:pass\w*|succeed\w*|green|clean)\b/i.test(before) ? `${subject} pass` : text
}

/** `You can merge this: all tests pass`: the reason is a report. */
function afterGoAhead(sentence: string): string {
  return (
    /^\W*(?:you can|ready to|safe to|good to|feel free to)\b[^:`]*: (.+)$/is.exec(sentence)?.[1] ??
    sentence
  )
}

/** `before, two tests failed; now all pass`: the second clause is a result. */
function isPresentOf(text: string): boolean {
  return /\bnow\b/i.test(text) && !isPastState(text)
}

function sentencesOf(answer: string): string[] {
  const sentences: string[] = []
  let isSkipping = false
  /** The verb of a heading such as `Files changed:`, for the list below it. */
  let listVerb: string | undefined
  for (const raw of withoutBlocks(answer).split('\n')) {
    const line = afterGoAhead(raw.trim())
    const isListItem = /^([-*+•]|\d+[.)])\s/.test(line)
    if (line === '') continue
    if (
      opensPlans(line.replace(/^([-*+•]|\d+[.)])\s+/, '')) &&
      (!isListItem || /:\W*$/.test(line))
    ) {
      isSkipping = /:\W*$|^#|^\*\*.*\*\*$/.test(line)
      if (!isSkipping && !/:/.test(line)) sentences.push(...splitSentences(line))
      continue
    }
    // A ticked item of a plan is done.
    const isDone = /^[-*+•]\s+(\[[xX]\]|✅|✓|✔)/.test(line)
    if (isSkipping && isListItem && !isDone) continue
    isSkipping = isSkipping && isDone
    const verb = findPaths(line).length === 0 ? listVerbOf(line) : undefined
    if (verb !== undefined) {
      listVerb = verb
      continue
    }
    if (!isListItem) listVerb = undefined
    else if (listVerb !== undefined && (listVerb === 'ran' || startsWithPath(line))) {
      const item = line.replace(/^([-*+•]|\d+[.)])\s+/, '')
      sentences.push(ownChange.test(item) ? item : `${listVerb} ${item}`)
      continue
    }
    if (/^\|?[\s:|-]+\|?$/.test(line)) continue
    // A quotation holds words of others; a label or a mark makes it a note of the answer.
    if (/^>(?!\s*(\*\*|✅|✓|✔|\[!))/.test(line)) continue
    sentences.push(...splitSentences(line))
  }
  return sentences
}

/** An item with a verb of its own: `old.ts: deleted`, `a.ts → b.ts`. */
const ownChange =
  /^\W*[^\s:(–—]+\W*?(?:[:(–—-]\W*(?:new|created|added|deleted|removed|renamed|moved|un\w+|not?)\b|→|->|=>)/i

function startsWithPath(item: string): boolean {
  const [first] = findPaths(item)
  return first !== undefined && /^([-*+•]|\d+[.)])\s+\W*$/.test(item.slice(0, first.index))
}

function withoutBlocks(answer: string): string {
  return answer
    .replace(/^([ \t]*)(```+|~~~+)[\s\S]*?(?:^[ \t]*\2[ \t]*$|(?![\s\S]))/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
}

function splitSentences(line: string): string[] {
  const text = line
    .replace(/^#{1,6}\s+/, '')
    .replace(/^(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '')
    .replace(/^\|\s*|\s*\|$/g, '')
    .replace(/\s*\|\s*/g, ': ')
    // Struck words are withdrawn; emphasis is no part of a word.
    .replace(/~~[^~]*~~/g, ' ')
    .replace(/(?<!\w)_([^_`]+)_(?!\w)/g, '$1')
    .trim()
  if (line.replace(/^[-*+]\s+/, '').startsWith('[ ]')) return []
  return text
    .split(/(?<=[.!?…][)"'*]?)\s+(?=[A-Z`"'([*✅✓✔🎉]|\d+ )/u)
    .map((each) => each.trim())
    .filter(Boolean)
}

/** Marks and words between two statements. */
const separators: readonly string[] = [
  ...[';\\s+', '\\s+[–—]\\s+', '\\s+-\\s+'],
  '(?<!\\b(?:everything|every|all|nothing|anything|none)),?\\s+(?:but|however|though|although|yet|while|whereas)\\s+',
  ',\\s+(?=(?:and|so|as|then|which|where)\\s)',
  // `I updated a.ts, adapted b.ts`: a verb in the past tense with code as its object.
  ',\\s+(?=(?!called|named|titled|dubbed|labell?ed|aliased|used|exported|imported)[a-z]+ed (?:the )?$)',
  // A purpose or an alternative after a report does not make the report a plan.
  ',?\\s+(?=(?:so that|in order to|instead of|rather than)\\s)',
  '\\s+(?=(?:that|who|which) (?:can|will|should|may|might|could|would)\\b)',
]

/** Words after `and` that begin a statement of their own: `tests and lint pass` is one statement. */
const statementStarts: readonly string[] = [
  ...['I', 'we', 'it', 'they', 'all', 'the', 'everything', 'then', 'now', 'both', 'also', 'no'],
  ...['ran', 're-?ran', 'created', 'added', 'wrote', 'updated', 'edited', 'modified', 'changed'],
  ...['deleted', 'removed', 'renamed', 'moved', 'verified', 'confirmed', 'tests?', 'lint'],
]

const clauseStart = new RegExp(
  `${sourceOf(separators)}|,?\\s+and\\s+(?=(?:${sourceOf(statementStarts)})\\b)`,
  'i',
)

/** Splits at words that start a new statement; never inside code or brackets. */
function clausesOf(sentence: string): string[] {
  const parts: string[] = []
  let rest = ''
  // A dash after the path or the label of a list item is a colon: `a.ts – new helper`, `tests – passing`.
  const labelled = sentence.replace(/^(\W*(?:`[^`]+`|(?:[\w-]+ ){0,2}[\w-]+)\W*?) [–—-] /, '$1: ')
  for (const piece of labelled.split(/(`[^`]*`|\([^)]*\)|"[^"]*")/)) {
    if (/^[`("]/.test(piece)) {
      rest += piece
      continue
    }
    const cut = piece.split(clauseStart)
    rest += cut[0] ?? ''
    for (const next of cut.slice(1)) {
      parts.push(rest)
      rest = next
    }
  }
  parts.push(rest)
  return parts.map((each) => each.trim()).filter(Boolean)
}
