import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const redactor = createRedactor()
const mark = '[REDACTED:ENV_SECRET]'

describe('names in assignments', () => {
  test.each([
    'api_key',
    'OPENAI_API_KEY',
    'apikey',
    'apiKey',
    'X-Api-Key',
    'my-api-key',
    'secret',
    'CLIENT_SECRET_2',
    'clientSecret',
    'token',
    'FOO_TOKEN',
    'accessToken',
    'refresh-token-id',
    'passwd',
    'PASSWD',
    'password',
    'DB_PASSWORD',
    'private_key',
    'privateKey',
    'access_key',
    'AWS_SECRET_ACCESS_KEY',
    'credential',
    'CREDENTIALS',
  ])('%s announces a secret in every notation; only the value is replaced', (name) => {
    const value = 'hunter2/hunter2+x'
    const notations: [string, string][] = [
      [`${name}=`, ''],
      [`${name}=`, ' next'],
      [`${name}:`, ''],
      [`${name}: `, '\n'],
      [`${name} = `, ''],
      [`export ${name}='`, "' && x"],
      [`${name}="`, '"'],
      [`"${name}": "`, '", "a": 1'],
      [`{"${name}":"`, '"}'],
      [`'${name}': '`, "',"],
      [String.raw`{\"${name}\":\"`, String.raw`\",\"a\":1}`],
      [String.raw`\\\"${name}\\\": \\\"`, String.raw`\\\"`],
      [`https://h/p?a=1&${name}=`, '&b=2'],
      [`https://h/p?${name}=`, ''],
      [`cfg['${name}'] = "`, '"'],
      [`'${name}' => '`, "'"],
      [`${name} := "`, '"'],
      [`(${name}=`, ')'],
      [`--${name}=`, ' -v'],
      [`u=https%3A%2F%2Fh%3F${name}%3D`, '%26b%3D2'],
    ]
    for (const [before, after] of notations) {
      const { text, applied } = redactor.text(before + value + after)
      expect(text).toBe(before + mark + after)
      expect(applied).toEqual(['env_secret'])
      expect(redactor.text(text).applied).toEqual([])
    }
  })

  test('that only contain a secret word do not match', () => {
    const text =
      'tokenizer: bert-base-uncased tokenised=whatever secretary: Johnson passwordless=enabled1'
    expect(redactor.text(text).applied).toEqual([])
  })
})

describe('assigned values', () => {
  test('match from six non-space characters on', () => {
    expect(redactor.text('token=abcde').applied).toEqual([])
    expect(redactor.text('token=abcdef').text).toBe(`token=${mark}`)
    expect(redactor.text('token="a b c d e"').applied).toEqual([])
    expect(redactor.text('token="a b c d e f"').text).toBe(`token="${mark}"`)
  })

  test('in quotes are replaced completely, with their spaces', () => {
    expect(redactor.text('PASSWORD="correct horse battery staple" run').text).toBe(
      `PASSWORD="${mark}" run`,
    )
    expect(redactor.text('password: "correct horse\nnext').text).toBe(`password: "${mark}\nnext`)
    expect(redactor.text(String.raw`{"password":"a\"b c d\"efg","x":1}`).text).toBe(
      `{"password":"${mark}","x":1}`,
    )
  })

  test('without quotes end at a space, a quote or the next parameter', () => {
    expect(redactor.text("PASSWORD=don'tpanic99").text).toBe(`PASSWORD=${mark}`)
    expect(redactor.text('PASSWORD=ab&cdefg && x').text).toBe(`PASSWORD=${mark} && x`)
    expect(redactor.text('{q: "a?token=abcdef1"}').text).toBe(`{q: "a?token=${mark}"}`)
    expect(redactor.text('call(token=abcdef1), then').text).toBe(`call(token=${mark}), then`)
    expect(redactor.text('Set-Cookie: session_token=abcdef1; Path=/').text).toBe(
      `Set-Cookie: session_token=${mark}; Path=/`,
    )
  })

  test('that match a token rule are named by that rule', () => {
    const token = `ghp_${'aB3'.repeat(12)}`
    expect(redactor.text(`GITHUB_TOKEN=${token}`)).toEqual({
      text: 'GITHUB_TOKEN=[REDACTED:GITHUB_TOKEN]',
      applied: ['github_token'],
    })
    expect(redactor.text(`token=pre-${token}`)).toEqual({
      text: `token=${mark}`,
      applied: ['env_secret', 'github_token'],
    })
  })

  test('of a flag match if they look random', () => {
    expect(redactor.text('curl --token abc123def --password "p w d 1 2 3"').text).toBe(
      `curl --token ${mark} --password "${mark}"`,
    )
    const help = '  --token string   the token; --token requires a value; --token-file abc123def'
    expect(redactor.text(help).applied).toEqual([])
  })
})

describe('the env_secret rule does not match', () => {
  test.each([
    'total_tokens: 1234567, "input_tokens":123456,"outputTokens": 654321',
    '{"max_tokens":1000000,"temperature":0.5}',
    'tokens: 12,345/200,000 token_count=1000000 tokens_per_second: 1234.567',
    '{"tokens":[1234,5678,91011]}',
    'usage: { output_tokens: output, cached_tokens: cached, max_tokens: limitTokens }',
    '"@scope/credential-provider": "^3.972.1"',
    'The placeholder starts with ⟦secret:[a-z0-9-]{1,64}',
    'token count: 1234567',
    'the token limit is high; passwords should be rotated; a secret sauce',
    'Secrets: rotate them every month',
    'the secret: nothing special',
    'password: incorrect',
    'token_type: Bearer',
    'token: string; password?: string; credentials: Credentials',
    'src/token.ts:12:export const a = 1',
    'secrets.yaml:3: mapping expected',
    'if (token === undefined || token == other_token) {',
    'std::token::Identifier and token://path/to/it',
    'const token = readToken(file)',
    'this.apiKey = options.apiKey',
    'password: process.env.PASSWORD',
    'curl -H "X-Api-Key: $API_KEY" -H "X-Auth-Token: ${AUTH_TOKEN}"',
    'password: {{ vault_password }}',
    'api_key=<your-api-key>',
    'const f = token => token.value',
    '[REDACTED:GITHUB_TOKEN]: something else',
    'token=[REDACTED:ENV_SECRET], password: "[REDACTED:ENV_SECRET]"',
  ])('%s', (text) => {
    expect(redactor.text(text)).toEqual({ text, applied: [] })
  })

  test('a count, but it matches a one-time code', () => {
    expect(redactor.text('token=123456').text).toBe(`token=${mark}`)
    expect(redactor.text('password: 12345678').text).toBe(`password: ${mark}`)
  })
})
