// A client of a language server over its pipe, for the references of one place. Files are opened one at a time.
import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

export interface Place {
  file: string
  /** From 0. */
  line: number
  character: number
}

interface Message {
  id?: number | string
  method?: string
  params?: { items?: unknown[] }
  result?: unknown
  error?: { message: string }
}

const answerMs = 120_000

export class LanguageServer {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #opened = new Set<string>()
  #buffer = Buffer.alloc(0)
  #last = 0

  /** `command` has its arguments after spaces. */
  constructor(command: string, folder: string) {
    const [program = '', ...args] = command.split(' ')
    this.#child = spawn(program, args, { cwd: folder, stdio: 'pipe' })
    this.#child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#child.stderr.resume()
  }

  async start(folder: string): Promise<void> {
    const uri = pathToFileURL(folder).href
    await this.#request('initialize', {
      processId: process.pid,
      rootUri: uri,
      capabilities: { workspace: { configuration: true, workspaceFolders: true } },
      workspaceFolders: [{ uri, name: 'bench' }],
    })
    this.#send({ method: 'initialized', params: {} })
  }

  /** `uri#line` of each reference, the declaration included; lines from 1. None for a place in a string, or in a file of another platform. */
  async references({ file, line, character }: Place, languageId: string): Promise<string[]> {
    const uri = pathToFileURL(file).href
    if (!this.#opened.has(uri)) {
      this.#opened.add(uri)
      const textDocument = { uri, languageId, version: 1, text: readFileSync(file, 'utf8') }
      this.#send({ method: 'textDocument/didOpen', params: { textDocument } })
    }
    const request = this.#request('textDocument/references', {
      textDocument: { uri },
      position: { line, character },
      context: { includeDeclaration: true },
    })
    const found = (await request.catch((error: unknown) => {
      if (error instanceof Error && /no identifier|no package/.test(error.message)) return null
      throw error
    })) as { uri: string; range: { start: { line: number } } }[] | null
    return (found ?? []).map((each) => `${each.uri}#${each.range.start.line + 1}`)
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }

  #request(method: string, params: object): Promise<unknown> {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} timed out`)), answerMs)
      this.#waiting.set(id, ({ result, error }) => {
        clearTimeout(timer)
        if (error === undefined) resolve(result)
        else reject(new Error(error.message))
      })
      this.#send({ id, method, params })
    })
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  #receive(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk])
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n')
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.#buffer.toString('latin1', 0, end))?.[1],
      )
      if (end === -1 || this.#buffer.length < end + 4 + length) return
      const body = this.#buffer.toString('utf8', end + 4, end + 4 + length)
      this.#buffer = this.#buffer.subarray(end + 4 + length)
      this.#take(JSON.parse(body) as Message)
    }
  }

  /** Requests of the server, such as for settings, get an empty answer. */
  #take(message: Message): void {
    const { id, method, params } = message
    if (method === undefined) {
      this.#waiting.get(Number(id))?.(message)
      this.#waiting.delete(Number(id))
    } else if (id !== undefined) {
      this.#send({ id, result: params?.items?.map(() => null) ?? null })
    }
  }
}
