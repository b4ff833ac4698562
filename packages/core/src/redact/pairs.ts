// Secrets apart from their name: in a list or a second member, in an element of XML, in a command that sets a
// variable, or in a line of YAML of their own. Only generated values count, because lists of names are common.
import { isGeneratedValue, isPublicValue, isSecretName } from './secret-names.ts'
import type { TextRange } from './spans.ts'

interface Form {
  /** Matches contain one of these words: `includes` is the cheapest prefilter. */
  words: readonly string[]
  /** Matches from after the name to the end of the value, which is the last group. */
  value: RegExp
  /** The name at the end of what precedes the match; the name is the first group. */
  name: RegExp
}

const quotedName = /["'`]([\w.-]{3,128})$/
const memberName = /([\w.-]{3,128})\\{0,8}["']?$/

const forms: readonly Form[] = [
  // `{"name": "DB_PASS", "value": "..."}`, `key="DB_PASS" value="..."`, `name: DB_PASS` over `value: ...`
  {
    words: ['alue'],
    value: /[Vv]alue\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?([^\s"'`\\<>,]{12,4096})/g,
    name: /(?:[Nn]ame|[Kk]ey)\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?([\w.-]{3,128})\\{0,8}["']?(?:[\s,]|\\{1,8}[nrt]){1,40}\\{0,8}["']?$/,
  },
  // `["--password", "..."]`, `('DB_PASS', '...')`
  {
    words: ['",', "',", '", ', "', "],
    value:
      /\\{0,8}["'`],(?:\s|\\{1,8}n){0,40}\\{0,8}["'`]([^\s"'`\\<>,]{12,4096})(?=\\{0,8}["'`])/g,
    name: quotedName,
  },
  // `{"X-Api-Key": ["..."]}`, `map[X-Api-Key:[...]]`
  {
    words: ['['],
    value: /[:=]\s{0,4}\[(?:\s|\\{1,8}n){0,40}\\{0,8}["']?([^\s"'`\\<>,[\]]{12,4096})/g,
    name: memberName,
  },
  // `password: >-` over the value, `password: !!str ...`
  {
    words: [': >', ': |', ': !'],
    value:
      /:[ \t]{1,4}(?:[|>][+-]?\d?|!{1,2}\w{1,20})[ \t]*(?:\r?\n|\\{1,8}n)?[ \t]{1,40}["']?([^\s"'`\\<>,]{12,4096})/g,
    name: memberName,
  },
  // `<password>...</password>`
  { words: ['</'], value: />([^\s"'`\\<>]{12,4096})<\//g, name: /<([\w.:-]{3,128})$/ },
]

/** `ENV DB_PASS ...` of a Dockerfile, and the shells that set a variable without an equals sign. */
const setting =
  /(?:^|[\s;&"'`])(?:ENV|setenv|setx|set[ \t]+-[a-zA-Z]{1,4})[ \t]+([A-Za-z_]\w{2,127})[ \t]+["']?([^\s"'`\\]{12,4096})/g

/** The caller has found the word of a secret name in the text. */
export function* findPairedSecrets(text: string): Iterable<TextRange> {
  for (const { words, value, name } of forms) {
    if (!words.some((word) => text.includes(word))) continue
    for (const found of text.matchAll(value)) {
      if (!isGeneratedValue(found[1] ?? '')) continue
      const before = text.slice(Math.max(0, found.index - maxNameLength), found.index)
      yield* secretIn(found, name.exec(before)?.[1])
    }
  }
  for (const found of text.matchAll(setting)) yield* secretIn(found, found[1])
}

/** The name of a function, such as `stream_xchacha20poly1305_init`. */
const snakeCase = /^[a-z]+\d*(?:_[a-z0-9]+){2,}$/

/** A name with what surrounds it. */
const maxNameLength = 240

function* secretIn(found: RegExpExecArray, name: string | undefined): Iterable<TextRange> {
  const value = found.at(-1) ?? ''
  if (name === undefined || !isSecretName(name) || !isGeneratedValue(value)) return
  if (isPublicValue(name, value) || snakeCase.test(value)) return
  const end = found.index + found[0].lastIndexOf(value) + value.length
  yield [end - value.length, end]
}
