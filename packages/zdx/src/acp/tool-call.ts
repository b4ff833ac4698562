// A call of a tool in the words of an editor: a title, a kind, the place it is about.
import type { Diff, ToolCall, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk'
import type { Envelope } from '@zee/agent'
import { headTail } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import path from 'node:path'
import { cutCharacters } from '../text/text.ts'

export interface RequestedTool {
  id: string
  name: string
  input: Readonly<Record<string, unknown>>
}

const kinds: Readonly<Record<string, ToolKind>> = {
  bash: 'execute',
  edit: 'edit',
  read: 'read',
  search: 'search',
  write: 'edit',
}
const titleCharacters = 120
const shownBytes = 64 * 1024

export function toolCallOf({ id, name, input }: RequestedTool, root: string): ToolCall {
  const file = typeof input.path === 'string' ? path.resolve(root, input.path) : undefined
  return {
    toolCallId: id,
    title: titleOf(name, input),
    kind: kinds[name] ?? 'other',
    status: 'pending',
    rawInput: input,
    ...(file === undefined ? {} : { locations: [{ path: file }] }),
  }
}

/** What a change is going to be, as far as its input says. */
export function proposedDiff({ name, input }: RequestedTool, root: string): Diff | undefined {
  if (typeof input.path !== 'string') return undefined
  const file = path.resolve(root, input.path)
  if (name === 'write' && typeof input.content === 'string') {
    return { path: file, oldText: null, newText: input.content }
  }
  if (name !== 'edit' || typeof input.old !== 'string' || typeof input.new !== 'string') {
    return undefined
  }
  return { path: file, oldText: input.old, newText: input.new }
}

/** The difference where there is one, otherwise the result as people read it. */
export function contentOf(result: Envelope, diff: Diff | undefined): ToolCallContent[] {
  if (result.ok && diff !== undefined) return [{ type: 'diff', ...diff }]
  const text = result.ok ? readable(result.data) : result.error.message
  if (text === '') return []
  const shown = headTail(
    text,
    shownBytes / 2,
    shownBytes / 2,
    (omitted) => `\n[${omitted} bytes]\n`,
  )
  return [{ type: 'content', content: { type: 'text', text: shown.text } }]
}

function titleOf(name: string, input: RequestedTool['input']): string {
  const about = [input.command, input.path, input.pattern].find((each) => typeof each === 'string')
  const words = name === 'bash' && about !== undefined ? about : `${name} ${about ?? ''}`
  const { text, truncated } = cutCharacters(oneLine(words.trim()), titleCharacters)
  return truncated ? `${text}…` : text
}

function readable(data: Readonly<Record<string, unknown>>): string {
  const { content, text, stdout, stderr } = data
  if (typeof content === 'string') return content
  if (typeof text === 'string') return text
  if (typeof stdout === 'string' && typeof stderr === 'string') {
    return [stdout, stderr].filter((each) => each !== '').join('\n')
  }
  return JSON.stringify(data, null, 2)
}
