// Claims about the number of failures: `one test still fails`, `tsc reports 2 errors`. Only the present counts:
// an answer may tell how many tests failed before.
import type { Claim } from '../claims.ts'
import { containing } from '../wording/wording.ts'
import { numberOf, numberWords } from './counts.ts'
import { vocabulary } from './vocabulary.ts'

type What = Extract<Claim, { kind: 'fails' }>['what']

const lists = {
  ...vocabulary,
  number: ['\\d+', ...numberWords],
  yet: ['still', 'now', 'currently', 'only'],
}

/** The number is the group of each phrase. */
const rows: readonly (readonly [What, RegExp])[] = (
  [
    [
      'test',
      '(?<n>{number}) ((of|out of) (the |all |all the )?(\\d+ )?)?({yet} )?{tests} ({yet} )*(fails?|(is|are) ({yet} )*failing)',
    ],
    ['test', '(?<n>{number}) (failing|broken|red) {tests}'],
    ['types', '{typeCheck}{..30}(?<n>{number}) (type )?errors?'],
    ['types', '(?<n>{number}) (type|typescript|tsc|mypy) errors?'],
    ['lint', '{linter}{..30}(?<n>{number}) (errors?|problems?)'],
    ['lint', '(?<n>{number}) (lint|linting|eslint) (errors?|problems?)'],
  ] as const
).map(([what, phrase]) => [what, containing([phrase], lists)])

/** Words of a sentence about the past, or about a part: `fixed the 2 failing tests`, `2 new type errors`. */
const isOther = containing([
  ...['fixed', 'fixes', 'resolved', 'repaired', 'were', 'was', 'had', 'failed', 'no longer'],
  ...['at least', 'about', 'around', 'more than', 'mended', 'solved', 'addressed', 'down from'],
])

/** `41 passed and 2 failed`. */
const bothCounts =
  /\b(\d+) (?:tests? )?pass(?:ed|ing|es)?\b\W+(?:and |but )?(\d+) (?:tests? )?fail(?:ed|ing|s)?\b/i

export function failureClaims(text: string): Claim[] {
  const both = bothCounts.exec(text)
  if (both !== null && Number(both[2]) > 0) {
    return [{ kind: 'fails', what: 'test', count: Number(both[2]), isExact: true }]
  }
  if (isOther.test(text)) return []
  for (const [what, pattern] of rows) {
    const given = pattern.exec(text)?.groups?.n
    const count = numberOf(given)
    if (count !== undefined && count > 0) {
      return [{ kind: 'fails', what, count, isExact: /\d/.test(given ?? '') }]
    }
  }
  return []
}
