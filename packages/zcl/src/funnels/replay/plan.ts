// Decides which events of a trace can be replayed, and why the others cannot.
import type { StoredEvent } from '@zee/evidence/events'

export type PlannedStep = { event: StoredEvent } & StepPlan

/** How to replay a step, or why it cannot be replayed. */
type StepPlan =
  | { kind: 'cli' | 'mcp-spawn'; argv: string[] }
  | { kind: 'mcp-request'; method: string }
  | { kind: 'none'; why: string; argv?: string[]; method?: string }

const mcpOps: ReadonlySet<string> = new Set(['initialize', 'tools/list', 'tools/call'])

/** Plans steps in order; a request belongs to the server that was started last. */
export class ReplayPlan {
  #hasServer = false

  step(event: StoredEvent): PlannedStep {
    const planned = this.#plan(event)
    if (event.tool === 'mcp' && event.op === 'spawn') this.#hasServer = planned.kind !== 'none'
    return { event, ...planned }
  }

  #plan(event: StoredEvent): StepPlan {
    const { tool, op, input } = event
    if (tool === 'cli' && op === 'exec') return commandStep('cli', input.argv)
    if (tool !== 'mcp') return { kind: 'none', why: 'only commands and MCP requests are replayed' }
    if (op === 'spawn') return commandStep('mcp-spawn', input.argv)
    if (!mcpOps.has(op)) return { kind: 'none', why: 'not one of the requests that are replayed' }
    return this.#request(event)
  }

  #request({ input, record }: StoredEvent): StepPlan {
    const { method } = input
    if (typeof method !== 'string') return { kind: 'none', why: 'the request was not kept' }
    const isCut = JSON.stringify(record.warnings ?? '').includes('ZCL_W_INPUT_TRUNCATED')
    const loss = isCut ? cutOff : missingPart(input)
    const why = this.#hasServer ? loss : 'its server cannot be started again'
    return why === undefined ? { kind: 'mcp-request', method } : { kind: 'none', why, method }
  }
}

function commandStep(kind: 'cli' | 'mcp-spawn', argv: unknown): StepPlan {
  if (!isArgv(argv)) return { kind: 'none', why: 'the command was not kept' }
  const why = missingPart(argv)
  return why === undefined ? { kind, argv } : { kind: 'none', why, argv }
}

function isArgv(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
}

const cutOff = 'a part of it was cut off'

/** Why the stored input is incomplete; undefined when it is complete. */
function missingPart(value: unknown): string | undefined {
  const text = JSON.stringify(value)
  if (text.includes('[REDACTED:')) return 'a part of it was redacted'
  if (text.includes('[TRUNCATED]')) return cutOff
  return undefined
}
