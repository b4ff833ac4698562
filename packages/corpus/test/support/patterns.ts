// Random patterns and lines from a small alphabet, so that they match often.
import fc from 'fast-check'

const atoms = [
  ...['a', 'b', 'c', 'k', 's', 'i', 'é', '😀', '1', '_', '-', '\u212a', '\ufffd', ' '],
  ...['.', '\\w', '\\W', '\\d', '\\s', '\\S', '[ab]', '[^a]', '[^\\W\\d_]', '[a-c1é]', '[À-ÿ]'],
  ...['[^\\s]', '[\\w-]', '(?i:K)', '(?i:s)', '(?a:\\w)', '(?a:\\W)', '[😀-😂]', 'ab', 'foo'],
]
const assertions = ['^', '$', '\\b', '\\B', '\\A', '\\Z', '(?a:\\b)', '(?a:\\B)']
const repeats = [
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,3}',
  '{2,}',
  '{0}',
  '*?',
  '+?',
  '??',
  '{,2}?',
]

const regular = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(fc.constantFrom(...atoms), fc.constantFrom(...repeats)).map(quantified),
    fc.constantFrom(...assertions),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('|')),
    fc.tuple(tie('pattern'), fc.constantFrom(...repeats)).map(([body, many]) => `(${body})${many}`),
    fc.tuple(tie('pattern'), fc.constantFrom(...repeats)).map(([b, many]) => `(?:${b})${many}`),
  ),
}))

function quantified([atom, many]: [string, string]): string {
  return many === '' ? atom : `(?:${atom})${many}`
}

/** Patterns that an automaton can match. */
export const regularPatterns: fc.Arbitrary<string> = fc
  .array(regular.pattern, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''))

const reference = '(?P<n>a)(?P=n)'
const others = ['(?=a)', '(?!b)', '(?<=a)', '(?<!1)', '(?>a*)', 'b++', reference]

/** Patterns of all kinds. */
export const patternTexts: fc.Arbitrary<string> = fc
  .array(fc.oneof({ arbitrary: regular.pattern, weight: 4 }, fc.constantFrom(...others)), {
    minLength: 1,
    maxLength: 4,
  })
  // Python allows a group name only once.
  .map((parts) => parts.filter((part, at) => part !== reference || at === 0).join(''))

const units = [
  ...['a', 'b', 'c', 'k', 's', 'i', 'A', 'B', 'K', 'S', 'I', 'é', 'É', '😀', '1', '_', '-', ' '],
  ...['\u212a', '\u017f', '\u0130', '\ufffd', '\u0301', '٣', '\u00a0', 'foo', 'FOO', 'ab', '中'],
]

/** Lines without line ends. */
export const lineTexts: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...units),
  maxLength: 12,
})

const pieces = [
  ...units.map((unit) => Buffer.from(unit)),
  ...['\n', '\n', '\n', '\r', '\r\n', '\r\n', '\n\n', '\t', '\0'].map((unit) => Buffer.from(unit)),
  ...[[0x80], [0xbf], [0xc0], [0xc3], [0xe2, 0x82], [0xe0, 0x80], [0xed, 0xa0, 0x80]].map(bytesOf),
  ...[[0xf0, 0x9f, 0x98], [0xf0, 0x9f], [0xf4, 0x90, 0x80, 0x80], [0xff], [0xf0, 0x80]].map(
    bytesOf,
  ),
]

function bytesOf(bytes: number[]): Buffer {
  return Buffer.from(bytes)
}

/** Texts of several lines with all kinds of line ends and ill-formed bytes. */
export const textBytes: fc.Arbitrary<Buffer> = fc
  .array(fc.constantFrom(...pieces), { maxLength: 30 })
  .map((parts) => Buffer.concat(parts))

const fillers = ['zq zq\n', '\r\n', '\n', 'z\r', 'zé z\r\n', '中中\n', '1\n']

/** Texts of several thousand bytes with mostly equal lines. */
export const longTexts: fc.Arbitrary<Buffer> = fc
  .array(fc.tuple(fc.constantFrom(...fillers), fc.nat(900), textBytes), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) =>
    Buffer.concat(parts.flatMap(([line, count, text]) => [Buffer.from(line.repeat(count)), text])),
  )
