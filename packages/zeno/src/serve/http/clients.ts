// The clients of an HTTP server: one for each token, with its roots, its budget and its slots.
import type { Host } from '@zee/core/exit'
import type { Client } from '../../access/access.ts'
import type { Budget } from '../../budget/budget.ts'
import type { OpenService, Service } from '../../service/service.ts'
import { Slots } from './limits.ts'
import type { HttpLimits } from './limits.ts'
import type { McpEndpoint } from './mcp-endpoint.ts'

export interface HttpClient {
  slots: Slots
  /** A service for one JSONL exchange; the trace numbers them as connections. */
  newService(): Service
  /** Loaded by the first MCP request. */
  mcp(): Promise<McpEndpoint>
}

interface ClientOptions {
  limits: HttpLimits
  /** Absolute path of the trace. */
  log: string | undefined
}

export class HttpClients {
  readonly #shared: OpenService
  readonly #options: ClientOptions
  readonly #host: Host
  readonly #clients = new Map<number, HttpClient>()
  readonly #endpoints: Promise<McpEndpoint>[] = []
  #connections = 0

  constructor(shared: OpenService, options: ClientOptions, host: Host) {
    this.#shared = shared
    this.#options = options
    this.#host = host
  }

  get({ number, roots }: Client): HttpClient {
    const known = this.#clients.get(number)
    if (known !== undefined) return known
    const budget = this.#shared.newBudget()
    // A budget is admitted and charged in two steps, so that its requests must not overlap.
    const slots = new Slots(budget === undefined ? this.#options.limits.concurrency : 1)
    let endpoint: Promise<McpEndpoint> | undefined
    const client: HttpClient = {
      slots,
      newService: () => this.#newService(roots, budget),
      mcp: () => {
        if (endpoint === undefined) {
          endpoint = this.#createEndpoint(roots, budget)
          this.#endpoints.push(endpoint)
        }
        return endpoint
      },
    }
    this.#clients.set(number, client)
    return client
  }

  async close(): Promise<void> {
    for (const endpoint of this.#endpoints) await (await endpoint).close()
  }

  #newService(roots: readonly string[] | undefined, budget: Budget | undefined): Service {
    return this.#shared.newService({ conn: ++this.#connections, roots, budget })
  }

  async #createEndpoint(
    roots: readonly string[] | undefined,
    budget: Budget | undefined,
  ): Promise<McpEndpoint> {
    const { createMcpEndpoint } = await import('./mcp-endpoint.ts')
    const { log } = this.#options
    // The trace has the requests of all clients, so only a server of one client may show it.
    const shown = roots === undefined ? log : undefined
    const rootNames = roots ?? this.#shared.rootNames
    const isParallel = budget === undefined
    const options = { hasTrace: log !== undefined, log: shown, rootNames, isParallel }
    return createMcpEndpoint(this.#newService(roots, budget), options, this.#host)
  }
}
