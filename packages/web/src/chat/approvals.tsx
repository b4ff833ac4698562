// Tool calls that wait for the decision of the user.
import { useEffect, useState } from 'preact/hooks'
import { Panel } from '../widgets/widgets.tsx'
import { getJson, send } from './api.ts'

interface WaitingCall {
  id: string
  tool: string
  code: string
  expires: string
}

const pollMs = 2000

export function Approvals() {
  const [waiting, setWaiting] = useState<WaitingCall[]>([])
  const load = async (): Promise<void> => {
    const { data } = await getJson<{ data: WaitingCall[] }>('/v1/approvals')
    setWaiting(data)
  }
  useEffect(() => {
    const refresh = (): void => void load().catch(() => setWaiting([]))
    refresh()
    const timer = setInterval(refresh, pollMs)
    return () => clearInterval(timer)
  }, [])
  const decide = async (id: string, allow: boolean): Promise<void> => {
    await send(`/v1/approvals/${encodeURIComponent(id)}`, { body: { allow } }).catch(() => {})
    await load().catch(() => {})
  }
  if (waiting.length === 0) return null
  return (
    <Panel title="Waiting for approval">
      {waiting.map(({ id, tool, code, expires }) => (
        <div class="body" key={id}>
          <p>
            <strong>{tool}</strong> <span class="quiet">denied at {expires}</span>
          </p>
          <pre class="box" tabIndex={0} role="group" aria-label={`Code of ${tool}`}>
            {code}
          </pre>
          <div class="choices">
            <button type="button" class="button" onClick={() => void decide(id, false)}>
              Deny
            </button>
            <button type="button" class="button strong" onClick={() => void decide(id, true)}>
              Allow
            </button>
          </div>
        </div>
      ))}
    </Panel>
  )
}
