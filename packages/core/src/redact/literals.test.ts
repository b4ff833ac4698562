import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const mark = '[REDACTED:ENV_SECRET]'

describe('the value of a secret-looking variable', () => {
  const value = 'p@ss "w\\rd" /+=é\nend'
  const redactor = createRedactor({ environment: { DB_PASSWORD: value, HOME: '/home/alice' } })

  test('is replaced everywhere in a text', () => {
    const { text, applied } = redactor.text(`a${value}b${value}`)
    expect(text).toBe(`a${mark}b${mark}`)
    expect(applied).toEqual(['env_secret'])
  })

  test('is replaced as JSON, in a URL and in base64', () => {
    const forms = [
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      encodeURIComponent(value).replaceAll('%20', '+'),
      Buffer.from(value).toString('base64'),
      Buffer.from(value).toString('base64url'),
    ]
    for (const form of forms) expect(redactor.text(`<${form}>`).text).toBe(`<${mark}>`)
  })

  test('is replaced in base64 after a user name', () => {
    for (const user of ['a', 'bo', 'eve', 'carl']) {
      const encoded = Buffer.from(`${user}:${value}!`).toString('base64')
      const { text } = redactor.text(`x ${encoded} y`)
      expect(text).toContain(mark)
      expect(text.length).toBeLessThan(mark.length + 20)
    }
  })

  test('is replaced, and those of other variables are not', () => {
    expect(redactor.text('cd /home/alice').applied).toEqual([])
  })

  test('is kept if it is short, common, a path, a URL or a count', () => {
    const environment = {
      A_TOKEN: 'short',
      B_TOKEN: 'production',
      C_PASSWORD: 'password',
      D_TOKEN_FILE: '/run/secrets/token',
      E_CREDENTIALS: '/home/me/key.json',
      F_TOKEN_URL: 'https://login.example/token',
      G_MAX_TOKENS: '100000000',
      H_TOKEN: '$OTHER_TOKEN',
      TOKENIZERS_PARALLELISM: 'whatever-it-is',
      I_SECRET: undefined,
    }
    const text = Object.values(environment).join(' | ')
    expect(createRedactor({ environment }).text(text)).toEqual({ text, applied: [] })
  })

  test.each([
    ['A_PASSWORD', 'https://hooks.example/wJalrXUtnFEMIK7'],
    ['A_TOKEN_URL', 'https://ann:pass@hooks.example'],
    ['A_TOKEN_URL', 'wss://hooks.example/services'],
    ['A_TOKEN_FILE', 'run/secrets/token'],
    ['A_PASSWORD', '/wJalrXUtnFEMIK7MDENG'],
  ])('of %s is replaced if it is %s', (name, secret) => {
    const { text } = createRedactor({ environment: { [name]: secret } }).text(`x ${secret} y`)
    expect(text).toBe(`x ${mark} y`)
  })

  test.each([
    ['A_TOKEN_URI', 'http://login.example/token'],
    ['a_token_endpoint', 'https://login.example/token'],
    ['A_TOKEN_SOCKET', '/secrets/token'],
    ['A_TOKEN', '~/secrets/token'],
    ['A_TOKEN', './secrets/token'],
    ['A_TOKEN', '../secrets/token'],
    ['A_TOKEN', '/etc/secrets/token'],
    ['A_TOKEN', String.raw`C:\secrets\token`],
  ])('of %s is kept if it is %s', (name, value) => {
    const text = `x ${value} y`
    expect(createRedactor({ environment: { [name]: value } }).text(text).text).toBe(text)
  })

  test('is not taken for a path because it starts with a slash', () => {
    const environment = { AWS_SECRET_ACCESS_KEY: '/wJalrXUtnFEMIK7MDENG' }
    expect(createRedactor({ environment }).text('x /wJalrXUtnFEMIK7MDENG y').text).toBe(
      `x ${mark} y`,
    )
  })

  test('is replaced completely if values overlap, and the longest value wins', () => {
    const environment = { A_TOKEN: 'abcdefgh', B_TOKEN: 'abcdefghijkl', C_TOKEN: 'ijklmnopqrst' }
    const redactor = createRedactor({ environment })
    expect(redactor.text('-abcdefghijkl-abcdefgh-').text).toBe(`-${mark}-${mark}-`)
    expect(redactor.text('-abcdefghijklmnopqrst-').text).toBe(`-${mark}-`)
  })

  test('is found without its trailing line break', () => {
    const redactor = createRedactor({ environment: { A_TOKEN: 'abcdefghij\n' } })
    expect(redactor.text('say abcdefghij!').text).toBe(`say ${mark}!`)
  })

  test('is found if it is very long, also if the text ends inside it', () => {
    const long = Array.from({ length: 400 }, (_, i) => `part${i}`).join('-')
    const redactor = createRedactor({ environment: { A_TOKEN: long } })
    expect(redactor.text(`<${long}>`).text).toBe(`<${mark}>`)
    expect(redactor.text(`<${long.slice(0, 700)}`).text).toBe(`<${mark}`)
  })
})

describe('many values', () => {
  const names = Array.from({ length: 3000 }, (_, i) => [`V${i}_TOKEN`, `shared-prefix-${i}-end`])
  const environment: Record<string, string> = Object.fromEntries(names)
  const many = createRedactor({ environment })

  test('with the same prefix are found in one pass', () => {
    const values = Object.values(environment)
    const { text } = many.text(values.join(' '))
    expect(text).toBe(values.map(() => mark).join(' '))
    expect(many.text('shared-prefix- shared-prefix-x-end'.repeat(20_000)).applied).toEqual([])
  })

  test('are all replaced in any surrounding text', () => {
    const few = fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 8 }), {
      minLength: 1,
      maxLength: 6,
    })
    const filler = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ') })
    fc.assert(
      fc.property(few, fc.array(fc.tuple(fc.nat(5), filler)), (values, pieces) => {
        const environment = Object.fromEntries(values.map((value, i) => [`TOKEN_${i}`, value]))
        const text = pieces.map(([pick, rest]) => rest + (values[pick] ?? '')).join('')
        const redacted = createRedactor({ environment }).text(text).text
        for (const value of values) expect(redacted).not.toContain(value)
      }),
    )
  })
})
