// Converts a tool call into the protocol's form: title, kind, location, content.
import type { Diff, ToolCall, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk'
import type { Envelope } from '@zee/agent'
import { headTail } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import path from 'node:path'
import { cutToCharacters } from '../text/text.ts'

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
const maxTitleCharacters = 120
const maxShownBytes = 64 * 1024

export function toToolCall({ id, name, input }: RequestedTool, root: string): ToolCall {
  const file = typeof input.path === 'string' ? path.resolve(root, input.path) : undefined
  return {
    toolCallId: id,
    title: toolTitle(name, input),
    kind: kinds[name] ?? 'other',
    status: 'pending',
    rawInput: input,
    locations: file === undefined ? undefined : [{ path: file }],
  }
}

/** The diff that the input of an `edit` or `write` call describes. */
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

/** The diff of a successful call if there is one, otherwise its result as readable text. */
export function toContent(result: Envelope, diff: Diff | undefined): ToolCallContent[] {
  if (result.ok && diff !== undefined) return [{ type: 'diff', ...diff }]
  const text = result.ok ? readableText(result.data) : result.error.message
  if (text === '') return []
  const shown = headTail(
    text,
    maxShownBytes / 2,
    maxShownBytes / 2,
    (omitted) => `\n[${omitted} bytes]\n`,
  )
  return [{ type: 'content', content: { type: 'text', text: shown.text } }]
}

function toolTitle(name: string, input: RequestedTool['input']): string {
  const subject = [input.command, input.path, input.pattern].find(
    (each) => typeof each === 'string',
  )
  const title = name === 'bash' && subject !== undefined ? subject : `${name} ${subject ?? ''}`
  const { text, truncated } = cutToCharacters(oneLine(title.trim()), maxTitleCharacters)
  return truncated ? `${text}…` : text
}

function readableText(data: Readonly<Record<string, unknown>>): string {
  const { content, text, stdout, stderr } = data
  if (typeof content === 'string') return content
  if (typeof text === 'string') return text
  if (typeof stdout === 'string' && typeof stderr === 'string') {
    return [stdout, stderr].filter((each) => each !== '').join('\n')
  }
  return JSON.stringify(data, null, 2)
}
