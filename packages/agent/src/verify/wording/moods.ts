// Words that make a sentence or a clause something else than a report of what was done: conditions,
// instructions, questions, the words of others, plans, guesses and states of the past.
import { containing, startingWith } from './phrases.ts'

/** Beginnings of a sentence that is a condition, an instruction or an offer. */
const instructionStarts: readonly string[] = [
  // Conditions.
  ...['if', 'once', 'when(ever)?', 'unless', 'assuming', 'provided', 'suppose', 'in case'],
  ...['should you', 'after you', 'before you', 'as soon as'],
  // How to do something.
  'to (verify|confirm|check|run|test|see|reproduce)',
  'you (can|could|may|should|need|will|might|must|want)',
  // Requests and offers.
  ...['please', "let'?s", 'let me', 'feel free', 'make sure', 'remember', 'ideally'],
  ...['would you', 'do you', 'shall I', 'want me', 'note that you'],
  // Imperatives.
  ...['(re)?run', 'check', 'verify', 'confirm', 'ensure', 'use', 'try', 'see', 'open', 'execute'],
  ...['install', 'review', 'consider', 'create', 'delete', 'remove', 'rename', 'move', 'add'],
  ...['update', 'edit', 'replace', 'keep', 'call', 'start', 'stop', 'look', 'wait'],
]

/** A label such as `Check: ok` is no instruction. */
const isInstructed = startingWith(instructionStarts.map((phrase) => `${phrase}(?!:|\\w)`))

/** Conditions within a sentence, and definitions. */
const isConditional = containing(['only \\w+ (if|when|once|after)'])
const isDefinition = startingWith(['a test (passes|fails) (if|when)'])
const isQuestion = /\?\W*$/

/** Words of the user, of a document or of another program. */
const isReported = containing([
  'you (said|mentioned|reported|asked|told|noted)',
  'according to',
  'as (stated|described) in',
  'the (issue|ticket|README|docs?|documentation|log|comment) (says|said|states|claims|mentions)',
  '(CI|upstream|the previous (agent|session|author)) (says|said|reports?|reported|claims?|claimed)',
])

/** Whether a sentence reports nothing that the agent did. */
export function isNoReport(sentence: string): boolean {
  return [isInstructed, isConditional, isDefinition, isQuestion, isReported].some((pattern) =>
    pattern.test(sentence),
  )
}

/** Makes a clause a plan, a wish or a guess. */
const planned = containing([
  // Auxiliary verbs.
  ...["should(n't)?", "would(n't)?", "could(n't)?", 'will', "won't", "\\w+'ll", 'may', 'might'],
  ...["can(not|'t)?", 'must', 'shall', 'need(s|ed)? to', 'ha(s|ve) to', 'had to'],
  // Intentions.
  ...['going to', 'about to', 'plan(s|ned|ning)? to', 'intend(s|ed)? to', 'want(s|ed)?'],
  ...['try(ing)? to', 'tried to', 'hop(e|es|ing)', 'next,? I', 'let me', "let's"],
  ...['remains? to', 'yet to', 'to be (done|run|tested|fixed|created|updated|added|removed)'],
  // Guesses.
  ...['expect(s|ed)?', 'assum(e|es|ing|ed)', 'presumably', 'probably', 'likely', 'in theory'],
  'suppos(e|ed|edly)',
  // Purposes, conditions and alternatives.
  ...['instead of', 'rather than', 'so that', 'in order to', 'whether', 'if', 'unless', 'until'],
  ...['pending', 'recommend', 'suggest', 'consider', 'for example', 'e\\.g\\.'],
])

/** Whether a clause is a plan, a wish or a guess; code and quotations do not count. */
export function isPlan(clause: string): boolean {
  return planned.test(clause.replace(/`[^`]*`/g, '`x`').replace(/"[^"]*"/g, '"x"'))
}

/** The state before the work, not the result of it. */
const past = containing([
  'previously(?! (failing|broken|red|flaky|skipped))',
  ...['originally', 'initially', 'used to', 'at first', 'to begin with', 'in the past'],
  'before (my|the|this|that|these|any) (change|fix|edit|patch|work|commit|refactor)\\w*',
  'at the (start|beginning)',
  ...['was already', 'were already', 'already (passed|passing|existed|exists|present|there)'],
])

export function isPastState(sentence: string): boolean {
  return past.test(sentence)
}
