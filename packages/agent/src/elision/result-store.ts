// Finds the tool results of a session by event: in its file, or in memory for a conversation that is not
// saved.
import type { Envelope } from '../envelope/envelope.ts'
import type { ElidedResult } from '../envelope/envelope.ts'
import { readSession } from '../session/session.ts'

export interface StoredResult extends ElidedResult {
  callId: string
}

export interface ResultStore {
  /** All results in order. */
  list(): Promise<StoredResult[]>
  /** Undefined if the event is not a tool result. */
  find(event: number): Promise<StoredResult | undefined>
  /** Keeps a result that no session stores. */
  remember(callId: string, tool: string, input: ElidedResult['input'], output: Envelope): void
}

interface StoreOptions {
  folder: string
  /** Undefined if the history was not loaded from a session and is not saved. */
  id: string | undefined
  isSaved: boolean
}

export function openResultStore({ folder, id, isSaved }: StoreOptions): ResultStore {
  const remembered: Omit<StoredResult, 'event'>[] = []

  /** Continues the numbers of the loaded session. */
  async function list(): Promise<StoredResult[]> {
    const stored: StoredResult[] = []
    let event = 0
    for await (const result of storedResults(folder, id, (line) => (event = line))) {
      stored.push(result)
    }
    return [...stored, ...remembered.map((result) => ({ ...result, event: ++event }))]
  }

  return {
    list,
    async find(event) {
      for (const result of isSaved ? [] : await list()) if (result.event === event) return result
      for await (const result of storedResults(folder, id))
        if (result.event === event) return result
      return undefined
    },
    remember(callId, tool, input, output) {
      if (!isSaved) remembered.push({ callId, tool, input, output })
    },
  }
}

async function* storedResults(
  folder: string,
  id: string | undefined,
  onLine: (event: number) => void = () => {},
): AsyncGenerator<StoredResult> {
  if (id === undefined) return
  const calls = new Map<string, Pick<ElidedResult, 'tool' | 'input'>>()
  for await (const { event, record } of readSession(folder, id)) {
    onLine(event)
    if (record.type === 'tool_use') calls.set(record.id, { tool: record.name, input: record.input })
    if (record.type !== 'tool_result') continue
    const call = calls.get(record.tool_use_id) ?? { tool: 'unknown', input: {} }
    yield { event, callId: record.tool_use_id, ...call, output: record.output }
  }
}
