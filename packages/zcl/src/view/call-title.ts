// Titles of traced calls in one line: a shell command, an HTTP request, or a tool and its arguments.
import { isObject } from '@zee/core/json'
import { shellQuoted } from '@zee/evidence/attempt'

export interface TitledCall {
  tool: string
  op: string
  input: Readonly<Record<string, unknown>>
}

export interface CallTitle {
  title: string
  /** Whether the title shows the complete input. */
  isComplete: boolean
}

const maxTitleChars = 400

export function callTitle({ tool, op, input }: TitledCall): CallTitle {
  if (tool === 'cli' && isStringArray(input.argv)) {
    const line = input.argv.map(quoted).join(' ')
    return shorten(line, Object.keys(input).length === 1)
  }
  if (tool === 'http' && typeof input.method === 'string' && typeof input.url === 'string') {
    return shorten(`${input.method} ${input.url}`, Object.keys(input).length === 2)
  }
  if (tool === 'mcp' && isObject(input.params) && typeof input.params.name === 'string') {
    return shorten(`${input.params.name} ${compact(input.params.arguments)}`, false)
  }
  if (tool === 'mcp' && isStringArray(input.argv))
    return shorten(input.argv.map(quoted).join(' '), true)
  const edit = editTitle(input)
  if (edit !== undefined) return shorten(`${op} ${edit}`, false)
  const [only] = Object.values(input)
  if (Object.keys(input).length === 1 && typeof only === 'string')
    return shorten(`${op} ${only}`, true)
  return shorten(`${op} ${compact(input)}`, false)
}

/** The path of a changed file with the counts of added and removed lines; undefined for other calls. */
function editTitle(input: TitledCall['input']): string | undefined {
  const file = input.path ?? input.file_path ?? input.filePath
  const added = input.new ?? input.new_string ?? input.newString ?? input.content
  const removed = input.old ?? input.old_string ?? input.oldString
  if (typeof file !== 'string' || typeof added !== 'string') return undefined
  const removedLines = typeof removed === 'string' ? ` -${lineCount(removed)}` : ''
  return `${file} +${lineCount(added)}${removedLines}`
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}

function shorten(text: string, isWhole: boolean): CallTitle {
  const line = text.replaceAll(/\s*[\r\n]+\s*/g, ' ⏎ ')
  const isCut = line.length > maxTitleChars || line.length !== text.length
  return {
    title: line.length > maxTitleChars ? `${line.slice(0, maxTitleChars)}…` : line,
    isComplete: isWhole && !isCut,
  }
}

/** Quotes words that a shell would split or expand. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word)
}

function compact(value: unknown): string {
  return isObject(value) && Object.keys(value).length === 0 ? '' : (JSON.stringify(value) ?? '')
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string')
}
