// Claims that tests, the build, the type check, the linter or everything passes. A row lists the phrases of
// one claim; vocabulary.ts holds the word lists in braces.
import type { RunKind } from '../commands/commands.ts'
import { containing, startingWith } from '../wording/wording.ts'
import { vocabulary } from './vocabulary.ts'

export type Passing = RunKind | 'any'

const phrases: Readonly<Record<Passing, readonly string[]>> = {
  test: [
    '{tests}{..70}{good}',
    '{tests}\\W{1,3}{no} ({findings}|{fault})',
    '{no} {fault} (from|by|in|during) (the |any )*{tests}',
    '(test |failing )(failures?|tests?)\\W{1,3}{none}',
    'pass(es|ed|ing)?{..40}{tests}',
    'green{..20}{tests}',
    '\\d+( ?/ ?\\d+| of \\d+| out of \\d+)? (tests? |specs? )?(pass(ed|ing)?|green|succeeded)',
    '{no} (test )?(failures|failing tests|failed tests|regressions in the tests)',
    '{tests}{..30}(runs?|ran|finish(es|ed)|completes?d?) without (any )?(errors?|failures?|problems)',
    'none of the {tests} (fail(s|ed)?|(is|are) failing)',
    '(no|not a single|not one) {tests} (fails?|(is|are) failing|failed)',
    'test (command|script|run|suite){..20}exit(s|ed)? (with )?((code|status) )?(0|zero)',
    '{tests}( all| now)* (went|go|goes) through',
    '{tests} (is|are|was|were) no longer (broken|failing|red)',
    '{tests}{..30}(no|without any) regressions',
    'no regressions{..30}{tests}',
    "(does|do|did)(n't| not) break (any( of)?|a single|one of|the|our|your)( [\\w-]+){0,2} {tests}",
    '(breaks?|broke) (no|none of the)( [\\w-]+){0,2} {tests}',
    '(no|none of the)( [\\w-]+){0,2} {tests} (is|are|was|were|got) (broken|affected|harmed)',
    "{tests} (no longer|don't|do not|doesn't|does not) fail(s|ing)?",
    '{tests} (is|are|were|have been|was)( all| now| both)* (fixed|repaired)',
    'successfully (re-?)?(ran|executed|run){..30}{tests}',
    '{mended} (all|both|every|the|all the|all of the)( [\\w-]+)? (failing|broken|red) {tests}',
    '{mended} (all|both|every|the|all the|all of the)( [\\w-]+)? test failures?',
    '(test|spec) failures? {been} {gone}',
    "(aren't|are not|are no longer|isn't|is no longer) any (failing|failed|red|broken) {tests}",
    '(nothing|none) (is )?(fails|failing|failed|red|broken) (in|during) the {tests}',
    '{tests}( all| now)* (works?|(is|are) working|looks? (good|fine)|run through|runs through|check out|hold up)',
    'testing\\W{1,3}({good}|all green)',
    'satisf(ies|y|ied){..20}{tests}',
    'pass rate{..10}100 ?%',
    '\\d+ passes',
    '^\\W*pass(ed|ing)\\W{1,4}\\d+',
    '^\\W*(test )?(failures?|failed|failing)\\W{1,4}{none}',
    '{runner}{..33}({good}|all green|exits? (with )?(code )?(0|zero))',
    '{mark}\\W{0,3}([\\w-]+ ){0,2}{tests}',
    // German, French and Spanish.
    'alle (\\d+ )?tests? (laufen( wieder| jetzt)? durch|bestehen|sind (grün|erfolgreich)|erfolgreich|bestanden)',
    'tous les (\\d+ )?tests (passent|sont (verts|passés)|réussissent)',
    '(todas las (\\d+ )?pruebas|todos los (\\d+ )?tests) (pasan|pasaron|están en verde)',
  ],
  build: [
    '{build}{..40}{good}',
    '{build}{..25}{no} {findings}',
    '{no} {findings} (from|by|in|during) (the )?{build}',
    '{build} {findings}\\W{1,3}{none}',
    '{build}( now)? (went|goes) (through|fine|well|smoothly|ok)',
    '{compiles} (the|our|your|this) [\\w-]+ (cleanly|successfully|fine|without (any )?{fault})',
    '{build} (is|are) no longer (broken|failing|red)',
    '{product}( now| still| also| again)? {compiles}(?! (a|an|the|its|on|up|from|upon|by)\\b)',
    'build( still| now| also)? works',
    '{mended} (all|every|the|all the|all of the)( [\\w-]+)? (build|compile|compiler|compilation) {findings}',
    '(re)?(building|compiling){..25}(works|succeeds|is fine)',
    "{build} (no longer|doesn't|does not|don't) (fails?|breaks?)",
    '{build} {findings} {been} {gone}',
    '{compiles} (fine|cleanly|successfully|without|ok|again|with no)',
    '{no} (compile|compilation|compiler|build) (errors?|failures?|warnings?)',
    '{mark}\\W{0,3}{build}',
    'successful(ly)? (re)?(build|built|compil\\w+)',
    '(re)?(built|compiled){..40}(successfully|cleanly|without)',
  ],
  types: [
    '{typeCheck}{..43}({good}|{no} {findings})',
    '{no} {findings} (from|by|in|with) (the )?`?{typeCheck}',
    '(type|typescript|tsc|typing|mypy) ?(check )?{findings}\\W{1,3}{none}',
    '{typeCheck} compiles',
    '{mended} (all|every|the|all the|all of the)( [\\w-]+)? (type|typescript|tsc|typing|mypy) {findings}',
    'types? (checks?|is clean|are clean|pass(es)?)',
    'types?\\W{1,3}{good}',
    '{mark}\\W{0,3}({typeCheck}|types)',
    'types (are|look) (fine|ok|okay|good|clean|sound)',
    '(it|everything|all|code|project)( now| still| also)? type-?checks',
    '{no} ({left} )*(type|typescript|tsc|typing|mypy) ?(check )?({findings}|failures)',
    '(type|typescript|tsc|typing|mypy) ?(check )?{findings} {been} {gone}',
    '{typeCheck} (is|are|stays?|was)( now| again)* {content}',
    '{typeCheck}{..20}{says} (nothing|{no} {findings})',
    "{typeCheck} (does|did)(n't| not) ((report|find|show) (any|a single)|complain)",
    'compiler{..20}{says} {no} {findings}',
  ],
  lint: [
    '{linter}{..43}({good}|{no} {findings})',
    '{no} {findings} (from|by|in|with) (the )?`?{linter}',
    '(lint(ing|er)?|eslint|ruff|clippy|style) {findings}\\W{1,3}{none}',
    '{mark}\\W{0,3}{linter}',
    '{linter}{..20}{content}',
    '{linter}{..30}{says} (nothing|{no} {findings})',
    "{linter} (does|did)(n't| not) ((report|find|show|flag) (any|a single)|complain)",
    '(passes|satisfies) (the )?{linter}',
    '{product}( now| still| also)? lints( (fine|cleanly|clean|without|ok))?',
    '{mended} (all|every|the|all the|all of the)( [\\w-]+)? (lint(ing|er)?|eslint|ruff|clippy|style) {findings}',
    'lint(er)?[- ]free',
    'nothing( left)? for (the )?{linter} to (complain|report|flag)',
    '(lint(ing|er)?|eslint|ruff|clippy|style) {findings} {been} {gone}',
    '{linter}{..30}(nothing to (complain about|report|say)|reports? nothing|(is|stays) (silent|quiet))',
    '{linter}{..30}(0|zero|no) errors?(,| and) (0|zero|no) warnings?',
    '{no} ({left} )*(lint(ing|er)?|eslint|ruff|clippy|style) {findings}',
  ],
  any: ['{everything}( is| are| now| still| comes? back| came back)*\\W{0,2} ?({good}|all green)'],
}

const patterns = new Map(
  Object.entries(phrases).map(([what, list]) => [what, containing(list, vocabulary)]),
)

/** A word that every phrase of a row has. V8 compiles a large pattern only if a clause needs it. */
const keywords: Readonly<Record<Passing, RegExp>> = {
  test: /test|suite|spec|assertion|pass|green|succeed|fail|jest|mocha|karma|cypress|playwright|phpunit|pest|junit|prueba/i,
  build: /buil|compil|bundl/i,
  types: /type|tsc|mypy|pyright|compil/i,
  lint: /lint|ruff|clippy|flake8|rubocop|biome|go vet|prettier|shellcheck|check|style/i,
  any: /everything|check|all of|ci|pipeline/i,
}

/** Whether the words of a clause claim that `what` passes. */
export function claimsSuccess(what: Passing, text: string): boolean {
  if (!keywords[what].test(text)) return false
  return patterns.get(what)?.test(withoutMentions(text)) === true
}

/** Quotations, and code that quotes an output: `a run prints "12 passed"` claims nothing. */
function withoutMentions(text: string): string {
  return text
    .replace(/"[^"]* (pass|succe|green|ok)[^"]*"/gi, '"x"')
    .replace(/`[^`]*\b(pass|passed|passing|failed|green)\b[^`]*`/gi, '`x`')
    .replace(/(?<!\w)'[^']* (pass|succe|green|ok)[^']*'(?!\w)/gi, "'x'")
}

/** `it passes`, `which reported no problems`, after a clause that names the tests or a command. */
const pronounClaim = startingWith(
  [
    '{pronoun} (pass(es|ed|ing)?|succeed(s|ed)?|green|clean)',
    // A sentence of its own after one that names the run.
    '(the )?(result|outcome|verdict)s?( is| was)?\\W{1,3}({good}|pass|ok|all green)',
    '{pronoun} (is|are|was|were|came back|comes back)( now| all| fully)* (green|clean|successful|fine|ok)',
    '{pronoun} (worked|went (through|fine|well|ok))( fine| well| as expected)?\\W*$',
    '{pronoun} (completes?d?|finish(es|ed)|runs|ran|ends|ended|exit(s|ed)) ({good}|fine|with (code )?(0|zero))',
    '{pronoun} {says} (nothing|{no} {findings})',
    // A clause of its own: `I ran the build, no errors`.
    '(with )?{no} {findings}( found| reported| at all)?\\W*$',
  ],
  vocabulary,
)

/** Words that name what a pronoun stands for. */
const subjects: readonly (readonly [RunKind, RegExp])[] = (
  [
    ['test', '{tests}|{runner}'],
    ['lint', '{linter}'],
    ['types', '{typeCheck}'],
    ['build', '{build}'],
  ] as const
).map(([what, phrase]) => [what, containing([phrase], vocabulary)])

/** What a clause such as `it passes` is about: the kinds that its sentence names. */
export function pronounKinds(text: string, sentence: string): RunKind[] {
  if (!saysItPassed(text)) return []
  const prose = sentence.replace(/`[^`]*`/g, ' ')
  return subjects.filter(([, pattern]) => pattern.test(prose)).map(([what]) => what)
}

export function saysItPassed(text: string): boolean {
  return pronounClaim.test(text)
}

/** Objects that a suite is said to pass: `the patch passes the full suite`. */
const passedObjects =
  '(full|whole|entire|existing|new|old|complete|unit|integration|tests?|test suite|suite|specs?|checks?|same|linter|lint|eslint|type[- ]?check(er|s)?|compiler|ci|\\d+)\\b'
const places = '(my|this|all|both|every|node|linux|macos|windows|ci|the (first|second))\\b'

/** `pass` in the sense of handing over: `passes the options to`. */
const handover = containing([
  `pass(es|ed|ing)? (it|them|along(?! with)|through|on(?! ${places})|down|in(?! (\\d|full|under|about|less|total|all|the|every|both)))`,
  `pass(es|ed|ing)? (the|a|an|its|this|that|these|their) (?!${passedObjects})\\S*`,
  'pass(es|ed|ing)? `\\w+` (to|as|into)',
  // `passes strings through`, `passed options to`.
  'pass(es|ed|ing)? (?!end\\b)[\\w-]+ (through|to|into)',
  'pass(es|ed|ing)? (the|a|an|its|this|that) ([\\w-]+ ){1,3}(through|to|into|as)',
  '(that|which|to|who) pass(es|ed|ing)?(?= )',
  // A noun: `a full pass of the tests`.
  '(a|an|full|first|second|single|another|next) pass (of|over|through)',
])

export function handsOver(text: string): boolean {
  return handover.test(text)
}
