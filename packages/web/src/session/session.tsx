// The transcript of a session: prompts, answers, folded tool calls, and the usage of each turn.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { EntryFacts, SessionPage, TurnFacts, Usage } from '../data/data.ts'
import { Panel, Segments, Stats, type StatItem } from '../widgets/widgets.tsx'
import { hrefTo } from '../page/page.ts'
import { compact, count, pluralize, dollars, duration, formatInstant } from '../format.ts'
import { countEntries, filteredTurns, type Filter } from './filter.ts'
import { Overview } from './overview.tsx'
import { Prose } from './prose.tsx'
import { ToolFold } from './tool-fold.tsx'

export function SessionView({ page, route }: { page: SessionPage; route: string[] }) {
  const turnNumber = route[0] === 'turn' ? route[1] : undefined
  useEffect(() => {
    if (turnNumber !== undefined) document.getElementById(`turn-${turnNumber}`)?.scrollIntoView()
  }, [turnNumber])
  const { totals } = page
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
      {page.turns.length === 0 ? (
        <Panel title="Transcript">
          <p class="empty">This session has no messages.</p>
        </Panel>
      ) : (
        <>
          <Overview page={page} />
          <Transcript turns={page.turns} />
        </>
      )}
    </>
  )
}

function Transcript({ turns }: { turns: TurnFacts[] }) {
  const [query, setQuery] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const shown = useMemo(() => filteredTurns(turns, query, filter), [turns, query, filter])
  return (
    <>
      <div class="list-tools">
        <Segments
          label="Which entries"
          value={filter}
          options={[
            { value: 'all', label: 'All' },
            { value: 'failed', label: 'Failed calls' },
          ]}
          onChange={(value: Filter) => setFilter(value)}
        />
        <input
          class="find"
          type="search"
          placeholder="Search the session"
          aria-label="Search the session"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <span class="quiet small" role="status">
          {query === '' && filter === 'all'
            ? ''
            : pluralize(countEntries(shown), 'entry', 'entries')}
        </span>
      </div>
      <div class="talk">
        <JumpList turns={turns} />
        <div>
          {shown.map(({ turn, number }) => (
            <Turn key={number} turn={turn} number={number} />
          ))}
        </div>
      </div>
    </>
  )
}

function usageStats(totals: Usage): (StatItem | false)[] {
  const isReported = hasTokens(totals)
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

/** Zero tokens means that the provider reported no usage. */
function hasTokens({ input, output }: Usage): boolean {
  return input + output > 0
}

function JumpList({ turns }: { turns: TurnFacts[] }) {
  return (
    <nav class="jump" aria-label="Turns">
      <h2>Turns</h2>
      <ol>
        {turns.map((turn, index) => (
          <li key={index}>
            <a href={hrefTo('turn', index + 1)}>
              <small>{index + 1}</small> {turnTitle(turn)}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function turnTitle({ entries }: TurnFacts): string {
  const prompt = entries.find((entry) => entry.type === 'prompt')
  return prompt === undefined ? 'before the first prompt' : prompt.text.trim().slice(0, 80)
}

function Turn({ turn, number }: { turn: TurnFacts; number: number }) {
  return (
    <section class="turn" id={`turn-${number}`} aria-label={`Turn ${number}`}>
      {turn.entries.map((entry, index) => (
        <Entry key={index} entry={entry} />
      ))}
      {turn.usage === undefined ? null : <UsageLine usage={turn.usage} />}
    </section>
  )
}

function Entry({ entry }: { entry: EntryFacts }) {
  switch (entry.type) {
    case 'prompt':
      return (
        <>
          <p class="who">
            <span>You</span>
            <span>{entry.at === undefined ? '' : formatInstant(entry.at)}</span>
          </p>
          <div class="prompt">{entry.text}</div>
        </>
      )
    case 'answer':
      return <Prose blocks={entry.blocks} />
    case 'thinking':
      return (
        <details class="fold">
          <summary>
            <span class="name">Thinking</span>
            <span class="cut">{entry.text.trim().slice(0, 160)}</span>
          </summary>
          <div class="inside">
            <pre class="soft">{entry.text}</pre>
          </div>
        </details>
      )
    case 'tool':
      return <ToolFold tool={entry} />
    case 'interrupted':
      return <p class="who warn-ink">Interrupted</p>
    case 'undo':
      return <p class="who warn-ink">Undone: {entry.files.join(', ')}</p>
    case 'redo':
      return <p class="who warn-ink">Redone: {entry.files.join(', ')}</p>
  }
}

function UsageLine({ usage }: { usage: Usage }) {
  return (
    <p class="usage">
      <span>{usage.models.join(', ')}</span>
      {hasTokens(usage) ? <span>{count(usage.input)} tokens in</span> : null}
      {usage.cached === 0 ? null : <span>{count(usage.cached)} cached</span>}
      {hasTokens(usage) ? <span>{count(usage.output)} out</span> : null}
      {usage.ms === 0 ? null : <span>{duration(usage.ms)}</span>}
      {usage.costUsd === undefined ? null : <span>{dollars(usage.costUsd)}</span>}
    </p>
  )
}
