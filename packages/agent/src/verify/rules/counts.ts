// Finds the number of tests that a clause claims.
import { sourceOf } from '../wording/wording.ts'

export interface TestCount {
  passed: number
  total?: number
}

export const numberWords: readonly string[] = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'],
  ...['nineteen', 'twenty'],
]

/** The value of digits or of a number word. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const index = numberWords.indexOf(text.toLowerCase())
  return index >= 0 ? index : Number(text)
}

const number = `(?<!-)(\\d+|${sourceOf(numberWords)})`
/** A relative clause makes the tests a part: `the 2 tests that failed`. */
const tests = String.raw`(?:tests?|specs?|test cases?|cases|checks)\b(?! files?| suites?| failures?| that\b| which\b)`

/** Adjectives of a part of the tests, whose number says nothing about the run. */
const partAdjectives = sourceOf([
  ...['new', 'newly', 'added', 'additional', 'extra', 'more', 'failing', 'broken', 'remaining'],
  ...['other', 'related', 'affected', 'relevant', 'regression', 'existing'],
])
/** Words before the number of a part: `including 2 tests`, `I added 3 tests`. */
const partStarts = sourceOf([
  ...['added', 'adds', 'wrote', 'written', 'including', 'plus', 'with', 'removed', 'skipped'],
  ...['for', 'of which', 'another', 'created', 'fixed'],
])
const adjective = String.raw`(?:(?!(?:${partAdjectives})\b)[\w-]+ )`

const ratio = /\b(\d+) ?(?:\/|of|out of) ?(?:the |all )?(\d+)\b/

/** The first row that matches decides. */
const passedCounts: readonly RegExp[] = [
  `\\b(?:all|the|both) ${number} ${adjective}{0,3}?${tests}`,
  `(?<!(?:${partStarts}) (?:the )?)\\b${number} ${adjective}{0,2}?${tests}`,
  String.raw`\b(\d+) (?:passed|passing|pass|passes|green)\b`,
  String.raw`^\W*pass(?:ed|ing)\W{1,4}(\d+)\b`,
  `\\bpass(?:es|ed)? with (?:all )?${number} ${tests}`,
  String.raw`\btests?\b[^\d]{0,20}\b(\d+) (?:passed|passing|pass|ok)\b`,
  String.raw`\b(?:tests|suite|specs) \((\d+)\)`,
  String.raw`\b(?:all|of) (\d+) (?:pass|passed|passing|are green)\b`,
].map((source) => new RegExp(source, 'i'))

export function findCount(text: string): TestCount | undefined {
  const both = ratio.exec(text)
  if (both !== null) return { passed: Number(both[1]), total: Number(both[2]) }
  for (const pattern of passedCounts) {
    const passed = numberOf(pattern.exec(text)?.[1])
    if (passed !== undefined) return { passed }
  }
  return undefined
}
