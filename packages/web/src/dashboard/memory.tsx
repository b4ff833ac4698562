// Searches zino's memory: each hit with why it was found, its source and its time.
import { useEffect, useState } from 'preact/hooks'
import type { MemoryAnswer, MemoryRow } from '../data/data.ts'
import { formatInstant } from '../format.ts'
import { Empty } from '../widgets/widgets.tsx'
import { useAnswer } from './api.ts'

const typingMs = 300

export function MemoryView() {
  const [query, setQuery] = useState('')
  const settled = useSettled(query.trim(), typingMs)
  const answer = useAnswer<MemoryAnswer>(`memory?q=${encodeURIComponent(settled)}`, 0)
  const { rows = [], problem } =
    answer instanceof Error ? { problem: answer.message } : (answer ?? {})
  return (
    <>
      <div class="list-head">
        <h1>Memory</h1>
        <input
          class="find"
          type="search"
          placeholder="Search ( / )"
          aria-label="Search memory"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </div>
      {answer === undefined ? (
        <Empty>Loading …</Empty>
      ) : rows.length === 0 ? (
        <Empty>{problem ?? (settled === '' ? 'No memories yet.' : 'Nothing found.')}</Empty>
      ) : (
        <ul class="memories">
          {rows.map((row, at) => (
            <li key={at}>
              <p>{row.text}</p>
              <p class="small quiet">{describe(row)}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Source, time, and why it was found, as far as they are known. */
function describe({ source, time, why }: MemoryRow): string {
  return [
    source === 'hard' ? 'stored memory' : source,
    time === '' ? '' : formatInstant(time),
    why === '' ? '' : `found by ${why}`,
  ]
    .filter((text) => text !== '')
    .join(' · ')
}

/** The value after it has not changed for `ms`. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
