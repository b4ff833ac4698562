// The real server of a served trace. It starts with the first live request and gets the client's
// `initialize` first, and only once: many servers refuse a second one.
import { McpSession, openMcpSession } from '../mcp.ts'
import { answerWithId, type LiveTools } from './responder.ts'

export class LiveServer implements LiveTools {
  readonly #argv: readonly string[]
  readonly #env: Record<string, string | undefined>
  #initialize: unknown
  #session: Promise<McpSession | undefined> | undefined
  #greeting: string | undefined

  constructor(argv: readonly string[], env: Record<string, string | undefined>) {
    this.#argv = argv
    this.#env = env
  }

  remember(params: unknown): void {
    this.#initialize = params
  }

  async request(id: unknown, method: string, params: unknown): Promise<string | undefined> {
    this.#session ??= this.#open()
    const session = await this.#session
    if (method === 'initialize') return answerWithId(this.#greeting, id)
    const answer = await session?.request(id, method, params)
    return answer?.text
  }

  async close(): Promise<void> {
    await (await this.#session)?.close()
  }

  async #open(): Promise<McpSession | undefined> {
    const session = await openMcpSession(this.#argv, this.#env)
    if (!(session instanceof McpSession)) return undefined
    const answer = await session.request('zcl-initialize', 'initialize', this.#initialize)
    this.#greeting = answer?.text
    return session
  }
}
