// Memories of zino, as its commands print them.
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { isObject, parseObject } from '@zee/core/json'
import { runProgram } from '../programs/programs.ts'

type Fields = Readonly<Record<string, unknown>>

const deadlineMs = 10_000

/** A hard memory has a number, a message of a channel has `CHANNEL:POSITION`. */
export function isMemoryId(id: string): boolean {
  return /^\d{1,12}$|^[^/\s-][^/\s]*:\d{1,12}$/.test(id)
}

/** Undefined if zino is not set up or has no such memory. */
export async function findMemory(id: string, host: Host): Promise<Fields | undefined> {
  const args = ['memory', 'show', '--json', '--', id]
  const { code, stdout, stderr } = await runProgram('zino', args, host, deadlineMs)
  if (code === 0)
    return listIn(parseObject(stdout), 'results', 'memories')[0] ?? parseObject(stdout)
  if (/cannot reach/.test(stderr)) {
    throw new ZeeError(
      'no_page',
      `'${id}' may be a memory, but zino is not running: zino up --detach`,
    )
  }
  return undefined
}

/** The text of a memory: its content, or its messages. */
export function memoryText(row: Fields): string {
  const content = firstText(row, ['content', 'text'])
  if (content !== '') return content
  const messages = Array.isArray(row.messages) ? row.messages.filter(isObject) : []
  return messages.map(({ content: text }) => String(text ?? '')).join(' · ')
}

export function listIn(answer: Fields | undefined, ...names: readonly string[]): Fields[] {
  const list = names.map((name) => answer?.[name]).find(Array.isArray)
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** The first of these fields that is set, on one line. */
export function firstText(row: Fields, names: readonly string[]): string {
  const value = names.map((name) => row[name]).find((each) => each !== undefined && each !== null)
  if (value === undefined || value === null) return ''
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
