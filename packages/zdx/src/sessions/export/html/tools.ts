// Tool calls for the transcript: what was asked in a line, changes to files as a diff, results as text.
import { unifiedDiff } from '@zee/agent/undo'
import { cutToBytes } from '@zee/core/bounded'
import { isObject } from '@zee/core/json'
import type { DiffFacts, DiffLine, PageText, ToolFacts } from '@zee/web/data'

type Input = Readonly<Record<string, unknown>>

const longestTitle = 200
const longestText = 32 * 1024
const mostDiffLines = 2000

export function toolFacts(name: string, input: Input, at: string): ToolFacts {
  const diff = diffOf(name, input)
  return {
    type: 'tool',
    name,
    title: titleOf(input),
    input: bounded(JSON.stringify(input, null, 2)),
    ...(diff === undefined ? {} : { diff }),
    at,
  }
}

/** What a command printed reads better as it was printed than as JSON. */
export function toolResult(envelope: unknown): PageText {
  const data = isObject(envelope) && isObject(envelope.data) ? envelope.data : undefined
  const texts = ['stdout', 'stderr', 'content', 'output'].flatMap((key) => {
    const text = data?.[key]
    return typeof text === 'string' && text !== '' ? [text] : []
  })
  return bounded(texts.length === 0 ? JSON.stringify(envelope, null, 2) : texts.join('\n'))
}

/** Of a command that ended otherwise than well. */
export function exitCode(envelope: unknown): number | undefined {
  const data = isObject(envelope) && isObject(envelope.data) ? envelope.data : {}
  const code = data.exit_code
  return typeof code === 'number' && code !== 0 ? code : undefined
}

/** The argument that says most: the command, the file, the pattern. */
function titleOf(input: Input): string {
  const names = ['command', 'path', 'pattern', 'query', 'url', 'op']
  const told = names.map((name) => input[name]).find((value) => typeof value === 'string')
  const text = typeof told === 'string' ? told : JSON.stringify(input)
  return cutToBytes(text.replaceAll(/\s*\n\s*/g, ' ⏎ '), longestTitle).text
}

function diffOf(name: string, input: Input): DiffFacts | undefined {
  const file = typeof input.path === 'string' ? input.path : ''
  if (name === 'edit' && typeof input.old === 'string' && typeof input.new === 'string') {
    // A piece of a file need not end where a line ends.
    return diffFacts(file, unifiedDiff(file, `${input.old}\n`, `${input.new}\n`))
  }
  if (name === 'write' && typeof input.content === 'string') {
    return diffFacts(file, unifiedDiff(file, null, input.content))
  }
  return undefined
}

function diffFacts(file: string, diff: string): DiffFacts {
  // The first two lines name the files.
  const all = diff.split('\n').slice(2, -1).map(diffLine)
  const marked = (mark: DiffLine['mark']) => all.filter((line) => line.mark === mark).length
  return {
    path: file,
    added: marked('+'),
    removed: marked('-'),
    lines: withoutOnlyGap(all.slice(0, mostDiffLines)),
    linesLeftOut: Math.max(0, all.length - mostDiffLines),
  }
}

/** Where the piece lies in its file is not known, so a heading before the first line says nothing. */
function withoutOnlyGap(lines: DiffLine[]): DiffLine[] {
  return lines[0]?.mark === '…' ? lines.slice(1) : lines
}

function diffLine(line: string): DiffLine {
  if (line.startsWith('@@')) return { mark: '…', text: line }
  if (line.startsWith('\\')) return { mark: '…', text: line.slice(2) }
  const mark = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' '
  return { mark, text: line.slice(1) }
}

function bounded(text: string): PageText {
  const cut = cutToBytes(text, longestText)
  if (!cut.truncated) return { text }
  return { text: cut.text, cutBytes: cut.bytes - Buffer.byteLength(cut.text) }
}
