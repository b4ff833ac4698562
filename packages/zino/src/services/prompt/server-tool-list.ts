// The tools of MCP servers in the prompt. exc starts the servers, so it is asked for the list; servers that
// fail are tried again later.
import { setTimeout as pause } from 'node:timers/promises'
import { reasonOf } from '@zee/core/errors'
import { askService, restartWaitMs } from '../../client/client.ts'
import type { ServerTool } from '../../definitions/definitions.ts'
import type { ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'

/** Retry pauses after the start: exc may come up later than sys. */
const startPausesMs = [0, 100, 300, 1000, 3000]
/** A server that failed is tried again when a prompt is needed, at most this often. */
const retryMs = 30_000
const deadlineMs = 60_000

export class ServerToolList {
  readonly #context: ServiceContext
  readonly #signal: AbortSignal
  readonly #onChange: (tools: readonly ServerTool[]) => void
  readonly #isUsed: boolean
  #retryAt = Infinity
  #running: Promise<boolean> | undefined

  constructor(
    context: ServiceContext,
    signal: AbortSignal,
    onChange: (tools: readonly ServerTool[]) => void,
  ) {
    this.#context = context
    this.#signal = signal
    this.#onChange = onChange
    this.#isUsed = Object.keys(context.config.mcp ?? {}).length > 0
  }

  /** Asks in the background until exc answers. */
  start(): void {
    if (this.#isUsed) void this.#startNow()
  }

  /** Asks again in the background if a server has failed. */
  retry(): void {
    if (performance.now() < this.#retryAt) return
    void this.refresh()
  }

  /** Resolves to false when exc did not answer. */
  refresh(): Promise<boolean> {
    if (!this.#isUsed) return Promise.resolve(true)
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #startNow(): Promise<void> {
    for (const ms of startPausesMs) {
      await pause(ms, undefined, { signal: this.#signal, ref: false }).catch(() => {})
      if (this.#signal.aborted || (await this.refresh())) return
    }
  }

  async #ask(): Promise<boolean> {
    const { config, log } = this.#context
    this.#retryAt = performance.now() + retryMs
    try {
      const options = { signal: this.#signal, deadlineMs, waitMs: restartWaitMs }
      const answer = await askService(config.exc.socket, { type: 'mcp_tools' }, options)
      const failures = Array.isArray(answer.failures) ? answer.failures : []
      for (const failure of failures) log.warn(`${String(failure)}; its tools are not offered`)
      if (failures.length === 0) this.#retryAt = Infinity
      this.#onChange(toolsOf(answer))
      return true
    } catch (error) {
      if (!this.#signal.aborted) log.debug(`no tools of MCP servers yet: ${reasonOf(error)}`)
      return false
    }
  }
}

function toolsOf({ tools }: Message): ServerTool[] {
  if (!Array.isArray(tools)) return []
  return tools.filter(isMessage).map(({ name, description, arguments: args }) => ({
    name: String(name),
    description: String(description),
    arguments: String(args),
  }))
}
