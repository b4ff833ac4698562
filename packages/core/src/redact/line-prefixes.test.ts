// Private keys in the output of tools that write something before each line.
import { describe, expect, test } from 'vitest'
import { corpusSeed, secretSample } from '../../../../test/support/secret-corpus.ts'
import { seededRandom } from '../random/random.ts'
import { createRedactor } from './redact.ts'

const redactor = createRedactor()

const prefixes: Readonly<Record<string, (line: number) => string>> = {
  'grep -n': (line) => `certs/a.key:${line}:`,
  'grep -C, before and after a match': (line) => `certs/a.key${line === 1 ? `:1:` : `-${line}-`}`,
  'a removed line of a diff': () => '-',
  'a removed line of a combined diff': () => ' -',
  'a numbered line with an arrow': (line) => `${String(line).padStart(6)}→`,
  'a container log': (line) => `api_1  | 2026-01-02T03:04:0${line}Z `,
  'a comment': () => '// ',
}
const formats = [
  'pem rsa',
  'pem pkcs8',
  'pem encrypted',
  'openssh key',
  'pem without its first line',
]

describe.each(Object.entries(prefixes))('%s', (_tool, prefix) => {
  test.each(formats)('leaves no line of the format %s', (format) => {
    const random = seededRandom(corpusSeed(format.length))
    for (let round = 0; round < 20; round++) {
      const { text, value } = secretSample(format, random)
      const printed = text.split('\n').map((line, index) => prefix(index + 1) + line)
      for (const output of [
        printed.join('\n'),
        printed.join('\r\n'),
        JSON.stringify(printed.join('\n')),
      ]) {
        const redacted = redactor.text(`first\n${output}\nlast`).text
        for (const line of value.split('\n')) expect(redacted).not.toContain(line)
        expect(redacted).toMatch(/^first\n[^]*\nlast$/)
      }
    }
  })
})

test.each([
  'a.ts:1:-----BEGIN PRIVATE KEY-----\nb.ts:9:-----BEGIN PRIVATE KEY-----\nc.ts:2:const a = 1',
  "  if (text.includes('-----BEGIN PRIVATE KEY-----')) {\n    return true\n  }\n",
])('lines that only name the start of a key stay: %j', (text) => {
  expect(redactor.text(text).text).toBe(text)
})
