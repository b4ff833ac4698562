import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const redactor = createRedactor()
const redacted = (text: string): string => redactor.text(text).text

describe('the bearer_token rule', () => {
  test.each([
    ['Authorization: Bearer abc123def456', 'Authorization: Bearer [REDACTED:BEARER_TOKEN]'],
    ['authorization: bearer abc123def456 x', 'authorization: bearer [REDACTED:BEARER_TOKEN] x'],
    ['AUTHORIZATION: BEARER ABC123', 'AUTHORIZATION: BEARER [REDACTED:BEARER_TOKEN]'],
    ["-H 'Authorization: Bearer my-token'", "-H 'Authorization: Bearer [REDACTED:BEARER_TOKEN]'"],
    ['{"authorization":"Bearer abcdef"}', '{"authorization":"Bearer [REDACTED:BEARER_TOKEN]"}'],
    [
      String.raw`\"Authorization\": \"Bearer a1.b2-c3\"`,
      String.raw`\"Authorization\": \"Bearer [REDACTED:BEARER_TOKEN]\"`,
    ],
    ['it sent Bearer abc123 twice.', 'it sent Bearer [REDACTED:BEARER_TOKEN] twice.'],
    ['sent bearer tok_live_secret.', 'sent bearer [REDACTED:BEARER_TOKEN].'],
    ['Bearer  aVeryLongWord', 'Bearer  [REDACTED:BEARER_TOKEN]'],
    ['Bearer bearer abc123', 'Bearer bearer [REDACTED:BEARER_TOKEN]'],
    ['bearer=abcdefghijklmnopqrstuvwxyz', 'bearer=[REDACTED:BEARER_TOKEN]'],
  ])('redacts %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
    expect(redactor.text(text).applied).toEqual(['bearer_token'])
    expect(redacted(expected)).toBe(expected)
  })

  test('matches other schemes of an Authorization header', () => {
    expect(redacted('Authorization: Basic dXNlcjpwYXNz')).toBe(
      'Authorization: Basic [REDACTED:BEARER_TOKEN]',
    )
    expect(redacted('Proxy-Authorization: token 0123abcd')).not.toContain('0123abcd')
    expect(redacted('authorization: 0123abcd4567')).not.toContain('0123abcd')
  })

  test('leaves a token that matches a token rule to that rule', () => {
    const token = `ghp_${'aB3'.repeat(12)}`
    expect(redactor.text(`Authorization: Bearer ${token}`)).toEqual({
      text: 'Authorization: Bearer [REDACTED:GITHUB_TOKEN]',
      applied: ['github_token'],
    })
  })

  test.each([
    'the bearer of this letter',
    'Bearer authentication, bearer tokens and the bearer token-based scheme',
    'a Bearer OAuth2 flow; BEARER AUTHENTICATION',
    'standard-bearer responsibilities',
    'WWW-Authenticate: Bearer realm="example", error="invalid_token"',
    'WWW-Authenticate: Bearer authorization_uri="https://login.example"',
    'curl -H "Authorization: Bearer $TOKEN"',
    'curl -H "Authorization: Bearer ${TOKEN}"',
    'Authorization: Bearer <token>',
    'authorization: required',
    'authorization: see the manual',
    'self.bearer = BearerToken(request)',
  ])('does not match %s', (text) => {
    expect(redactor.text(text)).toEqual({ text, applied: [] })
  })
})

describe('the url_credentials rule', () => {
  test.each([
    ['https://user:pass@host/x', 'https://[REDACTED:URL_CREDENTIALS]@host/x'],
    ['postgres://u:p@ss@h:5432/db', 'postgres://[REDACTED:URL_CREDENTIALS]@h:5432/db'],
    ['redis://:hunter2@localhost', 'redis://[REDACTED:URL_CREDENTIALS]@localhost'],
    ['git+https://sk_live:@h', 'git+https://[REDACTED:URL_CREDENTIALS]@h'],
    ['amqp://u:p/w#1?2@host/v', 'amqp://[REDACTED:URL_CREDENTIALS]@host/v'],
    [
      String.raw`{"u":"https:\/\/a:b@h\/x"}`,
      String.raw`{"u":"https:\/\/[REDACTED:URL_CREDENTIALS]@h\/x"}`,
    ],
    ['https://token:abcdefgh@h/x y', 'https://[REDACTED:URL_CREDENTIALS]@h/x y'],
    ['s://:p@', 's://[REDACTED:URL_CREDENTIALS]@'],
    ['s://u:@', 's://[REDACTED:URL_CREDENTIALS]@'],
  ])('redacts %s', (text, expected) => {
    expect(redactor.text(text)).toEqual({ text: expected, applied: ['url_credentials'] })
    expect(redacted(expected)).toBe(expected)
  })

  test('reports a token inside the credentials, too', () => {
    const token = `ghp_${'aB3'.repeat(12)}`
    expect(redactor.text(`git clone https://x-access-token:${token}@github.com/a/b`)).toEqual({
      text: 'git clone https://[REDACTED:URL_CREDENTIALS]@github.com/a/b',
      applied: ['github_token', 'url_credentials'],
    })
  })

  test.each([
    'http://localhost:8080/path@x',
    'https://git@github.com/a/b',
    'ssh://git@github.com:22/a',
    'http://[::1]:3000/',
    'see http://host:80 and mail me@example.org',
    'https://user:${PASSWORD}@host',
    'node:internal/modules a://b c@d',
  ])('does not match %s', (text) => {
    expect(redactor.text(text)).toEqual({ text, applied: [] })
  })
})
