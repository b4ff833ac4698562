// Finds the number of tests that a clause claims.

export interface TestCount {
  passed: number
  total?: number
}

const ratio = /\b(\d+) ?(?:\/|of|out of) ?(?:the |all )?(\d+)\b/

/** The first row that matches decides. */
const passedCounts: readonly RegExp[] = [
  /\b(?:all|the|both) (\d+) (?:[\w-]+ ){0,3}?(?:tests?|specs?|test cases?|cases|checks)\b/i,
  /\b(\d+) (?:[\w-]+ ){0,2}?(?:tests?|specs?|test cases?)\b(?! files?| suites?)/i,
  /\b(\d+) (?:passed|passing|pass|green)\b/i,
  /\btests?\b[^\d]{0,20}\b(\d+) (?:passed|passing|pass|ok)\b/i,
  /\b(?:all|of) (\d+) (?:pass|passed|passing|are green)\b/i,
]

export function findCount(text: string): TestCount | undefined {
  const both = ratio.exec(text)
  if (both !== null) return { passed: Number(both[1]), total: Number(both[2]) }
  for (const pattern of passedCounts) {
    const found = pattern.exec(text)
    if (found !== null) return { passed: Number(found[1]) }
  }
  return undefined
}
