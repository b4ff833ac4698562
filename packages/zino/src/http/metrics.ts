// /metrics: the state of zino as Prometheus text.
import { askService, controlSocketBeside } from '../client/client.ts'
import { ask } from './ask.ts'
import { listOf } from './memory.ts'
import { sendReply } from './reply.ts'
import type { Call } from './routes.ts'
import { optional, servicesUp } from './status.ts'

type Labels = Readonly<Record<string, string | number>>
type Sample = readonly [labels: Labels, value: number]

const controlDeadlineMs = 3000

export async function showMetrics(call: Call): Promise<void> {
  const { config, counters, signal } = call
  const control = askService(
    controlSocketBeside(config.daemon.socket),
    { type: 'status' },
    { signal, deadlineMs: controlDeadlineMs },
  )
  const [up, supervisor, model, memory, turns] = await Promise.all([
    servicesUp(call),
    optional(control),
    optional(ask(call, config.rtr.socket, { type: 'capabilities' })),
    optional(ask(call, config.mem.socket, { type: 'stats' })),
    optional(ask(call, config.daemon.socket, { type: 'turns' })),
  ])
  const services = listOf(supervisor.services)
  const perService = (field: string): Sample[] =>
    services.flatMap((each) => samples({ service: String(each.name) }, each[field]))
  const lines = [
    ...metric('zino_service_up', 'gauge', 'Whether the service answers', [
      ...[...up].map(([service, isUp]): Sample => [{ service }, Number(isUp)]),
    ]),
    ...metric('zino_service_restarts_total', 'counter', 'Restarts by the supervisor', [
      ...perService('restarts'),
    ]),
    ...metric('zino_service_uptime_seconds', 'gauge', 'Time since the start', [
      ...perService('uptime_seconds'),
    ]),
    ...metric('zino_service_resident_memory_bytes', 'gauge', 'Resident memory', [
      ...perService('rss_bytes'),
    ]),
    ...metric('zino_tokens_today', 'gauge', 'Tokens used today (UTC)', [
      ...samples({}, model.tokens_today),
    ]),
    ...metric('zino_memories', 'gauge', 'Stored hard memories', samples({}, memory.hard_memories)),
    ...metric('zino_channel_messages', 'gauge', 'Messages in all channels', [
      ...samples({}, memory.channel_messages),
    ]),
    ...metric('zino_unfinished_turns', 'gauge', 'Turns without an answer, or not stored', [
      ...(Array.isArray(turns.turns) ? samples({}, turns.turns.length) : []),
    ]),
    ...metric('zino_http_requests_total', 'counter', 'Requests to the bridge', [
      ...[...counters.requests.values()].map(({ route, status, count }): Sample => [
        { route, status },
        count,
      ]),
    ]),
    ...metric('zino_http_streams', 'gauge', 'Answers being streamed', [[{}, counters.streams]]),
    ...metric('zino_http_resident_memory_bytes', 'gauge', 'Resident memory of the bridge', [
      [{}, process.memoryUsage.rss()],
    ]),
  ]
  const type = 'text/plain; version=0.0.4; charset=utf-8'
  sendReply(call.response, { type, body: `${lines.join('\n')}\n` })
}

/** One sample, or none when the value is unknown. */
function samples(labels: Labels, value: unknown): Sample[] {
  return typeof value === 'number' ? [[labels, value]] : []
}

function metric(
  name: string,
  type: 'gauge' | 'counter',
  help: string,
  list: readonly Sample[],
): string[] {
  if (list.length === 0) return []
  const lines = list.map(([labels, value]) => `${name}${labelText(labels)} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines]
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([key, value]) => `${key}="${String(value).replace(/[\\"\n]/g, escapeLabel)}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`
}
