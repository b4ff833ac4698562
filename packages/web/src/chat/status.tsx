// Which services answer, the model, and unfinished turns.
import { useEffect, useState } from 'preact/hooks'
import { Badge, Panel, Stats } from '../widgets/widgets.tsx'
import { getJson, messageOf } from './api.ts'

interface Status {
  services: Record<string, boolean>
  model: string
  tokens_today: number | null
  memory: { hard_memories?: number; channel_messages?: number }
  turns: { turn: string; state: string; channel: string | null }[]
}

const pollMs = 5000

export function StatusView() {
  const [status, setStatus] = useState<Status>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const load = (): void => {
      getJson<Status>('/v1/status')
        .then((loaded) => {
          setStatus(loaded)
          setProblem('')
        })
        .catch((error: unknown) => setProblem(messageOf(error)))
    }
    load()
    const timer = setInterval(load, pollMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <div class="list-head">
        <h1>Status</h1>
      </div>
      <p class="warn-ink" role="status">
        {problem}
      </p>
      {status === undefined ? null : <StatusPanels status={status} />}
    </>
  )
}

function StatusPanels({ status }: { status: Status }) {
  const { services, model, tokens_today: tokens, memory, turns } = status
  return (
    <>
      <Stats
        items={[
          { label: 'model', value: model || 'none' },
          { label: 'tokens today', value: String(tokens ?? 0) },
          { label: 'memories', value: String(memory.hard_memories ?? 0) },
          { label: 'messages', value: String(memory.channel_messages ?? 0) },
        ]}
      />
      <Panel title="Services">
        <ul class="results">
          {Object.entries(services).map(([name, isUp]) => (
            <li key={name} class="body">
              {name} <Badge tone={isUp ? 'good' : 'bad'}>{isUp ? 'answers' : 'silent'}</Badge>
            </li>
          ))}
        </ul>
      </Panel>
      {turns.length === 0 ? null : (
        <Panel title="Unfinished turns" note={`${turns.length}`}>
          <ul class="results">
            {turns.map(({ turn, state, channel }) => (
              <li key={turn} class="body">
                {turn} <Badge>{state}</Badge> {channel ?? ''}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}
