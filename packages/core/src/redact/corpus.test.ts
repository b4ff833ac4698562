import { seededRandom } from '../random/random.ts'
import { describe, expect, test } from 'vitest'
import {
  corpusSeed,
  secretSample,
  secretSamples,
  secretVariables,
  variableValue,
} from '../../../../test/support/secret-corpus.ts'
import { createRedactor } from './redact.ts'

const rounds = Number(process.env.ZEE_ROUNDS ?? 40)
const redactor = createRedactor()
const formats = secretSamples(seededRandom(1)).map(({ format }) => format)

/** Texts around a secret, as programs print it. */
const surroundings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `first line\n${text}\nlast line\n`,
  (text) => `{"log":${JSON.stringify(text)}}`,
  (text) => `value=${text} end`,
]

test('the corpus has at least 110 formats and 25 names of variables', () => {
  expect(formats.length).toBeGreaterThanOrEqual(110)
  expect(secretVariables.length).toBeGreaterThanOrEqual(25)
})

describe('the redactor leaves nothing in clear of', () => {
  test.each(formats)('%s', (format) => {
    const random = seededRandom(corpusSeed(format.length * 7919 + format.charCodeAt(0)))
    for (let round = 0; round < rounds; round++) {
      const { text, value } = secretSample(format, random)
      for (const surround of surroundings) {
        const redacted = redactor.text(surround(text)).text
        // A secret in several lines must not leave a single line.
        for (const line of value.split(/\n|\\n/)) expect(redacted).not.toContain(line)
      }
    }
  })

  test.each(secretVariables)('the variable %s', (name) => {
    const random = seededRandom(corpusSeed(name.length))
    for (let round = 0; round < rounds; round++) {
      const value = variableValue(random)
      for (const text of [`${name}=${value}`, `export ${name}="${value}"`, `${name}: ${value}`]) {
        expect(redactor.text(text).text).not.toContain(value)
      }
      expect(JSON.stringify(redactor.value({ [name]: value }).value)).not.toContain(value)
      const own = createRedactor({ environment: { [name]: value } })
      expect(own.text(`printed ${value} alone`).text).not.toContain(value)
    }
  })
})
