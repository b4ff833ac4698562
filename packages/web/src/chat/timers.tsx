// Timers and what they have produced.
import { useEffect, useState } from 'preact/hooks'
import { Empty, Panel } from '../widgets/widgets.tsx'
import { getJson, messageOf, send } from './api.ts'

interface Timer {
  id: string
  kind: string
  when: string
  text: string
  next: string
  paused?: boolean
  state?: string
}

interface Entry {
  id: number
  due: string
  text: string
}

export function TimersView() {
  const [timers, setTimers] = useState<Timer[]>([])
  const [entries, setEntries] = useState<Entry[]>([])
  const [problem, setProblem] = useState('')
  const load = async (): Promise<void> => {
    const [listed, inbox] = await Promise.all([
      getJson<{ data: Timer[] }>('/v1/timers'),
      getJson<{ data: Entry[] }>('/v1/inbox'),
    ])
    setTimers(listed.data)
    setEntries(inbox.data)
  }
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
      await load()
      setProblem('')
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  useEffect(() => void act(async () => {}), [])
  const remove = (path: string) => void act(() => send(path, { method: 'DELETE' }))
  return (
    <>
      <div class="list-head">
        <h1>Timers</h1>
      </div>
      <p class="warn-ink" role="status">
        {problem}
      </p>
      <NewTimer onAdd={(body) => void act(() => send('/v1/timers', { body }))} />
      <Panel title="Timers" note={`${timers.length}`}>
        {timers.length === 0 ? <Empty>no timers</Empty> : null}
        <ul class="results">
          {timers.map(({ id, kind, when, text, next }) => (
            <li key={id} class="body">
              <p>{text}</p>
              <p class="small quiet">
                {kind === 'every' ? `every ${when}` : 'reminder'}, next {next}
              </p>
              <div class="choices">
                <button
                  type="button"
                  class="button"
                  onClick={() =>
                    void act(() => send(`/v1/timers/${id}`, { body: { change: 'run' } }))
                  }
                >
                  Run {text.slice(0, 30)}
                </button>
                <button type="button" class="button" onClick={() => remove(`/v1/timers/${id}`)}>
                  Remove {text.slice(0, 30)}
                </button>
              </div>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Inbox" note={`${entries.length}`}>
        {entries.length === 0 ? <Empty>the inbox is empty</Empty> : null}
        <ul class="results">
          {entries.map(({ id, due, text }) => (
            <li key={id} class="body">
              <p>{text}</p>
              <p class="small quiet">{due}</p>
              <div class="choices">
                <button type="button" class="button" onClick={() => remove(`/v1/inbox/${id}`)}>
                  Done with entry {id}
                </button>
              </div>
            </li>
          ))}
        </ul>
      </Panel>
    </>
  )
}

function NewTimer({ onAdd }: { onAdd(body: object): void }) {
  const [kind, setKind] = useState('remind')
  const [when, setWhen] = useState('')
  const [text, setText] = useState('')
  return (
    <form
      class="list-head"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd({ kind, when, text })
        setText('')
      }}
    >
      <label>
        Kind
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
          <option value="remind">remind</option>
          <option value="every">every</option>
        </select>
      </label>
      <label>
        When
        <input
          value={when}
          placeholder="tomorrow 9:00"
          onInput={(event) => setWhen(event.currentTarget.value)}
        />
      </label>
      <label>
        Text
        <input value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button strong">
        Add
      </button>
    </form>
  )
}
