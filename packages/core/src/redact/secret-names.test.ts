import { describe, expect, test } from 'vitest'
import {
  fitsKind,
  holdsSecretWord,
  isGeneratedValue,
  isLongEnough,
  isMember,
  isProseWord,
  isPublicValue,
  isReference,
  isSecretName,
  isSecretUnder,
  looksRandom,
  nameKind,
} from './secret-names.ts'

const generated = 'aB3dE5fG7hJ2'

describe('the kind of a name', () => {
  test.each([
    ['api_key', 'secret'],
    ['privateKey', 'secret'],
    ['DB_PASSWORD', 'secret'],
    ['db_pass', 'password'],
    ['DB_PWD2', 'password'],
    ['ENCRYPTION_KEY', 'generated'],
    ['client-key-data', 'generated'],
    ['pass', 'generated'],
    ['_auth', 'generated'],
    ['sig', 'generated'],
    ['sk', undefined],
    ['pat', 'generated'],
    ['cache_salt', 'generated'],
    ['CACHE_SALT', 'generated'],
    ['CACHE_KEY', 'generated'],
    ['cache_key', undefined],
    ['monkey', undefined],
    [`${'a'.repeat(124)}_pwd`, 'password'],
    [`${'a'.repeat(125)}_pwd`, undefined],
    [`${'a'.repeat(124)}token`, 'secret'],
    [`${'a'.repeat(125)}token`, 'secret'],
  ])('%s is %s', (name, kind) => {
    expect(nameKind(name)).toBe(kind)
  })

  test.each([
    ['token', true],
    ['cache_salt', true],
    ['monkey', false],
    ['code', false],
    ['colour', false],
  ])('%s announces a secret: %s', (name, expected) => {
    expect(isSecretName(name)).toBe(expected)
  })

  test.each([
    ['my key', true],
    ['a_pw', true],
    ['a?code=', true],
    ['code=', false],
    ['a_path', false],
  ])('a text with %j may hold the name of a secret: %s', (text, expected) => {
    expect(holdsSecretWord(text)).toBe(expected)
  })
})

test.each([
  ['token', 'correct horse', true],
  ['token', 'abcde', false],
  ['token', 'string', false],
  ['colour', generated, false],
  ['code', generated, false],
  ['monkey', generated, false],
  ['CACHE_KEY', generated, true],
  ['CACHE_KEY', 'correct-horse', false],
])('isSecretUnder(%j, %j) is %s', (name, value, expected) => {
  expect(isSecretUnder(name, value)).toBe(expected)
})

test.each([
  ['secret', 'token', 'word', true],
  ['password', 'db_pwd', 'correcthorse', false],
  ['password', 'DB_PWD', 'correcthorse', true],
  ['password', 'db_pwd', 'hunter2', true],
  ['password', 'db_pwd', 'correct_horse', false],
  ['generated', 'CACHE_KEY', 'correcthorse', false],
  ['generated', 'cache_salt', 'hunter2', false],
  ['generated', 'cache_salt', generated, true],
] as const)('a value of the kind %s under %s may be %j: %s', (kind, name, value, expected) => {
  expect(fitsKind(kind, name, value)).toBe(expected)
})

describe('a value looks generated', () => {
  test.each([
    ['of 12 characters', generated, true],
    ['of 11 characters', generated.slice(0, 11), false],
    ['with its digit in front', '1zzzzzzzzzzz', true],
    ['of words', 'zzzzzzzz-zzzz', false],
    ['with a part of 8 characters', 'zzzz-abcd4567', true],
    ['with a part of 7 characters', 'zzzzz-abc4567', false],
    ['with a leading space', ` ${generated}`, false],
    ['with a space as its 512th character', `${'x1'.repeat(255)}x x`, false],
    ['with a space after 512 characters', `${'x1'.repeat(256)} x`, true],
    ['with its digit as the 512th character', `${'x'.repeat(511)}1`, true],
    ['with its digit after 512 characters', `${'x'.repeat(512)}1`, false],
  ])('%s', (_what, value, expected) => {
    expect(isGeneratedValue(value)).toBe(expected)
  })
})

test.each([
  ['abcde', false],
  ['abcdef', true],
  ['a b c d e', false],
  ['a b c d e f', true],
])('%j has the length of a secret: %s', (value, expected) => {
  expect(isLongEnough(value)).toBe(expected)
})

describe('values that are not secret', () => {
  const absentWords =
    'string number boolean object unknown undefined optional required missing invalid expired ' +
    'revoked nothing identifier operator punctuator punctuation expected unexpected provided ' +
    'disabled enabled default bearer incorrect rejected accepted denied changed updated created ' +
    'deleted rotated generated verified protected unchanged received refreshed available ' +
    'unavailable unspecified readonly redacted hidden masked unsigned signed double struct'

  test.each(absentWords.split(' '))('the word %s', (word) => {
    expect(isPublicValue('x', word)).toBe(true)
    expect(isPublicValue('x', word.toUpperCase())).toBe(true)
    expect(isPublicValue('x', `${word}!`)).toBe(false)
  })

  test.each([
    ['x', '$TOKEN', true],
    ['x', '^3.10.0', true],
    ['x', '3.10', false],
    ['x', '[A-Za-z]{12}', true],
    ['x', '#ff00aa', true],
    ['x', 'correct horse', false],
    ['x', '', false],
  ])('isPublicValue(%j, %j) is %s', (name, value, expected) => {
    expect(isPublicValue(name, value)).toBe(expected)
  })

  test.each([
    ['/usr/share/thing', true],
    ['/', false],
    ['https://example.org/token', true],
    ['https://user@example.org/', false],
    [`/data/${generated}`, false],
    [`https://example.org/${generated}`, false],
  ])('a path or URL is public unless a part is generated: %s', (value, expected) => {
    expect(isPublicValue('x', value)).toBe(expected)
  })

  test.each([
    ['accessToken', 'access_token', true],
    ['accessToken', 'token', true],
    ['token', 'ACCESS.TOKEN', true],
    ['api_auth', 'auth', true],
    ['api_key', 'key', false],
    ['token', 'token1', false],
    ['accessToken', 'horse', false],
    ['a'.repeat(64), 'a'.repeat(64), true],
    ['a'.repeat(65), 'a'.repeat(65), false],
  ])('the name repeated as the value: %s, %s', (name, value, expected) => {
    expect(isPublicValue(name, value)).toBe(expected)
  })

  test.each([
    ['output_tokens', 'counts.sum', true],
    ['output_tokens', 'counts sum', false],
    ['api_token', 'counts.sum', false],
    ['total_tokens', '1234567', true],
    ['total_tokens', '12,345/200,000', true],
    ['total_tokens', '1234x567', false],
    ['token_count', '12k', true],
    ['total_auth', '1234567', false],
    ['max_token_key', '1234567', false],
    ['token', '123456', false],
  ])('a count under the name of a count: %s, %s', (name, value, expected) => {
    expect(isPublicValue(name, value)).toBe(expected)
  })
})

test.each([
  ['${TOKEN}', true],
  ['${{ secrets.TOKEN }}', true],
  ['${TOKEN:-word}', false],
  ['$(cat file)', true],
  ['$TOKEN', true],
  ['$TOKEN-1', false],
  ['%TOKEN%', true],
  ['%token%', false],
  ['{{ vault }}', true],
  ['<your token>', true],
  ['<1>', false],
  ['process.env.TOKEN', true],
  ['os.getenv("TOKEN")', true],
  ['processing', false],
])('%s is a reference to a value: %s', (value, expected) => {
  expect(isReference(value)).toBe(expected)
})

test.each([
  ['this.token', true],
  ['options.apiKey.value', true],
  ['other.token', false],
  ['this.1', false],
])('%s is a member of an object in source text: %s', (value, expected) => {
  expect(isMember(value)).toBe(expected)
})

describe('a value', () => {
  test.each([
    ['abc12', false],
    ['abc123', true],
    ['oauth2', false],
    ['abcdefghijklmnopqrs', false],
    ['abcdefghijklmnopqrst', true],
    ['abc_def', false],
    ['abcd_efg', true],
    ['abcdefgH', true],
    ['Abcdefgh', false],
    ['ABCDEFGH', false],
    ['abcdefgh', false],
  ])('%s looks random: %s', (value, expected) => {
    expect(looksRandom(value)).toBe(expected)
  })

  test.each([
    ['Authentication', true],
    ['token-based', true],
    ['hunter', false],
    [`token-${'a'.repeat(58)}`, true],
    [`token-${'a'.repeat(59)}`, false],
  ])('%s is a word of prose: %s', (value, expected) => {
    expect(isProseWord(value)).toBe(expected)
  })
})
