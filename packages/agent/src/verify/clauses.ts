// Splits an answer into clauses, and drops what is no claim about the past: plans, conditions, questions,
// instructions, quotations and code.
import { findPaths } from './paths.ts'
import {
  deniesSuccess,
  fileListVerb,
  isNegated,
  isNoReport,
  isPastState,
  isPlan,
  opensPlans,
  sourceOf,
} from './wording/wording.ts'

export interface Clause {
  text: string
  /** The sentence that the clause is part of, for the report. */
  sentence: string
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
  return sentences.flatMap((sentence) => {
    if (isNoReport(sentence)) return []
    const isPast = isPastState(sentence)
    const isHere = clausesOf(sentence).length > 1 && deniesSuccess(sentence)
    const admitsFailure = isHere ? 'sentence' : isAdmitted ? 'answer' : 'no'
    return clausesOf(sentence)
      .filter((text) => !isPlan(text) && (!isPast || isPresentOf(text)))
      .map((text) => ({ text, sentence, isNegated: isNegated(text), admitsFailure }))
  })
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
    if (isSkipping && isListItem) continue
    isSkipping = false
    const verb = fileListVerb(line)
    if (verb !== undefined) {
      listVerb = verb
      continue
    }
    if (!isListItem) listVerb = undefined
    else if (listVerb !== undefined && startsWithPath(line)) {
      sentences.push(`${listVerb} ${line.replace(/^([-*+•]|\d+[.)])\s+/, '')}`)
      continue
    }
    if (/^\|?[\s:|-]+\|?$/.test(line)) continue
    // A quotation holds words of others; a label or a mark makes it a note of the answer.
    if (/^>(?!\s*(\*\*|✅|✓|✔|\[!))/.test(line)) continue
    sentences.push(...splitSentences(line))
  }
  return sentences
}

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
  ',\\s+(?=(?:and|so|then|which|where)\\s)',
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
  // A dash after the path of a list item is a colon: `a.ts – new helper`.
  const labelled = sentence.replace(/^(\W*`[^`]+`\W*?) [–—-] /, '$1: ')
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
