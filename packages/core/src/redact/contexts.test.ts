import { expect, test } from 'vitest'
import { findContextSecrets } from './contexts.ts'

const secretsIn = (text: string) =>
  [...findContextSecrets(text)].map(([start, end]) => text.slice(start, end))

test.each<[text: string, secrets: string[]]>([
  ['Cookie: sid=abc123def', ['abc123def']],
  ['x Cookie: sid=abc123def; theme=dark; b=abcd_efg', ['abc123def', 'abcd_efg']],
  ['x Set-Cookie: sid=abc123def; Path=/aB3dE5fG7hJ2; b=abc123def', ['abc123def']],
  ['x Cookie: a=abc12; b=abc123', ['abc123']],
  ['x Cookie: a=$SESSION_1; b=abc123', ['abc123']],
  ['x Cookie: total_tokens=1234567', []],
  ['x Cookie: a=abc123 b=abc456', ['abc123']],
  ['x Cookie: a=abc123\nCookie: b=abc456', ['abc123', 'abc456']],
  ['curl --cookie "a=abc123"', ['abc123']],
])('the values of cookies in %j', (text, secrets) => {
  expect(secretsIn(text)).toEqual(secrets)
})

test.each<[text: string, secrets: string[]]>([
  ['machine host login me password hunter2', ['hunter2']],
  ['machine host login me password $PASS', []],
  ['machine host login me password <pass>', []],
  ['machine host login me', []],
  ['{"auths": {"h": {"auth": "dXNlcjpwYXNz"}}}', ['dXNlcjpwYXNz']],
  ['{"h": {"auth": "dXNlcjpwYXNz"}}', []],
  ['host:5432:db:me:hunter2', ['hunter2']],
  ['host:5432:db:me:hunter2 ', ['hunter2']],
  ['host:5432:db:me:$PASS', []],
  ['host:5432:db:me:%PASS', []],
  ['host:5433:db:me:hunter2', []],
  ['sshpass -p hunter2 ssh h', ['hunter2']],
  ['curl -u me:hunter2 h', ['hunter2']],
  ['mysql -phunter2 db', ['hunter2']],
  ['mariadb -u me -phunter2 db', ['hunter2']],
  ['mongosh -p hunter2 db', ['hunter2']],
  ['redis-cli -a hunter2 get', ['hunter2']],
  ['htpasswd -b file me hunter2', ['hunter2']],
  ['other -p hunter2', []],
])('the passwords in %j', (text, secrets) => {
  expect(secretsIn(text)).toEqual(secrets)
})
