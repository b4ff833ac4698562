// The dashboard's connection to its server: rows by version, notified by server-sent events; one request per
// other question.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ActionAnswer, RowsUpdate, RunRow, SessionRow, TraceRow } from '../data/data.ts'

export interface Rows {
  /** Newest first. */
  sessions: SessionRow[]
  runs: RunRow[]
  traces: TraceRow[]
  pending: number
  isLoaded: boolean
  isConnected: boolean
}

const folder = location.href.replace(/[#?].*$/, '')

export async function ask<Answer>(name: string): Promise<Answer> {
  const answer = await fetch(`${folder}api/${name}`)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Answer
}

export async function act(request: Record<string, string>): Promise<ActionAnswer> {
  const answer = await fetch(`${folder}api/action`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  if (!answer.ok) return { problem: (await answer.text()).trim() }
  return (await answer.json()) as ActionAnswer
}

/** The address of an existing page, such as `session/ID`. */
export function pageHref(page: string): string {
  return `page/${page.split('/').map(encodeURIComponent).join('/')}`
}

export function useRows(): Rows {
  const [rows, setRows] = useState<Rows>({
    ...{ sessions: [], runs: [], traces: [], pending: 0 },
    ...{ isLoaded: false, isConnected: true },
  })
  const store = useRef(new RowStore())
  useEffect(() => {
    let isFetching = false
    let isStale = false
    const fetchRows = async (): Promise<void> => {
      isStale = true
      if (isFetching) return
      isFetching = true
      try {
        while (isStale) {
          isStale = false
          store.current.apply(await ask<RowsUpdate>(`rows?since=${store.current.version}`))
          setRows({ ...store.current.rows(), isLoaded: true, isConnected: true })
        }
      } catch {
        setRows((before) => ({ ...before, isConnected: false }))
      } finally {
        isFetching = false
      }
    }
    const source = new EventSource(`${folder}events`)
    source.addEventListener('hello', () => void fetchRows())
    source.addEventListener('change', () => void fetchRows())
    source.addEventListener('error', () => setRows((before) => ({ ...before, isConnected: false })))
    return () => source.close()
  }, [])
  return rows
}

class RowStore {
  version = 0
  readonly #sessions = new Map<string, SessionRow>()
  readonly #runs = new Map<string, RunRow>()
  readonly #traces = new Map<string, TraceRow>()
  #pending = 0

  apply(update: RowsUpdate): void {
    this.version = update.version
    this.#pending = update.pending
    for (const row of update.sessions) this.#sessions.set(row.id, row)
    for (const row of update.runs) this.#runs.set(row.key, row)
    for (const row of update.traces) this.#traces.set(row.key, row)
    for (const key of update.removed) {
      const maps = { s: this.#sessions, r: this.#runs, t: this.#traces }
      maps[key[0] as 's' | 'r' | 't']?.delete(key.slice(2))
    }
  }

  rows(): Omit<Rows, 'isLoaded' | 'isConnected'> {
    return {
      sessions: [...this.#sessions.values()].sort((a, b) => b.modifiedMs - a.modifiedMs),
      runs: [...this.#runs.values()].sort((a, b) => (a.runId < b.runId ? 1 : -1)),
      traces: [...this.#traces.values()].sort((a, b) => b.modifiedMs - a.modifiedMs),
      pending: this.#pending,
    }
  }
}

/** The answer to a question, asked again when `name` or `refresh` changes. */
export function useAnswer<Answer>(name: string, refresh: unknown): Answer | Error | undefined {
  const [answer, setAnswer] = useState<Answer | Error>()
  useEffect(() => {
    let isCurrent = true
    ask<Answer>(name).then(
      (value) => isCurrent && setAnswer(value as Answer & (Answer | Error)),
      (error: unknown) =>
        isCurrent && setAnswer(error instanceof Error ? error : new Error('lost')),
    )
    return () => {
      isCurrent = false
    }
  }, [name, refresh])
  return answer
}

/** A number that grows every `ms` milliseconds while the page is visible. */
export function useTicks(ms: number): number {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setTicks((before) => before + 1)
    }, ms)
    return () => clearInterval(timer)
  }, [ms])
  return ticks
}
