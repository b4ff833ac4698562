import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const values = Array.from({ length: 200 }, (_, i) => [`V${i}_TOKEN`, `secret-value-${i}`])
const redactor = createRedactor({ environment: Object.fromEntries(values) })

function minCpuMicroseconds(work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, user + system)
  }
  return best
}

const repeated = [
  [
    'eyJ',
    'eyJa.',
    '-eyJabcde',
    'eyJabcde.a.',
    'sk-',
    'ask-',
    'ghp_',
    'npm_',
    'AKIA',
    'AIza',
    'xoxb-',
  ],
  ['glpat-', '-', '-----BEGIN ', '-----BEGIN CERTIFICATE-----\n', '-----BEGIN PRIVATE KEY-----'],
  ['a://a:', 'a://a:b/c', 'a://a@', '://', 'bearer ', 'bearer=token-', 'authorization:   '],
  [
    'token',
    'token=',
    'token: ',
    'token.',
    'token="',
    'token=\\"',
    'token="token=\'token=`',
    'token="\n',
  ],
  [
    'token = f(',
    'token=$(',
    'token: {',
    'token\\',
    'token=a&',
    "token=a'a",
    'token%3D',
    '--token ',
  ],
  [
    'secret-value-',
    'secret-value-1',
    '[REDACTED:',
    '[REDACTED:X]',
    'token=[REDACTED:X]',
    ' ',
    '\\',
    '"',
  ],
  [
    'token",',
    'token\\\\",',
    'token value: ',
    'token: [',
    'token=[aB3dE6gH9jK2',
    'token: >- ',
    '</token',
    'token set -g ',
    'ENV token ',
  ],
  ['a.key:1:-----BEGIN PRIVATE KEY-----\n', 'a.key:1:-----END PRIVATE KEY-----\n'],
].flat()

describe('the CPU time of redaction grows at most by 2.6 per doubling of', () => {
  test.each(repeated)('%j repeated', (unit) => {
    const text = (size: number): string => unit.repeat(Math.ceil(size / unit.length))
    const [small, large] = [text(8_000), text(64_000)]
    const run = (input: string): void => {
      redactor.text(input)
      redactor.cut(input, 16_384, { incomplete: true })
      redactor.findSecret(input)
    }
    run(small)
    // Shorter times than 4 ms are dominated by noise.
    const floor = 4_000
    expect(minCpuMicroseconds(() => run(large))).toBeLessThan(
      2.6 ** 3 *
        Math.max(
          floor,
          minCpuMicroseconds(() => run(small)),
        ),
    )
  })
})

test('a run of 8 MB does not overflow the regex engine', () => {
  for (const start of [
    'ghp_',
    'sk-',
    'eyJ',
    'token=',
    'token="',
    'Bearer a1',
    'https://u:',
    'AIza',
  ]) {
    const { text } = redactor.text(start + 'aB'.repeat(4_000_000))
    expect(text.length).toBeGreaterThan(0)
  }
})
