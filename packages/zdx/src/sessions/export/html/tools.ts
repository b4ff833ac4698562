// Tool calls of the transcript: a one-line title, file changes as a diff, results as text.
import { unifiedDiff } from '@zee/agent/undo'
import { cutToBytes } from '@zee/core/bounded'
import { isObject } from '@zee/core/json'
import type { DiffFacts, DiffLine, PageText, ToolFacts, ToolTexts } from '@zee/web/data'

type Input = Readonly<Record<string, unknown>>

const maxTitleBytes = 200
const maxTextBytes = 32 * 1024
const maxDiffLines = 2000

/** A call as the page shows it: its line at once, its texts when it is opened. */
export interface CallOnPage {
  facts: ToolFacts
  texts: ToolTexts
}

export function callOnPage(
  name: string,
  input: Input,
  call: Pick<ToolFacts, 'number' | 'at'>,
): CallOnPage {
  const change = inputDiff(name, input)
  return {
    facts: { type: 'tool', name, title: toolTitle(input), diff: change?.diff, ...call },
    texts: {
      input: toPageText(JSON.stringify(input, null, 2)),
      lines: change?.lines,
      linesLeftOut: change?.linesLeftOut,
    },
  }
}

/** The printed output if the result has any, otherwise the result as JSON. */
export function toolResult(envelope: unknown): PageText {
  const data = isObject(envelope) && isObject(envelope.data) ? envelope.data : undefined
  const texts = ['stdout', 'stderr', 'content', 'output'].flatMap((key) => {
    const text = data?.[key]
    return typeof text === 'string' && text !== '' ? [text] : []
  })
  return toPageText(texts.length === 0 ? JSON.stringify(envelope, null, 2) : texts.join('\n'))
}

/** The exit code of a failed command. */
export function nonZeroExitCode(envelope: unknown): number | undefined {
  const data = isObject(envelope) && isObject(envelope.data) ? envelope.data : {}
  const code = data.exit_code
  return typeof code === 'number' && code !== 0 ? code : undefined
}

/** The most telling argument: the command, the path, the pattern. */
function toolTitle(input: Input): string {
  const names = ['command', 'path', 'pattern', 'query', 'url', 'op']
  const argument = names.map((name) => input[name]).find((value) => typeof value === 'string')
  const text = typeof argument === 'string' ? argument : JSON.stringify(input)
  return cutToBytes(text.replaceAll(/\s*\n\s*/g, ' ⏎ '), maxTitleBytes).text
}

interface Change extends Pick<ToolTexts, 'lines' | 'linesLeftOut'> {
  diff: DiffFacts
}

function inputDiff(name: string, input: Input): Change | undefined {
  const file = typeof input.path === 'string' ? input.path : ''
  if (name === 'edit' && typeof input.old === 'string' && typeof input.new === 'string') {
    // The replaced text may end within a line; the newline avoids a no-newline marker.
    return parseDiff(file, unifiedDiff(file, `${input.old}\n`, `${input.new}\n`))
  }
  if (name === 'write' && typeof input.content === 'string') {
    return parseDiff(file, unifiedDiff(file, null, input.content))
  }
  return undefined
}

function parseDiff(file: string, diff: string): Change {
  // Skip the two header lines with the file names.
  const all = diff.split('\n').slice(2, -1).map(parseDiffLine)
  const count = (mark: DiffLine['mark']) => all.filter((line) => line.mark === mark).length
  return {
    diff: { path: file, added: count('+'), removed: count('-') },
    lines: withoutHunkHeader(all.slice(0, maxDiffLines)),
    linesLeftOut: Math.max(0, all.length - maxDiffLines),
  }
}

/** Drops the first hunk header: its line numbers refer to the replaced text, not to the file. */
function withoutHunkHeader(lines: DiffLine[]): DiffLine[] {
  return lines[0]?.mark === '…' ? lines.slice(1) : lines
}

function parseDiffLine(line: string): DiffLine {
  if (line.startsWith('@@')) return { mark: '…', text: line }
  if (line.startsWith('\\')) return { mark: '…', text: line.slice(2) }
  const mark = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' '
  return { mark, text: line.slice(1) }
}

function toPageText(text: string): PageText {
  const cut = cutToBytes(text, maxTextBytes)
  if (!cut.truncated) return { text }
  return { text: cut.text, cutBytes: cut.bytes - Buffer.byteLength(cut.text) }
}
