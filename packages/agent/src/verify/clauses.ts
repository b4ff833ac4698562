// Splits an answer into clauses, and drops what is no claim about the past: plans, conditions, questions,
// instructions, quotations and code.
import { findPaths } from './paths.ts'

export interface Clause {
  text: string
  /** The sentence that the clause is part of, for the report. */
  sentence: string
  /** The clause denies something: `not`, `failed`, `except`. */
  isNegated: boolean
  /** Another clause of the sentence, or of the answer, admits a failure. */
  admitsFailure: 'sentence' | 'answer' | 'no'
}

/** Sections that list what is still to be done, or how the reader runs something. */
const openSection =
  /^(#+ *|\*\*|[-*] \*\*)?(next steps?|to-?dos?|remaining|left to do|what.?s (left|next)|follow-?ups?|suggest\w*|recommend\w*|how to \w+|to (run|test|verify|try)\b.*|usage|you can|if you|not (done|verified|tested|run)|open (questions|issues|points)|known (issues|failures)|caveats?|limitations?|plan|proposed?|before( this)?( change)?|previously|still (failing|open|to do))\b.{0,60}$/i

/** Makes a whole sentence a condition, a question or a report of another voice. */
const conditionalSentence =
  /\bonly \w+ (if|when|once|after)\b|^\W*a test (passes|fails) (if|when)\b|^\W*(if|once|when(ever)?|unless|assuming|provided|suppose|in case|should you|after you|before you|as soon as|to (verify|confirm|check|run|test|see|reproduce)|you (can|could|may|should|need|will|might|must|want)|please|let'?s|let me|feel free|make sure|remember|ideally|would you|do you|shall I|want me|(re)?run|check|verify|confirm|ensure|use|try|see|open|execute|install|review|consider|create|delete|remove|rename|move|add|update|edit|replace|keep|call|start|stop|look|note that you|wait)\b(?!:)|\?\W*$|\b(you (said|mentioned|reported|asked|told|noted)|according to|as (stated|described) in|the (issue|ticket|README|docs?|documentation|log|comment) (says|said|states|claims|mentions)|(CI|upstream|the previous (agent|session|author)) (says|said|reports?|reported|claims?|claimed))\b/i

/** Makes a clause a plan, a wish or a guess. */
const plan =
  /\b(should(n't)?|would(n't)?|could(n't)?|will|won't|'ll|may|might|can(not|'t)?|must|shall|need(s|ed)? to|ha(s|ve) to|had to|going to|about to|plan(s|ned|ning)? to|intend(s|ed)? to|want(s|ed)?|try(ing)? to|tried to|hop(e|es|ing)|expect(s|ed)?|assum(e|es|ing|ed)|presumably|probably|likely|in theory|suppos(e|ed|edly)|next,? I|let me|let's|remains? to|yet to|to be (done|run|tested|fixed|created|updated|added|removed)|instead of|rather than|so that|in order to|whether|if|unless|until|pending|recommend|suggest|consider|for example|e\.g\.)\b/i

const negation =
  /\b(not|n't|never|no longer|neither|nor|without (running|testing|checking|changing|touching|editing)|didn't|did not|haven't|have not|hasn't|wasn't|weren't|isn't|aren't|don't|doesn't|unable|refus\w+|skipped|fail(s|ed|ing|ure|ures)?|broken|breaks?|red|except|apart from|other than|timed out|untested|unverified|error(s|ed)?|cannot|only \d+ of)\b/i

/** Words that look like a negation and are none. */
const harmlessNegation =
  /\b(no|zero|0|without( any)?|free of|not a single) (test |lint(ing)? |type |compile |compilation |build |new |more |remaining |other |further |TypeScript |ESLint )*(fail\w*|errors?|warnings?|regressions?|issues?|problems?|breakage|broken \w+)\b( (or|and) (fail\w*|errors?|warnings?))?|\b(no longer|don't|do not|doesn't) fail\b|\bno ([\w-]+ ){0,2}(tests?|specs?) (was|were|is|are|got) (broken|harmed|affected)\b|\b0 failed\b|\b\d+ (skipped|todo|pending|ignored)\b|\b(nothing|none( of (them|the tests))?) (has |have )?fail(ed|s)?\b|\b(previously|formerly|once|the|that was|that were) (failing|broken|red)\b|\b(fixed|resolved|corrected|handled?|handles|cover(s|ed|ing)?|added|repaired|eliminated) (a |an |the |that |this |all |both |two |one |\d+ )*[\w-]*( [\w-]+){0,3}? ?(failure|failing|error|broken)\w*|\berror[- ](handling|messages?|paths?|codes?|cases?|class\w*|types?|boundar\w+|branch\w*)\b|\b(failing|broken|red) (tests?|specs?|builds?|suites?)(?= (are|is|were|was|have|has|now|all|both|pass))|\bnot only\b|\bfailure (cases?|modes?|paths?)\b|\berrors?\.\w+|`[^`]*`/gi

/** Longer texts are no prose; the bounds keep every pattern fast. */
const maxAnswerLength = 256 * 1024
const maxSentenceLength = 2000

export function splitClauses(answer: string): Clause[] {
  const sentences = sentencesOf(answer.slice(0, maxAnswerLength)).map((sentence) =>
    sentence.slice(0, maxSentenceLength),
  )
  const isAdmitted = sentences.some(deniesSuccess)
  return sentences.flatMap((sentence) => {
    if (conditionalSentence.test(sentence) || pastState.test(sentence)) return []
    const isHere = clausesOf(sentence).length > 1 && deniesSuccess(sentence)
    const admitsFailure = isHere ? 'sentence' : isAdmitted ? 'answer' : 'no'
    return clausesOf(sentence)
      .filter((text) => !plan.test(withoutCode(text)))
      .map((text) => ({ text, sentence, isNegated: isNegated(text), admitsFailure }))
  })
}

function isNegated(text: string): boolean {
  return negation.test(text.replace(harmlessNegation, ' '))
}

function deniesSuccess(sentence: string): boolean {
  return /\b(fail\w*|red|broken)\b/i.test(sentence) && isNegated(sentence)
}

/** The state before the work, not the result of it. */
const pastState =
  /\b(previously(?! (failing|broken|red|flaky|skipped))|originally|initially|used to|before (my|the|this|that|these|any) (change|fix|edit|patch|work|commit|refactor)\w*|at first|at the (start|beginning)|to begin with|in the past|was already|were already|already (passed|passing|existed|exists|present|there))\b/i

function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, '`x`').replace(/"[^"]*"/g, '"x"')
}

function sentencesOf(answer: string): string[] {
  const sentences: string[] = []
  let isSkipping = false
  /** The verb of a heading such as `Files changed:`, for the list below it. */
  let listVerb: string | undefined
  for (const raw of withoutBlocks(answer).split('\n')) {
    const line = raw.trim()
    const isListItem = /^([-*+•]|\d+[.)])\s/.test(line)
    if (line === '') continue
    if (
      openSection.test(line.replace(/^([-*+•]|\d+[.)])\s+/, '')) &&
      (!isListItem || /:\W*$/.test(line))
    ) {
      isSkipping = /:\W*$|^#|^\*\*.*\*\*$/.test(line)
      if (!isSkipping && !/:/.test(line)) sentences.push(...splitSentences(line))
      continue
    }
    if (isSkipping && isListItem) continue
    isSkipping = false
    const verb = fileList.exec(line)
    if (verb !== null) {
      listVerb = (verb[1] ?? verb[2] ?? '').replace(/^new$/i, 'created')
      continue
    }
    if (!isListItem) listVerb = undefined
    else if (listVerb !== undefined && startsWithPath(line)) {
      sentences.push(`${listVerb} ${line.replace(/^([-*+•]|\d+[.)])\s+/, '')}`)
      continue
    }
    if (/^>|^\|?[\s:|-]+\|?$/.test(line)) continue
    sentences.push(...splitSentences(line))
  }
  return sentences
}

const fileList =
  /^(?:#+ *|\*\*)?(?:(?:\d+ |all )?files? (changed|modified|edited|updated|touched|added|created|deleted|removed)|(changed|modified|edited|updated|touched|new|created|added|deleted|removed) files?)\b[^`]{0,20}$/i

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

/** Splits at words that start a new statement; never inside code or brackets. */
function clausesOf(sentence: string): string[] {
  const parts: string[] = []
  let rest = ''
  for (const piece of sentence.split(/(`[^`]*`|\([^)]*\)|"[^"]*")/)) {
    if (/^[`("]/.test(piece)) {
      rest += piece
      continue
    }
    const cut = piece.split(
      /;\s+|\s+[–—]\s+|\s+-\s+|,?\s+(?:but|however|though|although|yet|while|whereas)\s+|,\s+(?=(?:and|so|then|which|where)\s)|,?\s+and\s+(?=(?:I|we|it|they|all|the|everything|then|now|both|also|ran|re-?ran|created|added|wrote|updated|edited|modified|changed|deleted|removed|renamed|moved|verified|confirmed|tests?|lint|no)\b)/i,
    )
    rest += cut[0] ?? ''
    for (const next of cut.slice(1)) {
      parts.push(rest)
      rest = next
    }
  }
  parts.push(rest)
  return parts.map((each) => each.trim()).filter(Boolean)
}
