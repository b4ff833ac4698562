// Attempts of the same mission side by side, each with a link.
import type { ComparisonPage, PairedAttempt } from '../data/data.ts'
import { Panel, Table } from '../widgets/widgets.tsx'
import { Outcome } from '../run/run.tsx'
import { duration, pluralize } from '../format.ts'

export function Pairs({ pairs }: { pairs: ComparisonPage['pairs'] }) {
  if (pairs.length === 0) return null
  return (
    <Panel title="Attempts side by side" note={pluralize(pairs.length, 'pair')}>
      <Table
        label="Attempts side by side"
        rows={pairs}
        rowKey={(_, index) => index}
        columns={[
          { name: 'Mission', cell: ({ missionId }) => missionId },
          { name: 'A', cell: ({ a }) => <Paired attempt={a} side={0} /> },
          { name: 'B', cell: ({ b }) => <Paired attempt={b} side={1} /> },
        ]}
      />
    </Panel>
  )
}

function Paired({ attempt, side }: { attempt: PairedAttempt | undefined; side: 0 | 1 }) {
  if (attempt === undefined) return <span class="quiet">none</span>
  return (
    <>
      <Outcome outcome={attempt.outcome} />{' '}
      <a class="mono" href={attemptHref(attempt, side)}>
        {attempt.attemptId}
      </a>{' '}
      <span class="small quiet">
        {pluralize(attempt.calls, 'call')}, {duration(attempt.ms)}
      </span>
    </>
  )
}

/** The dashboard serves `page/compare/A/B` and `page/attempt/A/NAME`; a file links to the folder of the attempt. */
function attemptHref({ attemptId, href }: PairedAttempt, side: 0 | 1): string {
  const keys = /\/page\/compare\/([^/]+)\/([^/]+)$/.exec(globalThis.location.pathname)
  const key = keys?.[side + 1]
  return key === undefined ? href : `../../attempt/${key}/${encodeURIComponent(attemptId)}`
}
