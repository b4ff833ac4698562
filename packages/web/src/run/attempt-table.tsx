// The sortable table of all attempts of a run.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { AttemptFacts } from '../data/data.ts'
import { Panel } from '../widgets/widgets.tsx'
import { hrefTo } from '../page/page.ts'
import { compact, count, pluralize, duration, humanize } from '../format.ts'
import { OutcomeBadge } from './outcome.tsx'

interface Column {
  title: string
  isNumber?: true
  /** Hidden in narrow windows, so that the table needs no sideways scrolling. */
  isWide?: true
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
  { ...numberColumn('Calls', ({ metrics }) => metrics.calls, count), isWide: true },
  {
    ...numberColumn('Failed', ({ metrics }) => metrics.failures, count),
    cell: ({ metrics }) => (
      <span class={metrics.failures > 0 ? 'bad-ink' : 'quiet'}>{count(metrics.failures)}</span>
    ),
  },
  numberColumn('Time', ({ metrics }) => metrics.wallMs, duration),
  { ...numberColumn('p95 call', ({ metrics }) => metrics.p95Ms, duration), isWide: true },
  {
    ...numberColumn('Tokens', ({ tokens }) => tokens?.total ?? 0, compact),
    isWide: true,
    cell: ({ tokens }) => (tokens === undefined ? '–' : compact(tokens.total)),
  },
  {
    title: 'Findings',
    isWide: true,
    value: (attempt) => attempt.findings.length + attempt.integrity.length,
    cell: findingsCell,
  },
]

const maxRows = 200

export function AttemptTable({ attempts }: { attempts: AttemptFacts[] }) {
  const [order, setOrder] = useState({ column: 0, isDescending: false })
  const [isExpanded, setExpanded] = useState(false)
  const column = columns[order.column]
  const sorted =
    column === undefined
      ? attempts
      : attempts.toSorted((a, b) => compare(column, a, b, order.isDescending))
  const rows = isExpanded ? sorted : sorted.slice(0, maxRows)
  const sortBy = (index: number): void =>
    setOrder((before) => ({
      column: index,
      isDescending:
        before.column === index ? !before.isDescending : columns[index]?.isNumber === true,
    }))
  return (
    <Panel title="Attempts" note={pluralize(attempts.length, 'attempt')} class="long">
      <div class="scroll" tabIndex={0} role="group" aria-label="Table of attempts">
        <table>
          <thead>
            <tr>
              {columns.map(({ title, isNumber, isWide }, index) => (
                <th
                  key={title}
                  scope="col"
                  class={classOf({ isNumber, isWide })}
                  aria-sort={
                    index !== order.column
                      ? undefined
                      : order.isDescending
                        ? 'descending'
                        : 'ascending'
                  }
                >
                  <button type="button" onClick={() => sortBy(index)}>
                    {title}
                  </button>
                  {index === order.column ? (
                    <span class="arrow" aria-hidden="true">
                      {order.isDescending ? ' ↓' : ' ↑'}
                    </span>
                  ) : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((attempt) => (
              <tr key={attempt.attemptId}>
                {columns.map(({ title, isNumber, isWide, cell }) => (
                  <td key={title} class={classOf({ isNumber, isWide })}>
                    {cell(attempt)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sorted.length > rows.length ? (
        <button type="button" class="more" onClick={() => setExpanded(true)}>
          Show all {count(sorted.length)}
        </button>
      ) : null}
    </Panel>
  )
}

function classOf({ isNumber, isWide }: Pick<Column, 'isNumber' | 'isWide'>): string {
  return `${isNumber === true ? 'num' : ''} ${isWide === true ? 'wide' : ''}`
}

function numberColumn(
  title: string,
  value: (attempt: AttemptFacts) => number,
  format: (value: number) => string,
): Column {
  return { title, isNumber: true, value, cell: (attempt) => format(value(attempt)) }
}

function findingsCell({ findings, integrity, isValid }: AttemptFacts): ComponentChildren {
  if (!isValid) return <span class="bad-ink">evidence not valid</span>
  const [first] = findings
  if (first === undefined) {
    return (
      <span class="quiet">
        {integrity.length === 0 ? '–' : pluralize(integrity.length, 'warning')}
      </span>
    )
  }
  const more = findings.length > 1 ? ` +${findings.length - 1}` : ''
  return `${humanize(first.kind)}${more}`
}

function compare(column: Column, a: AttemptFacts, b: AttemptFacts, isDescending: boolean): number {
  const [x, y] = [column.value(a), column.value(b)]
  const order = x < y ? -1 : x > y ? 1 : 0
  return isDescending ? -order : order
}
