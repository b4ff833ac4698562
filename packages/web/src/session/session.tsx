// The page of a session: its figures, what it changed, and its transcript.
import type { SessionPage, Usage } from '../data/data.ts'
import { Panel, Stats, type StatItem } from '../widgets/widgets.tsx'
import { compact, count, pluralize, dollars, duration, formatInstant } from '../format.ts'
import { useTurns } from './later-turns.ts'
import { Overview } from './overview.tsx'
import { Transcript } from './transcript.tsx'

export function SessionView({ page, route }: { page: SessionPage; route: string[] }) {
  const turn = route[0] === 'turn' ? Number(route[1]) : undefined
  const { totals } = page
  const turns = useTurns(page)
  return (
    <>
      <div class="head">
        <h1>{page.title}</h1>
      </div>
      <p class="facts">
        <span class="mono">{page.sessionId}</span>
        <span>{formatInstant(page.startedAt)}</span>
        <span>{totals.models.join(', ')}</span>
        {page.redactions.length === 0 ? null : <span>redacted: {page.redactions.join(', ')}</span>}
      </p>
      <Stats
        items={[
          {
            label: 'Prompts',
            value: count(totals.prompts),
            note: pluralize(totals.answers, 'answer'),
          },
          {
            label: 'Tool calls',
            value: count(totals.toolCalls),
            note: totals.failedCalls === 0 ? undefined : `${totals.failedCalls} failed`,
          },
          ...usageStats(totals),
        ]}
      />
      {turns.length === 0 ? (
        <Panel title="Transcript">
          <p class="empty">This session has no messages.</p>
        </Panel>
      ) : (
        <>
          <Overview turns={turns} context={page.context} />
          <Transcript page={page} turns={turns} turn={turn} />
        </>
      )}
    </>
  )
}

function usageStats(totals: Usage): (StatItem | false)[] {
  const isReported = totals.input + totals.output > 0
  return [
    isReported && {
      label: 'Tokens in',
      value: compact(totals.input),
      note: totals.cached === 0 ? undefined : `${compact(totals.cached)} cached`,
    },
    isReported && { label: 'Tokens out', value: compact(totals.output) },
    totals.ms > 0 && { label: 'Model time', value: duration(totals.ms) },
    totals.costUsd !== undefined && { label: 'Cost', value: dollars(totals.costUsd) },
  ]
}
