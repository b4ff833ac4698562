// A loopback model for real coding agents. It speaks the four wire formats, takes whatever the agents send,
// and lets the test decide each answer by the tools that the agent offers and the results that it got.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { streamOf } from '../support/fake-anthropic.ts'
import { wireEvents, wireOf } from '../support/fake-models.ts'
import type { JsonObject, Line } from '../support/fake-models.ts'
import { onLoopback } from '../support/loopback.ts'
import type { Loopback } from '../support/loopback.ts'

/** One request of an agent. */
export interface AgentTurn {
  path: string
  /** Names of the offered tools. */
  tools: string[]
  /** Results of tools since the last user message, as JSON text. */
  results: string[]
  /** The request as sent. */
  text: string
}

export interface AgentModel extends Loopback {
  turns: AgentTurn[]
}

/** Requests without tools (titles, summaries) are answered with `ok` and are not shown to `decide`. */
export async function agentModel(decide: (turn: AgentTurn) => Line): Promise<AgentModel> {
  const turns: AgentTurn[] = []
  const loopback = await onLoopback((incoming, text, response) => {
    const path = new URL(incoming.url ?? '/', 'http://loopback').pathname
    const body = parsed(text)
    const turn: AgentTurn = { path, tools: toolNames(body), results: toolResults(body), text }
    turns.push(turn)
    answer(response, path, body, turn.tools.length === 0 ? { text: 'ok' } : decide(turn))
  })
  return { ...loopback, turns }
}

function answer(response: ServerResponse, path: string, body: JsonObject, line: Line): void {
  const wire = wireOf(path)
  if (wire !== undefined) return stream(response, wireEvents[wire](withNamespaces(line, body)))
  if (path.endsWith('/messages')) return anthropic(response, body, line)
  if (path.endsWith(':generateContent')) {
    const [event = ''] = wireEvents.gemini(line)
    return json(response, 200, JSON.parse(event.slice('data: '.length)))
  }
  if (path.endsWith('/models')) return json(response, 200, { object: 'list', data: [] })
  if (/count_?tokens$/i.test(path)) return json(response, 200, { input_tokens: 1, totalTokens: 1 })
  return json(response, 404, { error: { message: `no such path: ${path}` } })
}

function anthropic(response: ServerResponse, body: JsonObject, line: Line): void {
  const text = line.text === undefined ? [] : [{ text: [line.text] }]
  const calls = (line.calls ?? []).map(({ name, input }) => ({ tool: name, input: { ...input } }))
  if (body.stream === true) {
    // Agents join the parts of a message by its id.
    const id = randomUUID()
    const events = streamOf([...text, ...calls]).map((event) => event.replace('msg_1', id))
    return stream(response, events)
  }
  const content = [{ type: 'text', text: line.text ?? 'ok' }]
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'fake', content }
  return json(response, 200, { ...message, stop_reason: 'end_turn', stop_sequence: null, usage })
}

function stream(response: ServerResponse, events: string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(events.join(''))
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function parsed(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    return {}
  }
}

/** Anthropic and Responses name a tool directly, Chat inside `function`; Gemini and Codex have groups of tools. */
function toolNames(body: JsonObject): string[] {
  return items(body.tools).flatMap((tool) => {
    if (Array.isArray(tool.functionDeclarations))
      return items(tool.functionDeclarations).map(nameOf)
    if (tool.type === 'namespace') return items(tool.tools).map((inner) => nameIn(tool, inner))
    const name = nameOf((tool.function ?? tool) as JsonObject)
    return name === '' ? [] : [name]
  })
}

const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '')

/** Codex offers the tools of an MCP server in a namespace. */
const nameIn = (group: JsonObject, tool: JsonObject): string => `${nameOf(group)}__${nameOf(tool)}`

function withNamespaces(line: Line, body: JsonObject): Line {
  const groups = items(body.tools).filter(({ type }) => type === 'namespace')
  const calls = (line.calls ?? []).map((call) => {
    const group = groups.find((group) =>
      items(group.tools).some((tool) => nameIn(group, tool) === call.name),
    )
    if (group === undefined) return call
    const namespace = nameOf(group)
    return { ...call, namespace, name: call.name.slice(namespace.length + 2) }
  })
  return { ...line, calls }
}

function toolResults(body: JsonObject): string[] {
  const entries = [...items(body.messages), ...items(body.input), ...items(body.contents)]
  return entries
    .flatMap((entry) => [entry, ...items(entry.content), ...items(entry.parts)])
    .filter(
      ({ type, role, functionResponse }) =>
        type === 'tool_result' ||
        type === 'function_call_output' ||
        role === 'tool' ||
        functionResponse !== undefined,
    )
    .map((entry) => JSON.stringify(entry))
}

function items(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : []
}
