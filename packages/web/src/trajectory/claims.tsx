// The claims, each with its evidence and the result of checking it.
import type { ClaimFacts, EvidenceFacts } from '../data/data.ts'
import { Badge, Empty, Panel } from '../widgets/widgets.tsx'
import { pluralize } from '../format.ts'

const tones: Readonly<Record<EvidenceFacts['status'], string>> = {
  ok: 'good',
  moved: 'warn',
  changed: 'bad',
  missing: 'bad',
  invalid: 'bad',
  unknown: 'warn',
  unchecked: '',
  unhashed: 'warn',
}

const statusText: Readonly<Record<EvidenceFacts['status'], string>> = {
  ok: 'verified',
  moved: 'moved',
  changed: 'changed',
  missing: 'missing',
  invalid: 'invalid',
  unknown: 'not found',
  unchecked: 'not checked',
  unhashed: 'no hash',
}

export function ClaimsPanel(props: {
  claims: ClaimFacts[]
  isChecked: boolean
  onJump(line: number): void
}) {
  const { claims, isChecked, onJump } = props
  const note = claims.length === 0 ? undefined : pluralize(claims.length, 'claim')
  return (
    <Panel title="Claims" note={isChecked ? note : `${note ?? 'none'}; pass --root to check them`}>
      {claims.length === 0 ? (
        <Empty>No claims.</Empty>
      ) : (
        <ul class="findings">
          {claims.map((claim, index) => (
            <li key={index}>
              <div class="line-1">
                <span class="mono small quiet">{claim.id}</span>
                {claim.confidence === undefined ? null : (
                  <Badge>{claim.confidence} confidence</Badge>
                )}
                <Verdict claim={claim} />
              </div>
              <p>{claim.text}</p>
              <Evidence evidence={claim.evidence} onJump={onJump} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Verdict({ claim: { evidence } }: { claim: ClaimFacts }) {
  if (evidence.length === 0) return <Badge tone="warn">no evidence</Badge>
  if (evidence.every(({ status }) => status === 'ok')) return <Badge tone="good">verified</Badge>
  if (evidence.every(({ status }) => status === 'unchecked')) return null
  return <Badge tone="bad">not verified</Badge>
}

function Evidence({ evidence, onJump }: { evidence: EvidenceFacts[]; onJump(line: number): void }) {
  return (
    <ul style={{ display: 'grid', gap: '4px' }}>
      {evidence.map((each, index) => (
        <li key={index} class="small">
          <Badge tone={tones[each.status]}>{statusText[each.status]}</Badge>{' '}
          <span class="mono">{each.at ?? each.id}</span>{' '}
          {each.line === undefined ? null : (
            <button
              type="button"
              class="chip"
              onClick={() => onJump(each.line ?? 0)}
              aria-label={`Show step ${each.line}`}
            >
              {each.line}
            </button>
          )}
          {each.detail === undefined ? null : <span class="quiet"> {each.detail}</span>}
          {each.why === undefined ? null : <div class="quiet">{each.why}</div>}
        </li>
      ))}
    </ul>
  )
}
