// Words that deny success, and phrases that look like a denial and are none.
import { containing, every } from './phrases.ts'

const denial = containing([
  ...['not', "n't", 'never', 'no longer', 'neither', 'nor', 'cannot', 'unable', 'refus\\w+'],
  'without (running|testing|checking|changing|touching|editing)',
  ...['did', 'have', 'has', 'was', 'were', 'is', 'are', 'do', 'does'].map((word) => `${word}n't`),
  ...[
    'skipped',
    'fail(s|ed|ing|ure|ures)?',
    'broken',
    'breaks?',
    'red',
    'timed out',
    'error(s|ed)?',
  ],
  ...[
    'at least',
    'number of (passing|failing|green)',
    '(tests?|specs?) that (pass|fail)(es|s|ed)?\\W*:',
  ],
  '(no|zero|0|none of the) (tests?|specs?|suites?) (pass|passes|passed|succeed|(is|are) passing|(is|are) green)',
  ...[
    'stopped short of',
    'held off',
    'refrain(ed)?',
    'avoid(ed)?',
    'forgot',
    'neglected',
    'omitted',
  ],
  ...[
    'declined',
    'postponed',
    'deferred',
    'decided against',
    'untested',
    'unverified',
    'except',
    'exceptions?',
    'apart from',
    'other than',
  ],
  ...['only \\d+ of', 'but (one|two|three|\\d+)', '(all|everything|every\\w*) but'],
  // A part is not the whole.
  ...[
    'most( of)?(?! (importantly|notably))',
    'almost',
    'nearly',
    'virtually',
    'not quite',
    'close to',
    'many( of)?',
    'majority of',
    'some( of)?',
    'half (of )?the',
  ],
])

const words = {
  no: ['no', 'zero', '0', 'without( any| a| a single| one)?', 'free of', 'not (a single|one|any)'],
  kind: [
    ...['test', 'lint(ing)?', 'type', 'compile', 'compilation', 'build', 'TypeScript', 'ESLint'],
    ...['compiler', 'linter', 'typing', 'syntax', 'tsc', 'mypy', 'clippy', 'ruff'],
    ...['new', 'more', 'remaining', 'other', 'further'],
  ],
  fault: ['fail\\w*', 'errors?', 'warnings?', 'regressions?', 'issues?', 'problems?', 'breakage'],
  repaired: [
    ...['fixed', 'resolved', 'corrected', 'repaired', 'eliminated', 'handled?', 'handles', 'gone'],
    ...['cover(s|ed|ing)?', 'added'],
  ],
  article: ['a', 'an', 'the', 'that', 'this', 'all', 'both', 'two', 'one', '\\d+'],
}

/** Removed before a clause is searched for a denial. */
const harmless = every(
  [
    // `no test failures`, `without errors or warnings`.
    '{no} ({kind} )*({fault}|broken \\w+)( (or|and) (fail\\w*|errors?|warnings?))?',
    '0 (failed|failing|red|broken)',
    '(fail(ed|ing|ures?))\\W{1,4}(0|none|zero|nil)',
    '({kind} )+{fault}\\W{1,3}(none|nil|0|zero)',
    '\\d+ (skipped|todo|pending|ignored)',
    "(no longer|don't|do not|doesn't|does not) fail(s|ing)?",
    'no longer (broken|failing|red|breaks?|exists?)',
    "(do|does|did)(n't| not) break (any|a single|one|the|our|your)",
    '(breaks?|broke) (no|none)',
    "(aren't|are not|are no longer|isn't|is no longer) any (failing|failed|red|broken)",
    '(nothing|none) is (failing|red|broken)',
    // `24 tests passing, none failing`.
    '(none|nothing)( of them)? (failing|failed|fails?|red|broken)',
    'not (a single|one|any) (tests?|specs?) (fails?|failed|(is|are) failing)',
    // `eslint does not report any issues`, `tsc doesn't complain`.
    "(do|does|did)(n't| not) (report|find|show|print|produce|raise|flag|give) (any|a single|one)( [\\w-]+)? {fault}",
    "(do|does|did)(n't| not|n't even) complain( any ?more)?",
    // `the lint errors are gone`.
    '({kind} )+{fault} (is|are|was|were|have been|has been|got)( now| all)* {repaired}',
    'no (tests?|specs?|suites?) (fails?|failed|(is|are) failing)',
    'none of (them|the \\w+) (is|are) failing',
    '(that|which) ((used to|previously|originally|initially|earlier) )?(fail|break|failed|broke|had failed|(was|were) (failing|broken))( (before|earlier|previously|initially|at first))?(?= (now|again|all|both|pass|succeed|are|is))',
    '(without|with no) exceptions?',
    'exceptions? (handling|handlers?|class\\w*|types?|messages?)',
    'no ([\\w-]+ ){0,2}(tests?|specs?) (was|were|is|are|got) (broken|harmed|affected)',
    '(nothing|none( of (them|the tests))?) (has |have )?fail(ed|s)?',
    // What was red before: `the failing test`, `fixed the broken build`.
    '(previously|formerly|once|the|that was|that were) (failing|broken|red)',
    '{repaired} ({article} )*[\\w-]*( [\\w-]+){0,3}? ?(failure|failing|error|broken)\\w*',
    '(failing|broken|red) (tests?|specs?|builds?|suites?)(?= (are|is|were|was|have|has|now|all|both|pass))',
    // Errors as a subject: `error handling`, `errors.ts`.
    'error[- ](handling|messages?|paths?|codes?|cases?|class\\w*|types?|boundar\\w+|branch\\w*)',
    'failure (cases?|modes?|paths?)',
    'errors?\\.\\w+',
    'not only',
  ],
  words,
)

/** Whether a clause denies something; code does not count. */
export function isNegated(text: string): boolean {
  return denial.test(text.replace(harmless, ' ').replace(/`[^`]*`/g, ' '))
}

const failureWords = containing([
  // `12 tests pass, the last one does not`.
  "(do|does|did)(n't| not)\\W*$",
  ...['fail\\w*', 'red', 'broken'],
  "(one|two|three|some|\\d+|others?|rest) (of them )?(do|does)(n't| not)",
])

/** Whether a sentence says that something fails. */
export function deniesSuccess(sentence: string): boolean {
  return failureWords.test(sentence) && isNegated(sentence)
}
