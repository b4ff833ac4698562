// Feeds a million random inputs to every reader of external bytes. Each input yields a value or a
// ZeeError, independent of chunk boundaries. `ZEE_ROUNDS` scales the number of inputs. A failure
// names its seed, and `ZEE_SEED` repeats it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ZeeError } from '../../packages/core/src/errors/errors.ts'
import { readJournalSync } from '../../packages/core/src/journal/journal.ts'
import { createRedactor } from '../../packages/core/src/redact/redact.ts'
import { compileGlobs } from '../../packages/corpus/src/glob/glob.ts'
import { compileRegex } from '../../packages/corpus/src/regex/regex.ts'
import { prepareSearch } from '../../packages/corpus/src/regex/search.ts'
import { createSseReader } from '../../packages/llm/src/wires/sse.ts'
import { LineReader } from '../../packages/zcl/src/funnels/mcp/messages/messages.ts'
import { StreamParser, type Segment } from '../../packages/zino/src/services/agent/stream-parser.ts'
import { encodeFrame, FrameReader, type Frame } from '../../packages/zino/src/wire/wire.ts'
import { Random } from './random.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-fuzz-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** 10,000 rounds are one million inputs over the eight readers. */
const inputs = Math.ceil(Number(process.env.ZEE_ROUNDS ?? 10_000) * 12.5)
const firstSeed = Number(process.env.ZEE_SEED ?? 1)

function fuzz(name: string, check: (random: Random) => void): void {
  it(`${name} (${inputs} inputs)`, () => {
    for (let seed = firstSeed; seed < firstSeed + inputs; seed++) {
      try {
        check(new Random(seed))
      } catch (error) {
        throw new Error(`ZEE_SEED=${seed}: ${String(error)}`, { cause: error })
      }
    }
  })
}

/** Returns undefined when `work` throws a ZeeError. */
function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof ZeeError) return undefined
    throw error
  }
}

const same = (one: unknown, other: unknown): void => {
  if (JSON.stringify(one) === JSON.stringify(other)) return
  expect(one).toEqual(other)
}

const words = ['data', ':', ' ', '\n', '\r', '\r\n', 'event', 'id', '{"a":1}', 'ü', '😀', '\ufeff']

fuzz('the SSE reader yields the same events for any chunk boundaries', (random) => {
  const text = random.text([...words, '\0', '[DONE]'], 30)
  // The last line must be terminated, because the meaning of an open line depends on the next
  // bytes.
  const bytes = Buffer.concat([
    random.below(4) === 0 ? random.bytes(60) : Buffer.from(text),
    Buffer.from('\n'),
  ])
  const read = (pieces: readonly Buffer[]): unknown[] => {
    const events: unknown[] = []
    const reader = createSseReader((name, data) => events.push([name, data]))
    for (const piece of pieces) reader.feed(piece)
    reader.end()
    return events
  }
  same(read(random.cut(bytes)), read([bytes]))
})

fuzz(
  'the frame reader yields the same frames for any chunk boundaries and never throws',
  (random) => {
    const good = [{ type: 'x' }, { a: 'ü😀' }, {}, { deep: [[[{}]]] }]
    const parts = Array.from({ length: random.below(5) }, () =>
      random.below(3) === 0 ? random.bytes(12) : encodeFrame(random.of(good)),
    )
    const bytes = Buffer.concat(parts)
    const read = (pieces: readonly Buffer[]): Frame[] => {
      const reader = new FrameReader(1000)
      const frames: Frame[] = []
      for (const piece of pieces) {
        reader.push(piece)
        for (let frame = reader.next(); frame; frame = reader.next()) frames.push(frame)
        if (reader.bytes > bytes.length)
          throw new Error('the reader buffers more bytes than it received')
      }
      return frames
    }
    same(read(random.cut(bytes)), read([bytes]))
  },
)

const tags = [
  '<tool_call>',
  '</tool_call>',
  '<task>',
  '</task>',
  '<',
  '</',
  'tool_call>',
  'a',
  '\n',
  '😀',
]

fuzz(
  'the stream parser loses no text and yields the same segments for any chunk boundaries',
  (random) => {
    const text = random.text(tags, 25)
    const read = (pieces: readonly string[]): Segment[] => {
      const parser = new StreamParser()
      return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]
    }
    const joined = (segments: Segment[]): [string, string[]] => [
      segments
        .map((each) =>
          each.kind === 'text' ? each.text : `<${each.tag}>${each.content}</${each.tag}>`,
        )
        .join(''),
      segments.flatMap((each) => (each.kind === 'block' ? [`${each.tag} ${each.content}`] : [])),
    ]
    const pieces: string[] = []
    for (let rest = text; rest !== '';) {
      const length = 1 + random.below(7)
      pieces.push(rest.slice(0, length))
      rest = rest.slice(length)
    }
    const unsplit = joined(read([text]))
    same(joined(read(pieces)), unsplit)
    same(unsplit[0], text)
  },
)

const jsonWords = ['{"a":1}', '{"b":"ü"}', '\n', '{', '}', '"', '[]', 'null', ' ', '\r', '\\', '😀']

fuzz('the journal reader yields exactly the objects in a file of random lines', (random) => {
  const bytes = random.below(3) === 0 ? random.bytes(80) : Buffer.from(random.text(jsonWords, 20))
  const file = path.join(folder, 'journal.jsonl')
  writeFileSync(file, bytes)
  const records: unknown[] = []
  const summary = readJournalSync(file, ({ record }) => void records.push(record))
  same(records, objectsIn(bytes))
  same(summary.records, records.length)
})

function objectsIn(bytes: Buffer): unknown[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return splitLines(bytes).flatMap((line) => {
    try {
      const value: unknown = JSON.parse(decoder.decode(line))
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : []
    } catch {
      return []
    }
  })
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return [...lines, bytes.subarray(start)]
}

const globWords = [
  '*',
  '**',
  '?',
  '[',
  ']',
  '{',
  '}',
  ',',
  '!',
  '-',
  '/',
  'a',
  'b',
  '..',
  '\\',
  '😀',
]

fuzz('globs terminate, and couldBegin is true for every prefix of a match', (random) => {
  const glob = random.text(globWords, 14)
  const target = random.text(['a', 'b', '/', '.', '-', '😀'], 12)
  const matcher = unlessRefused(() => compileGlobs([glob]))
  if (matcher === undefined) return
  if (!matcher.matches(target)) return
  let prefix = ''
  for (const character of target) {
    if (!matcher.canMatchPrefix(prefix)) throw new Error(`${glob} and ${target}`)
    prefix += character
  }
})

const regexWords = [
  'a',
  'b',
  '.',
  '*',
  '+',
  '?',
  '|',
  '(',
  ')',
  '(?:',
  '[',
  ']',
  '^',
  '$',
  '{2}',
  '\\w',
  '\\',
  '(?i)',
  '-',
  'é',
]
const plainWords = [
  'a',
  'b',
  'c',
  '.',
  'ab',
  '[ab]',
  '[^a]',
  '(?:a|b)',
  'a?',
  'b*',
  '(?:ab)+',
  'a|b',
  '$',
  '^a',
]

fuzz(
  'regexes are refused or run, and simple ones find the same matches as JavaScript',
  (random) => {
    const isPlain = random.below(2) === 0
    const pattern = random.text(isPlain ? plainWords : regexWords, 8)
    const compiled = unlessRefused(() => compileRegex(pattern, { lines: true }))
    if (compiled === undefined) {
      if (isPlain) throw new Error(`${pattern} was refused`)
      return
    }
    // Other patterns run in a worker with a deadline.
    if (!compiled.isLinear) return
    const lines = Array.from({ length: 3 }, () => random.text(['a', 'b', 'c', 'é', ' '], 8))
    const found = prepareSearch(compiled.program).lines(Buffer.from(lines.join('\n')), 100)
    if (!isPlain) return
    const expected = lines.flatMap((line, index) => {
      const match = new RegExp(pattern, 'u').exec(line)
      return match === null ? [] : [index + 1, [...line.slice(0, match.index)].length + 1]
    })
    // An empty last line is not a line of the file.
    same(
      lines.at(-1) === '' ? found.filter((_, index) => isBefore(found, index, 3)) : found,
      lines.at(-1) === '' ? expected.filter((_, index) => isBefore(expected, index, 3)) : expected,
    )
  },
)

function isBefore(pairs: readonly number[], index: number, line: number): boolean {
  return (pairs[index - (index % 2)] ?? 0) < line
}

const redactor = createRedactor({ environment: { DEPLOY_TOKEN: 'correct-horse-battery' } })
const body = 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0LmNbVcXzQa'
const secrets = [
  `ghp_${body.slice(0, 36)}`,
  `sk-ant-api03-${body}`,
  'correct-horse-battery',
  `glpat-${body.slice(0, 20)}`,
]
const around = [
  ' ',
  '\n',
  '"',
  "'",
  '=',
  ':',
  ',',
  '{',
  '😀',
  'key',
  'token',
  'https://',
  '@',
  '\\n',
  'Bearer ',
]

fuzz('the redactor removes every secret, and a second pass changes nothing', (random) => {
  const secret = random.of(secrets)
  const text = `${random.text(around, 8)} ${secret} ${random.text(around, 8)}`
  const once = redactor.text(text).text
  if (once.includes(secret)) throw new Error(`the secret is still in ${once}`)
  same(redactor.text(once).text, once)
  const maxBytes = random.below(60)
  const { text: short } = redactor.cut(text, maxBytes)
  if (Buffer.byteLength(short) > maxBytes) throw new Error(`${short} exceeds ${maxBytes} bytes`)
  if (short.includes('\ufffd')) throw new Error('the cut split a character')
})

const rpcWords = [
  '{"id":1,"method":"x"}',
  '{"jsonrpc":"2.0","id":"a","result":{}}',
  '[',
  ']',
  ',',
  '\n',
  '\r\n',
  '{',
  'null',
  '{"method":"n"}',
  'ü',
]

fuzz('the MCP line reader yields the same messages for any chunk boundaries', (random) => {
  const bytes = random.below(4) === 0 ? random.bytes(60) : Buffer.from(random.text(rpcWords, 14))
  const read = (pieces: readonly Buffer[]): unknown[] => {
    const lines: unknown[] = []
    const reader = new LineReader(({ messages, bytes: size }) => lines.push([messages, size]))
    for (const piece of pieces) reader.push(piece)
    reader.end()
    return lines
  }
  same(read(random.cut(bytes)), read([bytes]))
})
