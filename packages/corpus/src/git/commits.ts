// Parses commits and tags.
import { gitError } from './failure.ts'

export interface Person {
  name: string
  email: string
  /** Seconds since 1970. */
  time: number
  /** Such as `+0200`. */
  zone: string
}

export interface Commit {
  name: string
  tree: string
  parents: readonly string[]
  author: Person
  committer: Person
  message: string
}

const unknownPerson: Person = { name: '', email: '', time: 0, zone: '+0000' }

export function parseCommit(name: string, bytes: Buffer): Commit {
  const end = headerEnd(bytes)
  const head = bytes.toString('utf8', 0, end)
  const commit = {
    name,
    tree: '',
    parents: [] as string[],
    author: unknownPerson,
    committer: unknownPerson,
  }
  let encoding = 'utf-8'
  for (const line of head.split('\n')) {
    const space = line.indexOf(' ')
    const [key, value] = [line.slice(0, space), line.slice(space + 1)]
    if (key === 'tree') commit.tree = value
    else if (key === 'parent') commit.parents.push(value)
    else if (key === 'author') commit.author = parsePerson(value)
    else if (key === 'committer') commit.committer = parsePerson(value)
    else if (key === 'encoding') encoding = value
  }
  if (commit.tree === '') throw gitError(`the commit ${name} is damaged`)
  return { ...commit, message: decode(bytes.subarray(Math.min(bytes.length, end + 2)), encoding) }
}

/** The object that a tag points to. */
export function tagTarget(name: string, bytes: Buffer): string {
  const target = /^object ([0-9a-f]+)\n/.exec(bytes.toString('latin1', 0, 80))?.[1]
  if (target === undefined) throw gitError(`the tag ${name} is damaged`)
  return target
}

/** The first paragraph of a message as one line, as git shows it. */
export function subjectOf({ message }: Commit): string {
  const paragraph = message.replace(/^\s*\n/, '').split(/\n[ \t]*(?:\n|$)/, 1)[0] ?? ''
  return paragraph
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim()
}

function headerEnd(bytes: Buffer): number {
  const end = bytes.indexOf('\n\n')
  return end === -1 ? bytes.length : end
}

function parsePerson(text: string): Person {
  const [, name = '', email = '', time = '0', zone = '+0000'] =
    /^(.*?) ?<([^>]*)>(?: (-?\d+)(?: ([+-]\d{4}))?)?/.exec(text) ?? []
  return { name, email, time: Number(time), zone }
}

function decode(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
