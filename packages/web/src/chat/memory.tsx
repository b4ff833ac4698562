// Searches memories and earlier messages; each result names its source.
import { useState } from 'preact/hooks'
import { Badge, Empty, Panel } from '../widgets/widgets.tsx'
import { getJson, messageOf } from './api.ts'

interface Result {
  id: number | string
  score?: number
  source: string | { channel: string; position: number }
  content: string
  ts?: string | null
}

export function MemoryView() {
  const [query, setQuery] = useState('')
  const [results, setResults] = useState<Result[]>()
  const [problem, setProblem] = useState('')
  const search = async (event: Event): Promise<void> => {
    event.preventDefault()
    try {
      const params = new URLSearchParams({ query, top_k: '20' })
      const { data } = await getJson<{ data: Result[] }>(`/v1/memory?${params}`)
      setResults(data)
      setProblem('')
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  return (
    <>
      <form class="list-head" onSubmit={(event) => void search(event)}>
        <h1>Memory</h1>
        <label class="find">
          Search
          <input
            type="search"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button strong">
          Search
        </button>
      </form>
      <p class="warn-ink" role="status">
        {problem}
      </p>
      {results === undefined ? null : <Results results={results} />}
    </>
  )
}

function Results({ results }: { results: Result[] }) {
  if (results.length === 0) return <Empty>nothing found</Empty>
  return (
    <Panel title="Results" note={`${results.length}`}>
      <ul class="results">
        {results.map(({ id, score, source, content, ts }) => (
          <li key={String(id)} class="body">
            <p>{content}</p>
            <p class="small quiet">
              <Badge>{sourceText(source)}</Badge> {ts ?? ''}{' '}
              {score === undefined ? '' : `score ${score.toFixed(2)}`}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function sourceText(source: Result['source']): string {
  return typeof source === 'string' ? 'memory' : `${source.channel}, message ${source.position}`
}
