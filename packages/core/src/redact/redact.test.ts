import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BoundedCapture } from '../text/text.ts'
import { createRedactor, redactionMargin } from './redact.ts'

const environment = { MY_TOKEN: 'liter"al sec\nret/9+', B_PASSWORD: 'aaaaaaaaab' }
const redactor = createRedactor({ environment })
const github = `ghp_${'aB3'.repeat(12)}`

/** Every start, end and exception of the rules. */
const pieceGroups = [
  [
    'ghp_',
    'sk-',
    'proj-',
    'xoxb-',
    'AKIA',
    'eyJ',
    'eyJhbGciOiJIUzI1NiJ9',
    'AIza',
    'glpat-',
    'npm_',
  ],
  ['a', 'bbbbbbbb', 'A1b2C3d4E5f6G7h8', '00000000000000000000', 'IOSFODNN7EXAMPLE', '.', '-', '_'],
  ['Bearer ', 'Authorization: ', 'Basic ', 'https://', '://', 'user', 'pass', '@', 'host', '/'],
  ['-----BEGIN ', 'RSA PRIVATE KEY', 'CERTIFICATE', '-----', '-----END '],
  [
    'token',
    'tokens',
    'secret',
    'password',
    'API-KEY',
    'credential',
    '--token ',
    '1234567',
    'string',
  ],
  [
    '=',
    ':',
    ': ',
    '": "',
    '"',
    "'",
    '`',
    '\\',
    '\\"',
    ' ',
    '\n',
    '&',
    'x=',
    '%3D',
    ',',
    '(',
    ')',
    '{',
  ],
  ['[REDACTED:JWT]', '[REDACTED:', 'X]', 'é', '😀', '\ud800', ...Object.values(environment)],
]
const pieces = fc.constantFrom(...pieceGroups.flat())
const anything = fc.array(pieces, { maxLength: 16 }).map((list) => list.join(''))

describe('the redactor', () => {
  test('is idempotent for any text and leaves no match of a precise rule', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const once = redactor.text(text)
        expect(redactor.text(once.text)).toEqual({ text: once.text, applied: [] })
        expect(redactor.findSecret(once.text)).toBeUndefined()
        expect(once.applied).toEqual([...new Set(once.applied)].sort())
        expect(once.applied.length > 0).toBe(once.text !== text)
      }),
      { numRuns: 5000 },
    )
  })

  test('never replaces a mark and leaves no value of the environment', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { text: redacted } = redactor.text(text)
        expect(redacted.split('[REDACTED:JWT]').length).toBeGreaterThanOrEqual(
          text.split('[REDACTED:JWT]').length,
        )
        for (const value of Object.values(environment)) expect(redacted).not.toContain(value)
      }),
      { numRuns: 2000 },
    )
  })

  test('cuts to the limit without half a mark and without a match of a precise rule', () => {
    fc.assert(
      fc.property(anything, fc.nat(120), fc.boolean(), (text, max, incomplete) => {
        const cut = redactor.cut(text, max, { incomplete })
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(max)
        expect(redactor.findSecret(cut.text)).toBeUndefined()
        if (!incomplete) expect(redactor.text(text).text.startsWith(cut.text)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('returns a text without secrets unchanged', () => {
    expect(redactor.text('nothing to see')).toEqual({ text: 'nothing to see', applied: [] })
    expect(redactor.cut('abcdef', 3)).toEqual({
      text: 'abc',
      truncated: true,
      bytes: 6,
      applied: [],
    })
    expect(redactor.cut('é€', 9)).toEqual({ text: 'é€', truncated: false, bytes: 5, applied: [] })
  })

  test('reports the applied rules sorted and once', () => {
    const text = `${github} API_KEY=abcdefg https://a:b@h ${github}`
    expect(redactor.text(text).applied).toEqual(['env_secret', 'github_token', 'url_credentials'])
  })
})

/** The text before the secret, the secret, the text after it. */
const straddling: Record<string, [string, string, string]> = {
  github_token: ['log ', github, ' tail'],
  openai_key: ['log ', `sk-proj-${'aB3d'.repeat(10)}`, ' tail'],
  slack_token: ['log ', `xoxb-${'1234567890-'.repeat(2)}abc`, ' tail'],
  aws_access_key_id: ['log ', `AKIA${'IOSF7X2Q'.repeat(2)}`, ' tail'],
  jwt: [
    'log ',
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx${'aB3d'.repeat(9)}.${'cD4e'.repeat(9)}`,
    ' tail',
  ],
  bearer_token: ['Authorization: Bearer ', 'abcdef.ghijkl-123456', '\n'],
  private_key: [
    'key: ',
    `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIB\n'.repeat(9)}-----END RSA PRIVATE KEY-----`,
    '\n',
  ],
  google_api_key: ['log ', `AIza${'Sy9_-'.repeat(7)}`, ' tail'],
  gitlab_token: ['log ', `glpat-${'aB3d'.repeat(5)}`, ' tail'],
  npm_token: ['log ', `npm_${'aB3'.repeat(12)}`, ' tail'],
  url_credentials: ['at https://', 'user:hunter2pass', '@host/path'],
  env_secret: ['export API_KEY=', 'hunter2hunter2', '\n'],
  'env_secret in JSON': ['{"password": "', 'correct horse battery', '"}'],
  'a value of the environment': ['log ', environment.MY_TOKEN, ' tail'],
}

describe('a secret that straddles the cap', () => {
  test.each(Object.entries(straddling))(
    'of rule %s leaves no prefix',
    (_, [before, secret, after]) => {
      const cap = 2048
      for (let inside = 0; inside <= secret.length; inside += 3) {
        const filler = 'x'.repeat(cap - before.length - inside - 1)
        const { text } = redactor.cut(`${filler} ${before}${secret}${after}`, cap)
        for (let length = 5; length <= secret.length; length++) {
          expect(text).not.toContain(secret.slice(0, length))
        }
      }
    },
  )

  test.each(Object.entries(straddling))(
    'of rule %s leaves no prefix if the captured text ends inside it',
    (_, [before, secret]) => {
      // The first characters of a token are its public prefix, which may stay.
      const publicPrefix = /^(?:-----BEGI?N?|glpat|xox.|ghp|user)/.exec(secret)?.[0].length ?? 4
      for (let inside = 1; inside < secret.length; inside++) {
        const captured = `some output ${before}${secret.slice(0, inside)}`
        const { text, truncated } = redactor.cut(captured, 4096, { incomplete: true })
        expect(truncated).toBe(true)
        const kept = text.split(before).at(1) ?? ''
        if (!kept.includes('[REDACTED:')) {
          expect(kept.length).toBeLessThanOrEqual(publicPrefix)
        } else expect(text).not.toContain(secret.slice(0, publicPrefix + 1))
      }
    },
  )

  test('is recognized in a capture with the margin', () => {
    const cap = 16_384
    for (const inside of [1, 4, 5, 20, 39]) {
      const capture = new BoundedCapture(cap + redactionMargin)
      capture.push(Buffer.from('x'.repeat(cap - inside) + github + 'y'.repeat(20_000)))
      const cut = redactor.cut(capture.text(), cap, { incomplete: capture.truncated })
      expect(cut.text).not.toContain('ghp_')
      expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(cap)
      expect(cut.applied).toEqual(['github_token'])
    }
  })

  test('is removed even if redaction shortens the text below the cap', () => {
    const text = `${github} `.repeat(600) + github.slice(0, 12)
    const cut = redactor.cut(text, 20_000, { incomplete: true })
    expect(cut.text).not.toContain('ghp_')
  })

  test('makes the cut drop the last word if the user has rules', () => {
    const own = createRedactor({ extraRules: [{ id: 'ticket', regex: 'INT-[0-9]{8}' }] })
    expect(own.cut('see INT-1234', 100, { incomplete: true }).text).toBe('see ')
    expect(own.cut('see INT-1234', 100).text).toBe('see INT-1234')
  })

  test('is not assumed at an ordinary end of text', () => {
    for (const text of ['the end', 'a https://host/path', 'done in 12 ms', 'x'.repeat(3000)]) {
      expect(redactor.cut(text, 4096, { incomplete: true }).text).toBe(text)
    }
  })
})
