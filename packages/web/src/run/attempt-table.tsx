// Every attempt of a run, sortable by what it took.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { AttemptFacts } from '../data/data.ts'
import { Panel } from '../widgets/widgets.tsx'
import { hrefTo } from '../page/page.ts'
import { compact, count, counted, duration, spoken } from '../format.ts'
import { OutcomeBadge } from './outcome.tsx'

interface Column {
  title: string
  isNumber?: true
  value(attempt: AttemptFacts): number | string
  cell(attempt: AttemptFacts): ComponentChildren
}

const columns: readonly Column[] = [
  {
    title: 'Attempt',
    value: ({ attemptId }) => attemptId,
    cell: ({ attemptId }) => <a href={hrefTo('attempt', attemptId)}>{attemptId}</a>,
  },
  {
    title: 'Outcome',
    value: ({ outcome }) => outcome,
    cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
  },
  number('Calls', ({ metrics }) => metrics.calls, count),
  {
    ...number('Failed', ({ metrics }) => metrics.failures, count),
    cell: ({ metrics }) => (
      <span class={metrics.failures > 0 ? 'bad-ink' : 'quiet'}>{count(metrics.failures)}</span>
    ),
  },
  number('Time', ({ metrics }) => metrics.wallMs, duration),
  number('p95 call', ({ metrics }) => metrics.p95Ms, duration),
  {
    ...number('Tokens', ({ tokens }) => tokens?.total ?? 0, compact),
    cell: ({ tokens }) => (tokens === undefined ? '–' : compact(tokens.total)),
  },
  {
    title: 'Findings',
    value: (attempt) => attempt.findings.length + attempt.integrity.length,
    cell: findingWords,
  },
]

const mostRows = 200

export function AttemptTable({ attempts }: { attempts: AttemptFacts[] }) {
  const [order, setOrder] = useState({ column: 0, isDown: false })
  const [isWhole, setWhole] = useState(false)
  const column = columns[order.column]
  const sorted =
    column === undefined
      ? attempts
      : attempts.toSorted((a, b) => compare(column, a, b, order.isDown))
  const rows = isWhole ? sorted : sorted.slice(0, mostRows)
  const sortBy = (index: number): void =>
    setOrder((before) => ({
      column: index,
      isDown: before.column === index ? !before.isDown : columns[index]?.isNumber === true,
    }))
  return (
    <Panel title="Attempts" note={counted(attempts.length, 'attempt')} class="long">
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of attempts">
        <table>
          <thead>
            <tr>
              {columns.map(({ title, isNumber }, index) => (
                <th
                  key={title}
                  scope="col"
                  class={isNumber === true ? 'num' : ''}
                  aria-sort={
                    index !== order.column ? undefined : order.isDown ? 'descending' : 'ascending'
                  }
                >
                  <button type="button" onClick={() => sortBy(index)}>
                    {title}
                  </button>
                  {index === order.column ? (
                    <span class="arrow" aria-hidden="true">
                      {order.isDown ? ' ↓' : ' ↑'}
                    </span>
                  ) : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((attempt) => (
              <tr key={attempt.attemptId}>
                {columns.map(({ title, isNumber, cell }) => (
                  <td key={title} class={isNumber === true ? 'num' : 'nowrap'}>
                    {cell(attempt)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sorted.length > rows.length ? (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {count(sorted.length)}
        </button>
      ) : null}
    </Panel>
  )
}

function number(
  title: string,
  value: (attempt: AttemptFacts) => number,
  words: (value: number) => string,
): Column {
  return { title, isNumber: true, value, cell: (attempt) => words(value(attempt)) }
}

function findingWords({ findings, integrity, isValid }: AttemptFacts): ComponentChildren {
  if (!isValid) return <span class="bad-ink">evidence not valid</span>
  const [first] = findings
  if (first === undefined) {
    return (
      <span class="quiet">
        {integrity.length === 0 ? '–' : counted(integrity.length, 'warning')}
      </span>
    )
  }
  const more = findings.length > 1 ? ` +${findings.length - 1}` : ''
  return `${spoken(first.kind)}${more}`
}

function compare(column: Column, a: AttemptFacts, b: AttemptFacts, isDown: boolean): number {
  const [x, y] = [column.value(a), column.value(b)]
  const order = x < y ? -1 : x > y ? 1 : 0
  return isDown ? -order : order
}
