// Claims that tests, the build, the type check, the linter or everything passes. A row lists the phrases of
// one claim; vocabulary.ts holds the word lists in braces.
import type { RunKind } from '../commands/commands.ts'
import { containing, startingWith } from '../wording/wording.ts'
import { vocabulary } from './vocabulary.ts'

export type Passing = RunKind | 'any'

const phrases: Readonly<Record<Passing, readonly string[]>> = {
  test: [
    '{tests}{..70}{good}',
    'pass(es|ed|ing)?{..40}{tests}',
    'green{..20}{tests}',
    '\\d+( ?/ ?\\d+| of \\d+| out of \\d+)? (tests? |specs? )?(pass(ed|ing)?|green|succeeded)',
    '{no} (test )?(failures|failing tests|failed tests|regressions in the tests)',
    '{tests}{..30}(runs?|ran|finish(es|ed)|completes?d?) without (any )?(errors?|failures?|problems)',
    'none of the {tests} fail(s|ed)?',
    "{tests} (no longer|don't|do not|doesn't) fail",
    '{tests} (is|are|were|have been|was)( all| now| both)* (fixed|repaired)',
    '{runner}\\W{1,3}({..30})?({good}|all green|exits? (with )?(code )?(0|zero))',
    // German, French and Spanish.
    'alle (\\d+ )?tests? (laufen( wieder| jetzt)? durch|bestehen|sind (grün|erfolgreich)|erfolgreich|bestanden)',
    'tous les (\\d+ )?tests (passent|sont (verts|passés)|réussissent)',
    '(todas las (\\d+ )?pruebas|todos los (\\d+ )?tests) (pasan|pasaron|están en verde)',
  ],
  build: [
    '{build}{..40}{good}',
    '{product}( now| still| also| again)? {compiles}(?! (a|an|the|its|on|up|from|upon|by)\\b)',
    'build( still| now| also)? works',
    '{compiles} (fine|cleanly|successfully|without|ok|again|with no)',
    '{no} (compile|compilation|compiler|build) (errors?|failures?|warnings?)',
    'successful(ly)? (build|built|compil\\w+)',
  ],
  types: [
    '{typeCheck}{..43}({good}|no (errors|issues|complaints)|without (any )?errors?)',
    'types? (checks?|is clean|are clean|pass(es)?)',
    '(it|everything|all|code|project)( now| still| also)? type-?checks',
    '{no} (new )?(type|typescript|tsc|typing|mypy) ?(check )?(errors?|issues|failures)',
  ],
  lint: [
    '{linter}{..43}({good}|no {findings}|without (any )?(errors?|warnings?))',
    '{no} (new )?(lint(ing|er)?|eslint|ruff|clippy|style) ({findings}|violations?)',
  ],
  any: ['{everything}( is| are| now| still| comes? back| came back)*\\W{0,2} ?({good}|all green)'],
}

const patterns = new Map(
  Object.entries(phrases).map(([what, list]) => [what, containing(list, vocabulary)]),
)

/** Whether the words of a clause claim that `what` passes. */
export function claimsSuccess(what: Passing, text: string): boolean {
  return patterns.get(what)?.test(text) === true
}

/** `it passes`, after a clause that names the tests. */
const pronounClaim = startingWith(
  [
    '(and )?(it|they|both|all)( all| now| both| of them)* (pass(es|ed)?|succeed(s|ed)?)',
    '(and )?(it|they|both|all)( all| now| both| of them)* (is|are|was|were|came back|comes back)( now| all| fully)* (green|clean)',
  ],
  vocabulary,
)
const namesTests = containing(['{tests}'], vocabulary)

export function claimsSuccessOfThem(text: string, sentence: string): boolean {
  return pronounClaim.test(text) && namesTests.test(sentence)
}

/** Objects that a suite is said to pass: `the patch passes the full suite`. */
const passedObjects =
  '(full|whole|entire|existing|new|old|complete|unit|integration|tests?|test suite|suite|specs?|checks?|same|\\d+)\\b'
const places = '(my|this|all|both|every|node|linux|macos|windows|ci|the (first|second))\\b'

/** `pass` in the sense of handing over: `passes the options to`. */
const handover = containing([
  `pass(es|ed|ing)? (it|them|along|through|on(?! ${places})|down|in(?! (\\d|under|about|less)))`,
  `pass(es|ed|ing)? (the|a|an|its|this|that|these|their) (?!${passedObjects})\\S*`,
  'pass(es|ed|ing)? `\\w+` (to|as|into)',
  '(that|which|to|who) pass(es|ed|ing)?(?= )',
])

export function handsOver(text: string): boolean {
  return handover.test(text)
}
