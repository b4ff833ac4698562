import { describe, expect, test } from 'vitest'
import { findAssignedSecrets, isSecretFlag, openAssignment } from './assignments.ts'

const generated = 'aB3dE5fG7hJ2'

function valuesIn(text: string): string[] {
  return [...findAssignedSecrets(text)].map(([start, end]) => text.slice(start, end))
}

const backslashes = (count: number) => '\\'.repeat(count)

describe('the values found in', () => {
  test.each<[text: string, values: string[]]>([
    // Several assignments.
    ['a_token=abcdef b_token=ghijkl', ['abcdef', 'ghijkl']],
    ['token=abc?password=hunter22', ['abc?password=hunter22']],
    ['token=--pat aB3dE5fG7hJ2', [generated]],
    ['---token abc123def', ['abc123def']],
    ['b: 1 token=hunter22', ['hunter22']],
    ['b=1 "token": "hunter22"', ['hunter22']],
    // The name before the separator.
    [`token${' '.repeat(64)}=hunter22`, ['hunter22']],
    [`token${' '.repeat(65)}=hunter22`, []],
    [`token \t =\t hunter22`, ['hunter22']],
    ['%22token%22%3Ahunter22', ['hunter22']],
    ["cfg['token']=hunter22", ['hunter22']],
    ['cfg[token]=hunter22', ['hunter22']],
    ["'token'=hunter22", ['hunter22']],
    ['"token"=hunter22', ['hunter22']],
    ['`token`=hunter22', ['hunter22']],
    [`token${backslashes(63)}":hunter22`, ['hunter22']],
    [`token${backslashes(64)}":hunter22`, []],
    ['⟦secret:hunter22', []],
    [`?sid=${generated}`, [generated]],
    [`&sig=${generated}`, [generated]],
    [`;code=${generated}`, [generated]],
    [`sid=${generated}`, []],
    [` sid=${generated}`, []],
    // A member of a name that announces a secret.
    ['auth.token.value=hunter22', ['hunter22']],
    ['auth.token.value = hunter22', ['hunter22']],
    ['auth.token.value: hunter22', []],
    ['auth.token.value:hunter22', []],
    ['auth.token value=hunter22', []],
    ['token.cfg.value=hunter22', ['hunter22']],
    ['token cfg.value=hunter22', []],
    ['auth.token.id=hunter22', []],
    ['auth.token.ids=hunter22', ['hunter22']],
    [`pat.value=${generated}`, [generated]],
    [`token.${'a'.repeat(126)}=hunter22`, ['hunter22']],
    [`token.${'a'.repeat(127)}=hunter22`, []],
    // A flag.
    ['--token hunter22', ['hunter22']],
    ['--token\thunter22', ['hunter22']],
    ['--token  hunter22', []],
    ['--access_token  x', []],
    [`run --pat ${generated}`, [generated]],
    ['run --pw hunter22', []],
    ['--token', []],
    ['x--token hunter22', []],
    ['my token hunter22', []],
    ['--token correct', []],
    ['--token-file abc123def', []],
    // The separator.
    ['token:=hunter22', ['hunter22']],
    ['token==hunter22', []],
    ['token=~hunter22', []],
    ['token::hunter22', []],
    ['token://hunter22', []],
    ['token=:hunter22', [':hunter22']],
    ['token=//hunter22', ['//hunter22']],
    ["token => 'hunter22'", ['hunter22']],
    ['token => hunter22', []],
    ['a=token%3Dhunter22%26b', ['hunter22']],
    ['a=token%3Ahunter22%26b', ['hunter22']],
    ['token=hunter22%26b', ['hunter22%26b']],
    // Marks and URLs.
    ['x [REDACTED:MY_TOKEN]=hunter22', []],
    ['REDACTED:MY_TOKEN=hunter22', ['hunter22']],
    ['x://token:hunter22@h', []],
    ['//token:hunter22@h', ['hunter22@h']],
    ['token=[REDACTED:X]', []],
    ['token="[REDACTED:X]"', []],
    ['token="[REDACTED:X]hunter22"', ['[REDACTED:X]hunter22']],
    ['token="[REDACTED:X] [REDACTED:Y]"', ['[REDACTED:X] [REDACTED:Y]']],
    ['token="hunter22]"', ['hunter22]']],
    // The length and the kind of the value.
    ['token=abcde', []],
    ['token=abcdef', ['abcdef']],
    ['token="a b c d e"', []],
    ['token=$TOKEN', []],
    ['CACHE_KEY=correct-horse', []],
    // The first 128 characters of a name are its last ones.
    [`token${'x'.repeat(123)}=hunter22`, ['hunter22']],
    [`token${'x'.repeat(124)}=hunter22`, []],
  ])('%j', (text, values) => {
    expect(valuesIn(text)).toEqual(values)
  })

  test('a public value of up to 256 characters, and not in a longer one', () => {
    const text = (length: number) => `CACHE_KEY=${'a'.repeat(length - 14)}?token=hunter2`
    expect(valuesIn(text(256))).toEqual(['hunter2'])
    expect(valuesIn(text(257))).toEqual([])
  })
})

describe('a name', () => {
  test.each([...'059azAZ'])('continues over %s', (character) => {
    expect(valuesIn(`${character}pass=${generated}`)).toEqual([])
  })

  test.each([...'_-'])('continues over %s', (character) => {
    expect(valuesIn(`${character}sig=${generated}`)).toEqual([generated])
  })

  test.each([...'/:@[^`{,. '])('starts after %s', (character) => {
    expect(valuesIn(`${character}pass=${generated}`)).toEqual([generated])
    expect(valuesIn(`${character}sig=${generated}`)).toEqual([])
  })
})

describe('a quoted string of source code', () => {
  const words = 'correct '.repeat(32)

  test.each<[text: string, values: string[]]>([
    ['token="prefix-${x}"', []],
    [`token="${generated}\${x}"`, [`${generated}\${x}`]],
    ['token: "my-secret-name"', []],
    ['"token": "my-secret-name"', ['my-secret-name']],
    ['token:"my-secret-name"', ['my-secret-name']],
    ['token:"my-secret-name",', []],
    [`token: "a.${generated}"`, [`a.${generated}`]],
    ['token="correct horse"', ['correct horse']],
    ['token="correct horse",', []],
    ['token="correct 1horse",', ['correct 1horse']],
    ['"token":"correct horse",', ['correct horse']],
    [`token="${words}",`, []],
    [`token="${words}x",`, [`${words}x`]],
    ['token.value="correct horse"', []],
    ['const token="correct horse"', []],
    ['let token="correct horse"', []],
    ['x\nreadonly token="correct horse"', []],
    ['xreadonly token="correct horse"', ['correct horse']],
    ['$token="correct horse"', []],
    [`token=${backslashes(5)}"correct horse${backslashes(5)}" ,`, []],
    [`token=${backslashes(6)}"correct horse${backslashes(6)}" ,`, ['correct horse']],
  ])('is no secret: %s', (text, values) => {
    expect(valuesIn(text)).toEqual(values)
  })
})

describe('a bare value of source code', () => {
  test.each<[text: string, values: string[]]>([
    [':token:correct-horse', []],
    [`:token:${generated}`, [generated]],
    [':token=correct-horse', ['correct-horse']],
    ['token:correct-horse', ['correct-horse']],
    ['token: myValue,', []],
    ['token=myValue,', []],
    ['token=my-value,', ['my-value']],
    ['token=hunter2,', ['hunter2']],
    ['token: hunter2,', []],
    ['token: hunter2', ['hunter2']],
    [`token: ${generated},`, [generated]],
    [`token: ${generated}.value,`, []],
    ['token: hunter2 + 1', []],
    ['token: hunter2 or other', []],
    ['token=hunter2 + 1', ['hunter2']],
    ['token: hunter2 other', ['hunter2']],
    ['token: hunt-er2 + 1', ['hunt-er2']],
    ['const token=correct', []],
    ['const token=correct1', ['correct1']],
    ['token=correct', ['correct']],
    ['password = my_value', []],
    ['password = myValue', []],
    ['password=my_value', ['my_value']],
    ['password = myvalue', ['myvalue']],
    ['API_TOKEN=getToken("x")', []],
    ['API_TOKEN=getToken( x)', ['getToken(']],
    ['API_TOKEN=abcdef"', ['abcdef']],
    ['token=getToken( x)', []],
    ['token=required):', []],
    [`token=${generated}):`, [`${generated}):`]],
    ['token=a23456789012):', ['a23456789012):']],
    ['token=<abcdef', []],
    ['token=${abcdef', []],
    ['token=!abcdef', []],
    ['API_TOKEN=!abcdef', ['!abcdef']],
    ['token=abc-def', ['abc-def']],
    ['token: getToken(x', []],
    ['token: Promise<string', []],
    [`token: ${generated}<x`, [`${generated}<x`]],
    ['token: abc!def', []],
    ['token: abc-def', ['abc-def']],
    ['token: options.apiKey2', []],
    ['token: other.apiKey2', ['other.apiKey2']],
  ])('is no secret: %s', (text, values) => {
    expect(valuesIn(text)).toEqual(values)
  })

  test.each<[text: string, values: string[]]>([
    ['token: correct horse', []],
    ['token: correct (horse', []],
    ['token: correct 1x', ['correct']],
    ['token: correct\thorse', ['correct']],
    ['token = correct horse', ['correct']],
    ['token: corr3ct horse', ['corr3ct']],
    ['token: aBcDeFghijkl horse', ['aBcDeFghijkl']],
  ])('is a word of prose or a secret: %j', (text, values) => {
    expect(valuesIn(text)).toEqual(values)
  })
})

test.each([
  ['a token=ab', 8],
  ['a token=', undefined],
  ['a token=ab cd', undefined],
  ['token=a password=b', 17],
  ['no name', undefined],
])('the value at the end of %j starts at %s', (text, start) => {
  expect(openAssignment(text)).toBe(start)
})

test.each([
  ['--token', true],
  ['-token', true],
  ['token', false],
  ['--colour', false],
  ['--token-file', false],
  ['--token=x', false],
])('the value after the argument %s is secret: %s', (argument, expected) => {
  expect(isSecretFlag(argument)).toBe(expected)
})
