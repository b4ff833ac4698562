// Words that make a sentence or a clause something else than a report of what was done: conditions,
// instructions, questions, the words of others, plans, guesses and states of the past.
import { containing, startingWith } from './phrases.ts'

/** Beginnings of a sentence that is a condition, an instruction or an offer. */
const instructionStarts: readonly string[] = [
  // Conditions.
  ...['if', 'once', 'when(ever)?', 'unless', 'assuming', 'provided', 'suppose', 'in case'],
  ...['where', 'should you', 'after you', 'before you', 'as soon as'],
  // How to do something.
  'to (verify|confirm|check|run|test|see|reproduce)',
  'for (the|all|every|these|your|it|them)\\b[^,.]* to (pass|be|succeed|work|go)',
  'you (can(?! (see|rest assured|be sure|trust))|could|may|should|need|will|might|must|want)',
  // Requests and offers.
  ...['please', "let'?s", 'let me', 'feel free', 'make sure', 'remember', 'ideally'],
  ...['would you', 'do you', 'shall I', 'want me', 'note that you'],
  // Imperatives.
  ...['(re)?run', 'check', 'verify', 'confirm', 'ensure', 'use', 'try', 'see', 'open', 'execute'],
  ...['install', 'review', 'consider', 'create', 'delete', 'remove', 'rename', 'move', 'add'],
  ...['update', 'edit', 'replace', 'keep', 'call', 'start', 'stop', 'look', 'wait'],
  ...['put (this|that|it|these)', 'paste', 'insert', 'apply', 'do not', "don't", 'never'],
]

/** Labels of what is wanted, not of what is: `Goal: all tests pass`. */
const isWanted = startingWith([
  '(the|my|our) (aim|goal|idea|intention|intent|hope|plan|requirement|target|point) (is|was|being)',
  '((my|our|the|one) )?(suggestion|proposal|recommendation|advice|test plan|hypothesis|theory|guess|wish)\\W*:',
  '(passing|getting|making|having)\\b[^.]*\\b(requires?|needs?|would|takes?|means|is|are|depends?)',
  '(goals?|targets?|aims?|requirements?|acceptance( criteri(a|on)| tests?)?|definition of done|expected( result)?|expectation|objective|todo|to do|plan|planned|next( steps?)?|pending|not done|remaining)( is)?:',
])

/** What is asked for, possible or good to have: `it is possible that the tests pass`. */
const isUnreal = containing([
  '(asks?|asked|requires?|required|demands?|demanded|requests?|requested|insists?|insisted|wish(es|ed)?|prefers?|preferred|advise[sd]?|stipulates?) (me|us|you|for|that)',
  '(it|that|this) (is|was|were|seems) (entirely |quite |also |very )?(possible|conceivable|plausible|unlikely|doubtful|important|essential|necessary|crucial|vital|desirable|debatable|questionable|too early)',
  '(asks?|asked|requires?|tells?|told|urges?|urged|reminds?|reminded) [\\w-]+ to',
  'in (an ideal|a perfect|the best) (world|case)',
  '(there is|there was|with) (a|some|no|little) (good |small )?(chance|hope|way|need|reason|evidence|proof|sign|indication)',
  // Not the noun: `a target for the check`.
  '(?<!\\b(a|an|the|new|make|build|test) )(aim|strive|strove|striving|aiming|aimed|target(ed|ing)?|push(ed|ing)?|wait(ed|ing)?|look(ed|ing)?) (for|at|to get|to have|towards?)',
  '(criteri(a|on)|prerequisites?|preconditions?)',
  '(supposed|meant|designed|intended|bound|required|obliged) to',
  '(pretend|imagine|picture|say|suppose|claim(s|ed|ing)?|argue[sd]?|allege[sd]?|purport(s|ed)?|promise[sd]?|assert(s|ed)?) (that|the|all|every)',
  'no (way|idea|telling)',
])

/** A label such as `Check: ok` is no instruction. */
const isInstructed = startingWith(instructionStarts.map((phrase) => `${phrase}(?!:|\\w)`))

/** Conditions within a sentence, and definitions. */
const isConditional = containing([
  'only (?!used|referenced|called|imported)\\w+ (if|when|once|after|with|on|under|in)',
  '(pass|passes|succeeds?|works?|compiles|builds) only (if|when|once|after|with|on|under)',
])
const isDefinition = new RegExp(
  [
    startingWith(['a test (passes|fails) (if|when)', 'passing (tests?|builds?) (is|are|do|does)']),
    containing([
      ...['means? that', '(is|are) required (for|to)', '(is|are) considered'],
      '(is|are) (the|a|an|our|my|one) ([\\w-]+ )?(pre-?condition|condition|requirement|prerequisite|goal|aim|target|plan)',
      '(is|was) (not true|false|untrue|wrong) that',
    ]),
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)
const isQuestion = /\?\W*$/

/** Words of the user, of a document or of another program. */
const isReported = containing([
  'you (said|mentioned|reported|asked|told|noted)',
  'according to',
  'as (stated|described) in',
  'the (issue|ticket|README|docs?|documentation|log|comments?|title|badge|([\\w-]+ )?description|([\\w-]+ )?message|e-?mail|guide|task|prompt|brief|spec(ification)?|changelog|status page|dashboard) (says?|said|states?|stated|claims?|claimed|mentions?|promise[sd]?)',
  '(the|a|your|my) (reviewer|user|author|maintainer|colleague|team|customer|client|manager|developer) (said|says|claims?|claimed|wrote|told|reported|reports)',
  '(screenshot|issue|ticket|badge|README|post|thread|article|e-?mail|video|blog)s?\\b.{0,30}\\b(shows?|showed|says?|said|claims?|states?|reports?)',
  // What the history says about the work of others.
  '(history|git log|git blame|blame|changelog|commit|log) (shows?|says?|states?|indicates?|reveals?)',
  '(last|previous|earlier) (commit|release|version|author|developer|session|pull request)',
  '(a|an) (commit|pull request|release) (from|by|of|in)',
  'in (January|February|March|April|May|June|July|August|September|October|November|December|(19|20)\\d\\d)',
  '(last (week|month|year)|yesterday|(days?|weeks?|months?|years?) ago)',
  "(the|their|its|another) ([\\w-]+ ){0,2}(project|site|vendor|authors|maintainers|team|paper|book|tutorial)('s)? (says?|said|states?|claims?|claimed|reports?|reported) that",
  '(CI|upstream|the previous (agent|session|author)) (says|said|reports?|reported|claims?|claimed)',
])

/** Whether a sentence reports nothing that the agent did. */
export function isNoReport(sentence: string): boolean {
  return [
    isInstructed,
    isWanted,
    isConditional,
    isDefinition,
    isQuestion,
    isReported,
    isUnreal,
  ].some((pattern) => pattern.test(sentence))
}

/** Makes a clause a plan, a wish or a guess. */
const planned = containing([
  // Auxiliary verbs.
  ...["should(n't)?", "would(n't)?", "could(n't)?", 'will', "won't", "\\w+'ll", 'may', 'might'],
  ...[
    "can(not|'t)?",
    'must',
    'shall',
    'need(s|ed)? (to|a|an|the|all|more|another)',
    'ha(s|ve) to',
    'had to',
  ],
  // Intentions.
  ...['going to', 'about to', 'plan(s|ned|ning)? to', 'intend(s|ed)? to', 'want(s|ed)?'],
  ...[
    'try(ing)? to',
    'tried to',
    'hop(e|es|ing)',
    "next,? I('ll| will| would| plan| can| am|'m)",
    'let me',
    "let's",
  ],
  ...['remains? to', 'yet to', 'to be (done|run|tested|fixed|created|updated|added|removed)'],
  // Guesses.
  ...['(?<!as )expect(s|ed)?', '(with|by) (any |some |a bit of )?luck', 'fingers crossed'],
  ...['(not|un)( entirely| quite)? ?(sure|certain|clear)', 'I doubt', 'no guarantee'],
  ...[
    '(?<!else )depends? on',
    'as far as (I|we)',
    'assum(e|es|ing|ed)',
    'presumably',
    'probably',
    'likely',
    'in theory',
  ],
  ...['confident', 'theoretically', 'optimistic', 'my (bet|guess|impression|understanding)'],
  ...[
    'once (all|the|it|they|CI|you|we|that|this|every\\w*|tests)',
    'in order for',
    'to get (the|all|every|it|them|this|these)',
  ],
  ...['suppos(e|ed|edly)', 'hopefully', 'believes?', 'I think', 'guess(es)?', 'suspect', 'ought'],
  ...['seems?', 'appears? to', 'apparently', 'perhaps', 'maybe', 'in principle', 'ideally'],
  // Purposes, conditions and alternatives.
  ...['instead of', 'rather than', 'so that', 'in order to', 'whether', 'if', 'unless', 'until'],
  ...[
    'when(ever)?(?! (I|we) (run|ran)\\b)',
    'as long as',
    'provided( that)?',
    'to make (the|all|every|it|them)',
    'make (the|all|every|it|them)\\b.*\\b(pass|green|succeed|work)',
  ],
  ...[
    '(is|are|still|was|were) pending',
    'pending (the|a|on|review|your|further)',
    'recommend',
    'suggest',
    'consider(?! (this|it|that|the (work|task|change)))',
    'for example',
    'e\\.g\\.',
  ],
])

/** Results of another branch or machine. */
const elsewhere = startingWith([
  '(and )?on `?(main|master|trunk|develop|upstream|ci|the (main|base|other|old) branch)`?',
])

/** `I can confirm that` is a report. */
const performative =
  /\b(can|could|may|must|am happy to|am glad to|'m happy to|'m pleased to) (now |also |happily )*(confirm|report|say|see|verify|attest|state|rest assured|be sure|trust)\b/gi

/** `I could not find any other uses` is a result. */
const foundNone = /\b(could|can)(n't| ?not) (find|see|spot|locate) any\b/gi

/** Whether a clause is a plan, a wish or a guess; code and quotations do not count. */
export function isPlan(clause: string): boolean {
  const prose = clause.replace(/`[^`]*`/g, '`x`').replace(/"[^"]*"/g, '"x"')
  return (
    planned.test(prose.replace(performative, ' ').replace(foundNone, ' ')) || elsewhere.test(clause)
  )
}

/** The state before the work, not the result of it. */
const past = containing([
  'previously(?! (failing|broken|red|flaky|skipped))',
  '(old|previous|original|former|earlier) (version|code|implementation|approach|one|state|build|run|release) (passed|passes|succeeded|worked|was|had|compiled|built)(?! (deleted|removed|moved|renamed|replaced))',
  ...['originally', 'initially', 'used to', 'at first', 'to begin with', 'in the past'],
  '(pass|passed|passes|green|succeeded|worked) (for|with|on|in|against) the (old|previous|original|former)',
  // `The tests passed before the commit` is a check of the work.
  '(?!before (the|my) commit\\W*$)before (my|the|this|that|these|any) (\\w+ )?(change|fix|edit|patch|work|commit|refactor)\\w*',
  'at the (start|beginning)',
  '(?<!on (the|my|its) )(first|earlier|previous|initial) (attempt|try|version|approach|idea)',
  'before (I|we) \\w+',
  ...['was already', 'were already', 'already (passed|passing|existed|exists|present|there)'],
])

const pastStart = startingWith(['earlier(?= )', 'in an earlier'])

/** What was broken and now works is a result: `the test that used to fail passes`. */
const mended =
  /\b(that|which) (used to|previously|originally|initially) (fail|failed|break|broke)\b/gi

export function isPastState(text: string): boolean {
  return past.test(text.replace(mended, ' ')) || pastStart.test(text)
}
