// Secrets recognized by the text around them: cookies, `.netrc`, `.pgpass`, Docker credentials, and
// passwords in the arguments of common commands.
import { isPublicValue, isReference, looksRandom } from './secret-names.ts'
import type { TextRange } from './spans.ts'

/** Each finder with words of which its matches contain one: `includes` is the cheapest prefilter. */
const finders: readonly {
  words: readonly string[]
  find: (text: string) => Iterable<TextRange>
}[] = [
  { words: ['ookie'], find: findCookies },
  { words: ['machine'], find: findNetrcPasswords },
  { words: [' -'], find: findCommandPasswords },
  { words: ['"auths'], find: (text) => lastGroups(text, dockerAuth) },
  { words: [':5432:'], find: (text) => lastGroups(text, pgpass) },
]

export function* findContextSecrets(text: string): Iterable<TextRange> {
  for (const { words, find } of finders) {
    if (words.some((word) => text.includes(word))) yield* find(text)
  }
}

/** `"auth": "<base64 of user:password>"` */
const dockerAuth = /"auth\\?"\s{0,8}:\s{0,8}\\?"([A-Za-z0-9+/]{10,4096}={0,2})/g
/** `host:5432:database:user:password` */
const pgpass =
  /(?:^|[\s"'=])[^\s:#"'=]{1,255}:5432:[^\s:"']{1,63}:[^\s:"']{1,63}:([^\s:"'\\]{3,255})(?=[\s"'\\]|$)/g

function* lastGroups(text: string, expression: RegExp): Iterable<TextRange> {
  for (const found of text.matchAll(expression)) {
    const value = found[1] ?? ''
    const end = found.index + found[0].length
    if (!isReference(value) && !/^[{<$%]/.test(value)) yield [end - value.length, end]
  }
}

const cookieHeader =
  /(?:set-)?cookies?["'\\]{0,4}[ \t]{0,4}(?::|=>|=|,)[ \t]{0,4}["'\\]{0,4}(?=[\w.-]{1,128}=)|--cookie[ =]["']?(?=[\w.-]{1,128}=)/gi
const cookiePair = /([\w.$-]{1,128})=([^;\s"'`,\\]{0,4096})(; ?)?/y
const attributes =
  /^(?:path|domain|expires|max-age|samesite|secure|httponly|partitioned|priority)$/i

/** The values of a `Cookie` or `Set-Cookie` header, without attributes and words. */
function* findCookies(text: string): Iterable<TextRange> {
  cookieHeader.lastIndex = 0
  for (let found = cookieHeader.exec(text); found !== null; found = cookieHeader.exec(text)) {
    cookiePair.lastIndex = cookieHeader.lastIndex
    for (let pair = cookiePair.exec(text); pair !== null; pair = cookiePair.exec(text)) {
      const [whole, name = '', value = '', more = ''] = pair
      const end = pair.index + whole.length - more.length
      cookieHeader.lastIndex = end
      if (attributes.test(name)) break
      if (looksRandom(value) && !isPublicValue(name, value)) {
        yield [end - value.length, end]
      }
      if (more === '') break
    }
  }
}

const netrc =
  /machine[ \t]+\S{1,255}\s+(?:login\s+\S{1,255}\s+)?(?:account\s+\S{1,255}\s+)?password\s+(\S{3,255})/g

function* findNetrcPasswords(text: string): Iterable<TextRange> {
  if (/password\s/.test(text)) yield* lastGroups(text, netrc)
}

/** The password as an argument; the word in front names the command. */
const commandPasswords: readonly RegExp[] = [
  /\bsshpass[ \t]+-p[ \t]*["']?([^\s"']{4,255})/g,
  /\bcurl\b[^\n|;&]{0,400}?[ \t](?:-u|--user|--proxy-user)[ \t=]?[ \t]*["']?[\w.@%+-]{1,128}:([^\s"']{4,255})/g,
  /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,200}?[ \t]-p([^\s"'-][^\s"']{3,255})/g,
  /\b(?:mongo|mongosh|mongodump)\b[^\n|;&]{0,200}?[ \t]-p[ \t]+["']?([^\s"'-][^\s"']{3,255})/g,
  /\bredis-cli\b[^\n|;&]{0,200}?[ \t]-a[ \t]+["']?([^\s"'-][^\s"']{3,255})/g,
  /\bhtpasswd[ \t]+-[A-Za-z]*b[A-Za-z]*[ \t]+(?:\S{1,255}[ \t]+)?\S{1,128}[ \t]+["']?([^\s"']{4,255})/g,
]

function* findCommandPasswords(text: string): Iterable<TextRange> {
  if (!/sshpass|curl|mysql|mariadb|mongo|redis-cli|htpasswd/.test(text)) return
  for (const expression of commandPasswords) yield* lastGroups(text, expression)
}
