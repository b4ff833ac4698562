import { describe, expect, it, test } from 'vitest'
import { createRedactor } from '../redact.ts'
import { findTokens } from './tokens.ts'

const redactor = createRedactor()
/** Builds a sample at run time, so that secret scanners do not report this file. */
const repeatAfter = (prefix: string, unit: string, times: number): string =>
  prefix + unit.repeat(times)
const jwt = [
  'eyJhbGciOiJIUzI1NiJ9',
  'eyJzdWIiOiIxMjM0NTY3ODkwIn0',
  'dBjftJeZ4CVP-mB92K27uhbUJU1p1r',
]

const samples: [rule: string, secret: string][] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix): [string, string] => [
    'github_token',
    repeatAfter(prefix, 'aB3', 12),
  ]),
  ['github_token', repeatAfter('github_pat_', '11AB_xyz9', 8)],
  ['openai_key', repeatAfter('sk-', 'a', 20)],
  ['openai_key', repeatAfter('sk-', 'aB3d', 12)],
  ['openai_key', repeatAfter('sk-proj-', 'aB3_d-', 8)],
  ['openai_key', repeatAfter('sk-ant-api03-', 'aB3d', 12)],
  ...['a', 'b', 'e', 'p', 'r', 's'].map((kind): [string, string] => [
    'slack_token',
    repeatAfter(`xox${kind}-`, '1234567890-', 2),
  ]),
  ['aws_access_key_id', repeatAfter('AKIA', 'IOSF7X2Q', 2)],
  ['aws_access_key_id', repeatAfter('ASIA', 'IOSF7X2Q', 2)],
  ['jwt', jwt.join('.')],
  ['jwt', repeatAfter('eyJ', 'a', 20) + repeatAfter('.', 'b', 20) + repeatAfter('.', 'c', 20)],
  ['google_api_key', repeatAfter('AIza', 'Sy9_-', 7)],
  ['gitlab_token', repeatAfter('glpat-', 'aB3d', 5)],
  ['npm_token', repeatAfter('npm_', 'aB3', 12)],
]

describe('keys without a digit and with few capitals', () => {
  const body = ['aaqpbkDuto', 'exbvFfdBaZ'].join('')

  test.each(['glrt-', 'gldt-', 'GOCSPX-', 'dckr_pat_', 'sk_live_'])(
    '%s hides the body',
    (prefix) => {
      expect(redactor.text(`key ${prefix}${body} end`).text).not.toContain(body)
    },
  )

  test.each(['glagent-config-file-for-clusters', 'sk_live_and_let_die_as_a_name'])(
    '%s is a name',
    (name) => {
      expect(redactor.text(`see ${name}.`).text).toBe(`see ${name}.`)
    },
  )
})

describe('each named rule', () => {
  test.each(samples)('%s replaces %s in any context', (rule, secret) => {
    const mark = `[REDACTED:${rule.toUpperCase()}]`
    const contexts = [
      ['', ''],
      ['got ', ' today'],
      ['("', '")'],
      [String.raw`{"log":"first\n`, String.raw`\nlast"}`],
      ['\u001b[32m', '\u001b[0m'],
      ['q=%20', '%20'],
      ['x'.repeat(100), ' tail'],
      ['日本', '。'],
    ]
    for (const [before = '', after = ''] of contexts) {
      const { text, applied } = redactor.text(before + secret + after)
      expect(text).toBe(before + mark + after)
      expect(applied).toEqual([rule])
      expect(redactor.findSecret(before + secret + after)).toBe(rule)
      expect(redactor.findSecret(text)).toBeUndefined()
    }
  })

  test('finds a secret that filler follows directly', () => {
    for (const [, secret] of samples) {
      expect(redactor.text(`${secret}${'x'.repeat(100)}`).text).not.toContain(secret)
    }
  })
})

test('an AWS key id in the form of a mark is still redacted', () => {
  const { text } = redactor.text(`[REDACTED:AKIA${'IOSF7X2Q'.repeat(2)}]`)
  expect(text).toBe('[REDACTED:[REDACTED:AWS_ACCESS_KEY_ID]]')
})

describe('the jwt rule', () => {
  test('matches unsigned and encrypted tokens', () => {
    const [header, payload] = jwt
    expect(redactor.text(`a ${header}.${payload}. b`).text).toBe('a [REDACTED:JWT]. b')
    const encrypted = `${header}..aXYtdmFsdWU.Y2lwaGVydGV4dA.dGFnLXZhbHVl`
    expect(redactor.text(`a ${encrypted} b`).text).toBe('a [REDACTED:JWT] b')
  })

  test('does not match code whose words contain eyJ', () => {
    const code = 'monkeyJungle.foo.bar(); foreignKeyJoinTable.columns.map(x); eyJ.a.b; eyJabc.def'
    expect(redactor.text(code).applied).toEqual([])
    expect(redactor.findSecret(code)).toBeUndefined()
  })
})

describe('the private_key rule', () => {
  const block = (label: string, newline = '\n'): string =>
    [
      `-----BEGIN ${label}-----`,
      'MIIEpAIBAAKCAQEA7bq',
      'abcdefghijklmnop',
      `-----END ${label}-----`,
    ].join(newline)

  test.each([
    'PRIVATE KEY',
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
    'CERTIFICATE',
  ])('replaces a PEM block of %s, also with escaped line breaks', (label) => {
    for (const newline of ['\n', '\r\n', String.raw`\n`]) {
      const { text, applied } = redactor.text(
        `a ${block(label, newline)} b ${block(label, newline)}`,
      )
      expect(text).toBe('a [REDACTED:PRIVATE_KEY] b [REDACTED:PRIVATE_KEY]')
      expect(applied).toEqual(['private_key'])
    }
  })

  test('replaces an unterminated block up to the end', () => {
    const whole = block('RSA PRIVATE KEY')
    for (const length of [31, 40, 60, whole.length - 1]) {
      expect(redactor.text(`a ${whole.slice(0, length)}`).text).toBe('a [REDACTED:PRIVATE_KEY]')
    }
  })

  test('reports private keys and no certificates to a validator', () => {
    expect(redactor.findSecret(block('EC PRIVATE KEY'))).toBe('private_key')
    expect(redactor.findSecret(block('CERTIFICATE'))).toBeUndefined()
  })

  test('does not match the first line of a certificate in code or prose', () => {
    const code = "if (line === '-----BEGIN CERTIFICATE-----') start()"
    expect(redactor.text(code).applied).toEqual([])
  })
})

describe('the token rules do not match', () => {
  test.each([
    '3f2504e04f8941d39a0c0305e82c3301aa5c2e1b',
    'commit 3f2504e04f8941d39a0c0305e82c3301aa5c2e1b (HEAD -> main)',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8 task-6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    'task-3f2504e04f8941d39a0c0305e82c3301aa5c2e1b',
    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    'pip install sk-learn; from sk-learn-contrib import categorical-encoding',
    'sk-learn-contrib-extension-pack',
    'task-management-for-large-projects, disk-usage-analyzer-tool, risk-assessment-of-the-year',
    'npm_config_registry npm_lifecycle_event ghp_ gh_token_helper xoxo-hugs AKIA ASIA-PACIFIC',
    'The monkey jumped; no one has a key. The bearer of this letter may enter.',
    'x'.repeat(5000),
    '',
  ])('%j', (text) => {
    expect(redactor.text(text)).toEqual({ text, applied: [] })
    expect(redactor.findSecret(text)).toBeUndefined()
  })
})

describe('a piece of a PEM block', () => {
  const line = (index: number) => `MII${'aB3/'.repeat(15)}${index}`
  const piece = [1, 2, 3, 4].map(line).join('\n')

  it.each([
    ['all of a text', `${piece}\n`],
    ['before other text', `${piece}\nnext`],
    ['after other text', `first\n${piece}\nshort==\n`],
  ])('is found if it is %s', (_where, text) => {
    const found = [...findTokens(text)]
    expect(found).toHaveLength(1)
    expect(text.slice(found[0]?.start, found[0]?.end)).toContain(piece)
  })

  it.each([
    ['a list of hashes', `${'0123456789abcdef'.repeat(4)}\n`.repeat(9)],
    ['base64 with lines of 76 characters', `${'aB3/'.repeat(19)}\n`.repeat(9)],
    ['two lines', `${line(1)}\n${line(2)}\n`],
  ])('is not %s', (_what, text) => {
    expect([...findTokens(text)]).toEqual([])
  })
})
