// Summarizes a session for a handoff: files, commands, first and last prompt, last answer, open items.
import type { SessionRecord } from '@zee/agent'
import { readSession } from '@zee/agent'
import path from 'node:path'

export interface SessionDigest {
  /** Absolute paths; changed files first, then newest first. */
  files: { path: string; changed: boolean }[]
  /** In the order of their last run; `failed` refers to that run. */
  commands: { command: string; failed: boolean }[]
  firstPrompt: string
  lastPrompt: string
  lastAnswer: string
  /** Unchecked items of the latest task list. */
  openItems: string[]
  interrupted: boolean
}

/** Undefined if the session has no records. */
export async function digestSession(
  folder: string,
  id: string,
  root: string,
): Promise<SessionDigest | undefined> {
  const builder = new DigestBuilder(root)
  let records = 0
  for await (const { record } of readSession(folder, id)) {
    records += 1
    builder.add(record)
  }
  return records === 0 ? undefined : builder.digest()
}

type ToolOutput = Extract<SessionRecord, { type: 'tool_result' }>['output']

class DigestBuilder {
  readonly #root: string
  readonly #files = new Map<string, boolean>()
  readonly #commands = new Map<string, boolean>()
  /** Commands and files of calls without a result yet, by call id. */
  readonly #pendingCommands = new Map<string, string>()
  readonly #pendingFiles = new Map<string, string>()
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
      case 'receipt':
      case 'elided':
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
      this.#pendingCommands.set(id, input.command)
    }
    if (!['read', 'write', 'edit'].includes(name) || typeof input.path !== 'string') return
    const file = path.resolve(this.#root, input.path)
    this.#pendingFiles.set(id, file)
    this.#addFile(file, name !== 'read')
  }

  #addFile(file: string, changes: boolean): void {
    const changed = changes || this.#files.get(file) === true
    this.#files.delete(file)
    this.#files.set(file, changed)
  }

  #addResult(id: string, output: ToolOutput): void {
    const command = this.#pendingCommands.get(id)
    if (command !== undefined) {
      this.#pendingCommands.delete(id)
      this.#commands.set(command, !output.ok || (output.data.exit_code ?? 0) !== 0)
    }
    // The session may come from another root; the result has the path that the tool resolved.
    const requested = this.#pendingFiles.get(id)
    const resolved = output.ok ? output.data.path : undefined
    if (requested === undefined || typeof resolved !== 'string' || resolved === requested) return
    this.#pendingFiles.delete(id)
    const changed = this.#files.get(requested) === true
    this.#files.delete(requested)
    this.#addFile(resolved, changed)
  }
}
