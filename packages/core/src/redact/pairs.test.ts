// Secrets that something separates from their name.
import { describe, expect, test } from 'vitest'
import { secretVariables, variableValue } from '../../../../test/support/secret-corpus.ts'
import { seededRandom } from '../random/random.ts'
import { createRedactor } from './redact.ts'

const redactor = createRedactor()
const flag = (name: string) => `--${name.toLowerCase().replaceAll('_', '-')}`

const forms: Readonly<Record<string, (name: string, value: string) => string>> = {
  'a list of variables in YAML': (name, value) => `- name: ${name}\n  value: ${value}\n`,
  'a quoted list in YAML': (name, value) => `- name: "${name}"\n  value: "${value}"\n`,
  'a list of variables in JSON': (name, value) => JSON.stringify([{ name, value }]),
  'a list in lines of JSON': (name, value) => JSON.stringify([{ name, value }], null, 2),
  'a list in JSON in JSON': (name, value) =>
    JSON.stringify(JSON.stringify([{ name, value }], null, 2)),
  'attributes of XML': (name, value) => `<add key="${name}" value="${value}"/>`,
  'an element of XML': (name, value) => `<${name}>${value}</${name}>`,
  'a tuple': (name, value) => `('${name}', '${value}')`,
  'a call': (name, value) => `define("${name}", "${value}");`,
  'a list of headers': (name, value) => JSON.stringify([[`x-${name}`, value]]),
  'a list of arguments': (name, value) => JSON.stringify(['tool', flag(name), value]),
  'a list of arguments in Python': (name, value) => `['tool', '${flag(name)}', '${value}']`,
  'a list of values': (name, value) => JSON.stringify({ [name]: [value] }),
  'a map of Go': (name, value) => `map[A:[b] ${name}:[${value}]]`,
  'a folded line of YAML': (name, value) => `${name}: >-\n  ${value}\n`,
  'a tagged value of YAML': (name, value) => `${name}: !!str ${value}\n`,
  'a Dockerfile': (name, value) => `FROM a\nENV ${name} ${value}\n`,
  fish: (name, value) => `set -gx ${name} ${value}`,
  csh: (name, value) => `setenv ${name} '${value}'`,
  'a shell of Windows': (name, value) => `setx ${name} "${value}"`,
}

describe.each(Object.entries(forms))('%s', (_form, print) => {
  test('shows no value of a variable with a secret name', () => {
    const random = seededRandom(7)
    for (const name of secretVariables.filter((each) => each !== 'OPENAI_KEY')) {
      for (let round = 0; round < 10; round++) {
        const value = variableValue(random)
        const redacted = redactor.text(`before\n${print(name, value)}\nafter`).text
        expect(redacted).not.toContain(value)
        expect(redacted).toContain('[REDACTED:ENV_SECRET]')
        expect(redacted).toMatch(/^before\n[^]*\nafter$/)
      }
    }
  })
})

test.each([
  `["access_token", "refresh_token", "id_token_hint"]`,
  `{ name: 'token', value: 'a word of prose' }`,
  '- name: API_KEY\n  value: $(cat file)\n- name: REGION\n  value: eu-central-1-frankfurt-2\n',
  `['crypto_secretbox', 'crypto_secretstream_xchacha20poly1305_init_pull']`,
  '<token>identifierName</token><sha>0f1e2d3c4b5a69788796a5b4c3d2e1f0</sha>',
  `log("password", "a1b2", "Qx7bK2mN9pR4sT6v")`,
  'ENV NODE_VERSION 20.19.0\nset -x\nsetenv PATH /usr/local/bin',
])('names without a generated value stay: %j', (text) => {
  expect(redactor.text(text).text).toBe(text)
})
