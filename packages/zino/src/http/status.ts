// /healthz, /v1/status and /v1/models: which services answer, and the names of the model.
import { askService } from '../client/client.ts'
import { serviceNames } from '../services/services.ts'
import { ask } from './ask.ts'
import { listOf } from './memory.ts'
import { notFound, sendJson } from './reply.ts'
import type { Call } from './routes.ts'

/** Front ends select a model by name: this one is zino itself. */
export const modelName = 'zino'

const pingDeadlineMs = 3000

/** Status 200 when the services that an answer needs are up, else 503. */
export async function showHealth(call: Call): Promise<void> {
  const up = await servicesUp(call)
  const isHealthy = up.get('daemon') === true && up.get('rtr') === true
  const services = Object.fromEntries(up)
  const status = isHealthy ? 'ok' : 'unavailable'
  sendJson(call.response, { status, services }, isHealthy ? 200 : 503)
}

export async function showStatus(call: Call): Promise<void> {
  const { config } = call
  const [up, model, memory, turns] = await Promise.all([
    servicesUp(call),
    optional(ask(call, config.rtr.socket, { type: 'capabilities' })),
    optional(ask(call, config.mem.socket, { type: 'stats' })),
    optional(ask(call, config.daemon.socket, { type: 'turns' })),
  ])
  const { type: _, ...stats } = memory
  sendJson(call.response, {
    object: 'status',
    services: Object.fromEntries(up),
    model: model.model ?? config.service.model,
    tokens_today: model.tokens_today ?? null,
    daily_tokens: model.daily_tokens ?? null,
    memory: stats,
    turns: listOf(turns.turns),
  })
}

export async function listModels({ response }: Call): Promise<void> {
  sendJson(response, { object: 'list', data: [model] })
}

export async function showModel({ response, params: [id] }: Call): Promise<void> {
  if (id !== modelName) throw notFound(`there is no model ${id}; use ${modelName}`)
  sendJson(response, model)
}

const model = { id: modelName, object: 'model', created: 0, owned_by: 'zino' } as const

/** Which services answer a ping. */
export async function servicesUp({ config, signal }: Call): Promise<Map<string, boolean>> {
  const answers = serviceNames.map(async (name): Promise<[string, boolean]> => {
    try {
      const { type } = await askService(
        config[name].socket,
        { type: 'ping' },
        { signal, deadlineMs: pingDeadlineMs },
      )
      return [name, type === 'pong']
    } catch {
      return [name, false]
    }
  })
  return new Map(await Promise.all(answers))
}

/** Empty when the service does not answer. */
export async function optional(
  answer: Promise<Readonly<Record<string, unknown>>>,
): Promise<Readonly<Record<string, unknown>>> {
  return answer.catch(() => ({}))
}
