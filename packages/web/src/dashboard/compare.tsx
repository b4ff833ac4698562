// Two ticked rows side by side: what is equal, what differs, and the page with the details.
import type { ComponentChildren } from 'preact'
import type { RunRow, SessionRow } from '../data/data.ts'
import { compact, count, dollars, duration, formatInstant, percent } from '../format.ts'
import { hrefTo } from '../page/page.ts'
import { Empty, Panel, Table } from '../widgets/widgets.tsx'
import { pageHref, type Rows } from './api.ts'

type Line = readonly [label: string, one: string, two: string]

export function CompareView({ route, rows }: { route: readonly string[]; rows: Rows }) {
  const [, kind, one = '', two = ''] = route
  if (kind === 'runs') {
    const pair = [one, two].map((key) => rows.runs.find((row) => row.key === key))
    return (
      <Comparison
        back="runs"
        lines={
          pair.every((row) => row !== undefined) ? runLines(pair as [RunRow, RunRow]) : undefined
        }
        isLoaded={rows.isLoaded}
        tools={
          <a class="button strong" href={pageHref(`compare/${one}/${two}`)}>
            Is the difference more than chance?
          </a>
        }
      />
    )
  }
  const pair = [one, two].map((id) => rows.sessions.find((row) => row.id === id))
  const isKnown = pair.every((row) => row !== undefined)
  return (
    <Comparison
      back="sessions"
      lines={isKnown ? sessionLines(pair as [SessionRow, SessionRow]) : undefined}
      isLoaded={rows.isLoaded}
      tools={[one, two].map((id) => (
        <a key={id} class="button" href={pageHref(`session/${id}`)}>
          Open {id.slice(0, 8)}
        </a>
      ))}
    />
  )
}

function Comparison(props: {
  back: string
  lines: Line[] | undefined
  isLoaded: boolean
  tools: ComponentChildren
}) {
  if (props.lines === undefined) {
    return <Empty>{props.isLoaded ? 'One of the rows is gone.' : 'Loading …'}</Empty>
  }
  return (
    <>
      <div class="list-head">
        <h1>Comparison</h1>
        <a href={hrefTo(props.back)}>Back to {props.back}</a>
      </div>
      <Panel title={props.back} tools={<span class="right choices">{props.tools}</span>}>
        <Table
          label="Comparison"
          rows={props.lines}
          rowKey={([label]) => label}
          rowClass={([, one, two]) => (one === two ? 'quiet' : '')}
          columns={[
            { name: <span class="hidden">Measure</span>, cell: ([label]) => label },
            { name: 'A', cell: ([, one]) => one },
            { name: 'B', cell: ([, , two]) => two },
          ]}
        />
      </Panel>
    </>
  )
}

function sessionLines(pair: readonly [SessionRow, SessionRow]): Line[] {
  return both(pair, [
    ['Title', (row) => row.title || row.id],
    ['Project', (row) => row.project],
    ['Model', (row) => row.model],
    ['Changed', (row) => formatInstant(new Date(row.modifiedMs).toISOString())],
    ['Calls', ({ details }) => known(details?.calls, count)],
    ['Failures', ({ details }) => known(details?.failures, count)],
    ['Time', ({ details }) => known(details?.durationMs, duration)],
    ['Context', (row) => known(row.tokens, compact)],
    ['Tokens out', ({ details }) => known(details?.outputTokens, compact)],
    ['Cost', ({ details }) => known(details?.costUsd, dollars)],
  ])
}

function runLines(pair: readonly [RunRow, RunRow]): Line[] {
  return both(pair, [
    ['Run', (row) => row.runId],
    ['Suite', (row) => row.suiteId],
    ['Project', (row) => row.project],
    ['Started', (row) => formatInstant(new Date(row.createdMs).toISOString())],
    ['Attempts', ({ details }) => known(details?.attempts, count)],
    [
      'Passed',
      ({ details }) => {
        const done = (details?.passed ?? 0) + (details?.failed ?? 0)
        return details === undefined || done === 0
          ? '–'
          : `${count(details.passed)} of ${count(done)} (${percent(details.passed / done)})`
      },
    ],
    ['Infra', ({ details }) => known(details?.infra, count)],
    ['Model', ({ details }) => details?.model ?? ''],
    ['Cost', ({ details }) => known(details?.costUsd, dollars)],
  ])
}

function both<Row>(
  [one, two]: readonly [Row, Row],
  measures: readonly (readonly [string, (row: Row) => string])[],
): Line[] {
  return measures.map(([label, textOf]) => [label, textOf(one), textOf(two)])
}

function known(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? '–' : format(value)
}
