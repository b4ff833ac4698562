import { expect, test } from 'vitest'
import { findBearerTokens, findUrlCredentials } from './headers.ts'

const bearerIn = (text: string) =>
  [...findBearerTokens(text)].map(([start, end]) => text.slice(start, end))
const credentialsIn = (text: string) =>
  [...findUrlCredentials(text)].map(([start, end]) => text.slice(start, end))
const inner = '.bearer=abc123def'

test.each<[text: string, tokens: string[]]>([
  ['Bearer abc123def', ['abc123def']],
  ['Bearer abc123def ...', ['abc123def']],
  ['Bearer abc123def...', ['abc123def']],
  ['Bearer ......', []],
  ['a-bearer abc123def', ['abc123def']],
  ['xbearer abc123def', []],
  ['Bearer abc123def(', []],
  ['Bearer options.apiKey1', []],
  ['Bearer other.apiKey1', ['other.apiKey1']],
  ['Bearer realm_name="x"', []],
  ['Bearer realm_name=', ['realm_name=']],
  ['Bearer realm_1="x"', ['realm_1=']],
  ['Bearer abcdefgh', []],
  ['Bearer abcdefgH', ['abcdefgH']],
  [`xbearer ${'a'.repeat(47)}${inner}`, ['abc123def']],
  [`xbearer ${'a'.repeat(48)}${inner}`, []],
])('the tokens after the word Bearer in %j', (text, tokens) => {
  expect(bearerIn(text)).toEqual(tokens)
})

test.each<[text: string, tokens: string[]]>([
  ['x Authorization: Basic abcd', ['abcd']],
  ['x Authorization: Basic abc', []],
  ['x Authorization: Basic authentication', []],
  ['x Authorization: token $TOKEN', []],
  ['x Authorization: Digest realm="x"', []],
  ['x Authorization: Digest realm=x', ['realm=x']],
  ['x Authorization: Custom abc123def', ['abc123def']],
  ['x Authorization: Custom abcdefgh', []],
  ['x Authorization: Custom 12345', []],
  ['x Authorization: Custom abcdefghijklmnopqrstuvw', []],
  ['x Authorization: 0123abcd', ['0123abcd']],
  ['x Authorization: abcdefgh', []],
])('the values of an Authorization header in %j', (text, tokens) => {
  expect(bearerIn(text)).toEqual(tokens)
})

test.each<[text: string, credentials: string[]]>([
  ['x https://user:pass@host', ['user:pass']],
  ['x https://:pass@host', [':pass']],
  ['x https://user:@host', ['user:']],
  ['x https://user@host', []],
  ['x https://:@host', []],
  ['x https://user:$PASS@host', []],
  ['x https://user:[REDACTED:X]@host', []],
  ['x https://user:[REDACTED:X]y@host', ['user:[REDACTED:X]y']],
  ['x amqp://u:p/w#1?2@host', ['u:p/w#1?2']],
  ['x amqp://u:8080/w@host', []],
])('the credentials of the URLs in %j', (text, credentials) => {
  expect(credentialsIn(text)).toEqual(credentials)
})
