// What a session leaves for whoever goes on: the files it worked on, the commands it ran, what was
// said last and what stayed open. Read from the session alone.
import type { SessionRecord } from '@zee/agent'
import { readSession } from '@zee/agent'
import path from 'node:path'

export interface SessionDigest {
  /** Absolute; changed ones first, the latest first within each kind. */
  files: { path: string; changed: boolean }[]
  /** In the order of their last run; `failed` when that run did not end well. */
  commands: { command: string; failed: boolean }[]
  firstPrompt: string
  lastPrompt: string
  lastAnswer: string
  /** Unchecked items of the latest list that had any. */
  openItems: string[]
  interrupted: boolean
}

/** Undefined when the session holds nothing. */
export async function digestSession(
  folder: string,
  id: string,
  root: string,
): Promise<SessionDigest | undefined> {
  const state = new Gathering(root)
  let records = 0
  for await (const { record } of readSession(folder, id)) {
    records += 1
    state.add(record)
  }
  return records === 0 ? undefined : state.digest()
}

type ToolOutput = Extract<SessionRecord, { type: 'tool_result' }>['output']

class Gathering {
  readonly #root: string
  readonly #files = new Map<string, boolean>()
  readonly #commands = new Map<string, boolean>()
  /** Commands and files whose results have not come yet, by call. */
  readonly #running = new Map<string, string>()
  readonly #touching = new Map<string, string>()
  #firstPrompt = ''
  #lastPrompt = ''
  #lastAnswer = ''
  #openItems: string[] = []
  #interrupted = false

  constructor(root: string) {
    this.#root = root
  }

  add(record: SessionRecord): void {
    switch (record.type) {
      case 'message':
        this.#addMessage(record.role, record.text)
        break
      case 'tool_use':
        this.#addCall(record.id, record.name, record.input)
        break
      case 'tool_result':
        this.#addResult(record.tool_use_id, record.output)
        break
      case 'interrupted':
        this.#interrupted = true
        break
      case 'meta':
      case 'thinking':
      case 'undo':
        break
    }
  }

  digest(): SessionDigest {
    const files = [...this.#files].reverse().map(([path, changed]) => ({ path, changed }))
    return {
      files: [...files.filter(({ changed }) => changed), ...files.filter((file) => !file.changed)],
      commands: [...this.#commands].map(([command, failed]) => ({ command, failed })),
      firstPrompt: this.#firstPrompt,
      lastPrompt: this.#lastPrompt,
      lastAnswer: this.#lastAnswer,
      openItems: this.#openItems,
      interrupted: this.#interrupted,
    }
  }

  #addMessage(role: 'user' | 'assistant', text: string): void {
    if (role === 'user') {
      if (this.#firstPrompt === '') this.#firstPrompt = text
      this.#lastPrompt = text
      this.#interrupted = false
      return
    }
    this.#lastAnswer = text
    const items = [...text.matchAll(/^\s*[-*+]\s+\[([ xX])\]\s+(.+)$/gm)]
    if (items.length > 0) {
      this.#openItems = items.filter(([, mark]) => mark === ' ').map(([, , item = '']) => item)
    }
  }

  #addCall(id: string, name: string, input: Readonly<Record<string, unknown>>): void {
    if (name === 'bash' && typeof input.command === 'string') {
      this.#commands.delete(input.command)
      this.#commands.set(input.command, false)
      this.#running.set(id, input.command)
    }
    if (!['read', 'write', 'edit'].includes(name) || typeof input.path !== 'string') return
    const file = path.resolve(this.#root, input.path)
    this.#touching.set(id, file)
    this.#touch(file, name !== 'read')
  }

  #touch(file: string, changes: boolean): void {
    const changed = changes || this.#files.get(file) === true
    this.#files.delete(file)
    this.#files.set(file, changed)
  }

  #addResult(id: string, output: ToolOutput): void {
    const command = this.#running.get(id)
    if (command !== undefined) {
      this.#running.delete(id)
      this.#commands.set(command, !output.ok || output.data.exit_code !== 0)
    }
    // The tool knows where the file really is; a relative path means little in another folder.
    const asked = this.#touching.get(id)
    const found = output.ok ? output.data.path : undefined
    if (asked === undefined || typeof found !== 'string' || found === asked) return
    this.#touching.delete(id)
    const changed = this.#files.get(asked) === true
    this.#files.delete(asked)
    this.#touch(found, changed)
  }
}
