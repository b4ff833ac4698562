import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const mark = '[REDACTED:ENV_SECRET]'

describe('values of the environment', () => {
  const value = 'p@ss "w\\rd" /+=é\nend'
  const redactor = createRedactor({ environment: { DB_PASSWORD: value, HOME: '/home/somebody' } })

  test('the value of a secret-looking variable is replaced wherever it occurs', () => {
    const { text, applied } = redactor.text(`a${value}b${value}`)
    expect(text).toBe(`a${mark}b${mark}`)
    expect(applied).toEqual(['env_secret'])
  })

  test('also as JSON, in a URL and in base64', () => {
    const forms = [
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      encodeURIComponent(value).replaceAll('%20', '+'),
      Buffer.from(value).toString('base64'),
      Buffer.from(value).toString('base64url'),
    ]
    for (const form of forms) expect(redactor.text(`<${form}>`).text).toBe(`<${mark}>`)
  })

  test('also behind a user name in base64', () => {
    for (const user of ['a', 'bo', 'eve', 'carl']) {
      const encoded = Buffer.from(`${user}:${value}!`).toString('base64')
      const { text } = redactor.text(`x ${encoded} y`)
      expect(text).toContain(mark)
      expect(text.length).toBeLessThan(mark.length + 20)
    }
  })

  test('other variables are not touched', () => {
    expect(redactor.text('cd /home/somebody').applied).toEqual([])
  })

  test('short and common values, paths, addresses and counts are not looked for', () => {
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

  test('a secret that starts with a slash is no path', () => {
    const environment = { AWS_SECRET_ACCESS_KEY: '/wJalrXUtnFEMIK7MDENG' }
    expect(createRedactor({ environment }).text('x /wJalrXUtnFEMIK7MDENG y').text).toBe(
      `x ${mark} y`,
    )
  })

  test('the longest value wins, and values that overlap leave nothing behind', () => {
    const environment = { A_TOKEN: 'abcdefgh', B_TOKEN: 'abcdefghijkl', C_TOKEN: 'ijklmnopqrst' }
    const redactor = createRedactor({ environment })
    expect(redactor.text('-abcdefghijkl-abcdefgh-').text).toBe(`-${mark}-${mark}-`)
    expect(redactor.text('-abcdefghijklmnopqrst-').text).toBe(`-${mark}-`)
  })

  test('a trailing line break in the variable does not matter', () => {
    const redactor = createRedactor({ environment: { A_TOKEN: 'abcdefghij\n' } })
    expect(redactor.text('say abcdefghij!').text).toBe(`say ${mark}!`)
  })

  test('a very long value is found, also when the text ends inside it', () => {
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

  test('thousands of values with one beginning are found in one pass', () => {
    const values = Object.values(environment)
    const { text } = many.text(values.join(' '))
    expect(text).toBe(values.map(() => mark).join(' '))
    expect(many.text('shared-prefix- shared-prefix-x-end'.repeat(20_000)).applied).toEqual([])
  })

  test('no value is ever left, whatever stands around it', () => {
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
