// The lists of sessions, runs and traces: search, ticks, and the bar for ticked rows.
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { RunRow, SessionRow, TraceRow } from '../data/data.ts'
import { bytes, compact, count, dollars, percent } from '../format.ts'
import { hrefTo } from '../page/page.ts'
import { Badge, Empty } from '../widgets/widgets.tsx'
import { ago, baseName } from './ago.ts'
import { pageHref } from './api.ts'
import { ActionButton } from './confirm.tsx'
import { Outcomes, Spark } from './spark.tsx'
import { Table, type Column } from './table.tsx'

const cost = (value: number | undefined) => (value === undefined ? '' : dollars(value))

const sessionColumns: Column<SessionRow>[] = [
  {
    name: 'Session',
    class: 'main',
    cell: (row) => (
      <a class="cut" href={pageHref(`session/${row.id}`)}>
        {row.title === '' ? row.id : row.title}
      </a>
    ),
  },
  { name: 'Project', class: 'middle wide', cell: (row) => baseName(row.project) },
  { name: 'Model', class: 'middle wide', cell: (row) => row.model },
  { name: 'Tokens', class: 'num wide', cell: (row) => compactOrNone(row.tokens) },
  { name: 'Cost', class: 'num', cell: (row) => cost(row.details?.costUsd) },
  { name: 'Failures', class: 'num', cell: (row) => failureCell(row.details?.failures) },
  {
    name: 'Context',
    class: 'picture small wide',
    cell: ({ details }) =>
      details === undefined ? null : (
        <Spark values={details.spark} label={`context of ${details.spark.length} answers`} />
      ),
  },
  { name: 'Age', class: 'num age', cell: (row) => ago(row.modifiedMs) },
]

const runColumns: Column<RunRow>[] = [
  {
    name: 'Run',
    class: 'main',
    cell: (row) => (
      <a class="cut" href={pageHref(`run/${row.key}`)}>
        {row.suiteId} <span class="quiet mono">{row.runId}</span>
      </a>
    ),
  },
  { name: 'Project', class: 'middle wide', cell: (row) => baseName(row.project) },
  { name: 'Model', class: 'middle wide', cell: (row) => row.details?.model ?? '' },
  {
    name: 'Passed',
    class: 'num share',
    cell: ({ details }) =>
      details === undefined ? '' : `${count(details.passed)} of ${count(details.attempts)}`,
  },
  { name: 'Cost', class: 'num wide', cell: (row) => cost(row.details?.costUsd) },
  { name: 'Failures', class: 'num', cell: ({ details }) => failureCell(details?.failed) },
  {
    name: 'Outcomes',
    class: 'picture wide',
    cell: ({ details }) =>
      details === undefined ? null : (
        <Outcomes
          letters={details.outcomes}
          label={`${details.passed} passed, ${details.failed} failed`}
        />
      ),
  },
  {
    name: 'Age',
    class: 'num age',
    cell: (row) =>
      row.details?.isRunning === true ? <Badge tone="accent">running</Badge> : ago(row.createdMs),
  },
]

const traceColumns: Column<TraceRow>[] = [
  {
    name: 'Trace',
    class: 'main',
    cell: (row) => (
      <a class="cut" href={pageHref(`trace/${row.key}`)}>
        {row.file}
      </a>
    ),
  },
  { name: 'Size', class: 'num', cell: (row) => bytes(row.bytes) },
  { name: 'Age', class: 'num age', cell: (row) => ago(row.modifiedMs) },
]

function failureCell(failures: number | undefined) {
  if (failures === undefined) return ''
  return failures === 0 ? '0' : <span class="bad-ink">{count(failures)}</span>
}

function compactOrNone(value: number | undefined): string {
  return value === undefined ? '' : compact(value)
}

export function SessionList({ rows, isLoaded }: { rows: SessionRow[]; isLoaded: boolean }) {
  return (
    <List
      {...{ title: 'Sessions', rows, isLoaded, columns: sessionColumns, kind: 'sessions' }}
      empty="No sessions yet: zdx writes one for every conversation."
      keyOf={(row) => row.id}
      nameOf={(row) => row.title || row.id}
      hrefOf={(row) => pageHref(`session/${row.id}`)}
      hasFailure={(row) => (row.details?.failures ?? 0) > 0}
      textOf={(row) => `${row.title} ${row.project} ${row.model} ${row.id}`}
      tools={(row) => <ActionButton action="undo" id={row.id} label="Undo last turn" />}
    />
  )
}

export function RunList({ rows, isLoaded }: { rows: RunRow[]; isLoaded: boolean }) {
  return (
    <List
      {...{ title: 'Runs', rows, isLoaded, columns: runColumns, kind: 'runs' }}
      empty="No runs yet: zcl suite run makes them."
      keyOf={(row) => row.key}
      nameOf={(row) => row.runId}
      hrefOf={(row) => pageHref(`run/${row.key}`)}
      hasFailure={(row) => (row.details?.failed ?? 0) > 0}
      textOf={(row) => `${row.suiteId} ${row.runId} ${row.project} ${row.details?.model ?? ''}`}
      tools={(row) =>
        row.details?.isRunning === true ? (
          <ActionButton action="stop" id={row.key} label="Stop" />
        ) : null
      }
    />
  )
}

export function TraceList({ rows, isLoaded }: { rows: TraceRow[]; isLoaded: boolean }) {
  return (
    <List
      {...{ title: 'Reading', rows, isLoaded, columns: traceColumns, kind: undefined }}
      empty="No traces yet: zeno serve --log .zeno/trace.jsonl writes one."
      keyOf={(row) => row.key}
      nameOf={(row) => row.file}
      hrefOf={(row) => pageHref(`trace/${row.key}`)}
      hasFailure={() => false}
      textOf={(row) => row.file}
      tools={() => null}
    />
  )
}

interface ListProps<Row> {
  title: string
  /** The kind of comparison; undefined if rows cannot be compared. */
  kind: 'sessions' | 'runs' | undefined
  rows: Row[]
  isLoaded: boolean
  columns: Column<Row>[]
  empty: string
  keyOf(row: Row): string
  nameOf(row: Row): string
  hrefOf(row: Row): string
  hasFailure(row: Row): boolean
  textOf(row: Row): string
  tools(row: Row): ComponentChildren
}

function List<Row>(props: ListProps<Row>) {
  const { title, rows } = props
  const [query, setQuery] = useState('')
  const [ticked, setTicked] = useState<string[]>([])
  const found = useMemo(() => filtered(rows, query, props.textOf), [rows, query])
  // A third tick replaces the oldest.
  const onTick = (key: string): void =>
    setTicked((before) =>
      before.includes(key) ? before.filter((each) => each !== key) : [...before, key].slice(-2),
    )
  const chosen = ticked.flatMap((key) => rows.find((row) => props.keyOf(row) === key) ?? [])
  return (
    <>
      <div class="list-head">
        <h1>{title}</h1>
        <span class="quiet" role="status">
          {query === '' ? count(rows.length) : `${count(found.length)} of ${count(rows.length)}`}
        </span>
        <input
          class="find"
          type="search"
          placeholder="Search ( / )"
          aria-label={`Search ${title.toLowerCase()}`}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </div>
      {chosen.length === 0 ? null : (
        <div class="ticked" role="group" aria-label="Ticked rows">
          <span>{chosen.map(props.nameOf).join(' and ')}</span>
          {chosen.length === 2 && props.kind !== undefined ? (
            <a class="button strong" href={hrefTo('compare', props.kind, ...ticked)}>
              Compare
            </a>
          ) : (
            <>
              {props.tools(chosen[0] as Row)}
              {props.kind === undefined ? null : (
                <span class="quiet">Tick another to compare.</span>
              )}
            </>
          )}
        </div>
      )}
      {found.length === 0 ? (
        <Empty>
          {!props.isLoaded ? 'Loading …' : rows.length === 0 ? props.empty : 'Nothing matches.'}
        </Empty>
      ) : (
        <Table {...props} label={title} rows={found} ticked={ticked} onTick={onTick} />
      )}
    </>
  )
}

function filtered<Row>(rows: Row[], query: string, textOf: (row: Row) => string): Row[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

export function passRate(passed: number, done: number): string {
  return done === 0 ? '–' : percent(passed / done)
}
