// The calls of an attempt as a waterfall: a mini map, and one row per call.
import { useMemo, useRef, useState } from 'preact/hooks'
import type { AttemptFacts, CallFacts } from '../../data/data.ts'
import { Empty, Panel, Segments, VirtualList, useIsNarrow } from '../../widgets/widgets.tsx'
import { count, pluralize, duration } from '../../format.ts'
import { searchText } from './call-texts.ts'
import { timelineRows, type TimelineRow } from './call-tree.ts'
import { MiniMap, moveWindow } from './mini-map.tsx'

type Filter = 'all' | 'failed' | 'truncated'

export interface TimelineProps {
  attempt: AttemptFacts
  /** Line of the trace. */
  selected: number
  onSelect(line: number): void
}

export function Timeline({ attempt, selected, onSelect }: TimelineProps) {
  const [filter, setFilter] = useState<Filter>('all')
  const [query, setQuery] = useState('')
  const isNarrow = useIsNarrow()
  const window = useRef<HTMLDivElement>(null)
  const { calls } = attempt
  const shown = useMemo(() => filterCalls(attempt, filter, query), [attempt, filter, query])
  const rows = useMemo(
    () => timelineRows(shown, shownWords(attempt, filter, query)),
    [shown, attempt, filter, query],
  )
  const total = useMemo(() => calls.reduce((end, { at, ms }) => Math.max(end, at + ms), 1), [calls])
  const failed = calls.reduce((sum, { code }) => (code === undefined ? sum : sum + 1), 0)
  const cut = calls.reduce((sum, call) => (call.cut === true ? sum + 1 : sum), 0)
  const tools = (
    <>
      <Segments<Filter>
        label="Filter calls"
        value={filter}
        onChange={setFilter}
        options={[
          { value: 'all', label: 'All' },
          { value: 'failed', label: `Failed ${count(failed)}` },
          { value: 'truncated', label: `Truncated ${count(cut)}` },
        ]}
      />
      <input
        class="find right"
        type="search"
        placeholder="Find in calls"
        aria-label="Find in calls"
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
    </>
  )
  return (
    <div id="timeline" class="list">
      <Panel title="Calls" note={callsNote(attempt, shown.length)} tools={tools} class="long">
        {calls.length === 0 ? (
          <Empty>No calls were traced.</Empty>
        ) : (
          <>
            <MiniMap calls={calls} total={total} windowRef={window} onPick={onSelect} />
            {rows.length === 0 ? (
              <Empty>No matching calls.</Empty>
            ) : (
              <VirtualList
                label="Calls in order"
                count={rows.length}
                items={rows}
                rowHeight={isNarrow ? 52 : 30}
                selected={rows.findIndex((row) => lineOf(row) === selected)}
                onSelect={(index) => onSelect(lineOf(rows[index]))}
                onRange={(first, last) =>
                  moveWindow(
                    window.current,
                    callsBetween(rows, first, last),
                    first === 0 && last >= rows.length,
                    total,
                  )
                }
                rowClass={(index) => rowClass(rows[index])}
                row={(index) => <Row row={rows[index]} total={total} />}
              />
            )}
          </>
        )}
      </Panel>
    </div>
  )
}

/** A call by its line of the trace; words by a negative number. */
function lineOf(row: TimelineRow | undefined): number {
  if (row === undefined) return 0
  return 'words' in row ? -1 - row.number : row.call.line
}

function rowClass(row: TimelineRow | undefined): string {
  if (row === undefined || 'words' in row) return 'call words'
  return row.call.code === undefined ? 'call' : 'call failed'
}

function callsBetween(rows: readonly TimelineRow[], first: number, last: number): CallFacts[] {
  return rows.slice(first, last).flatMap((row) => ('words' in row ? [] : [row.call]))
}

function Row({ row, total }: { row: TimelineRow | undefined; total: number }) {
  if (row === undefined) return null
  if ('words' in row) {
    return (
      <>
        <span class="line" />
        <span class="tool cut">{row.words.kind}</span>
        <span class="what cut">{row.words.text}</span>
      </>
    )
  }
  return <CallRow call={row.call} depth={row.depth} total={total} />
}

function CallRow({ call, depth, total }: { call: CallFacts; depth: number; total: number }) {
  return (
    <>
      <span class="line">{call.line}</span>
      <span class="tool cut">{call.tool}</span>
      <span
        class="what cut"
        title={call.title}
        style={depth === 0 ? undefined : { paddingLeft: `${depth * 14}px` }}
      >
        {depth === 0 ? null : <span aria-hidden="true">└ </span>}
        {call.title}
      </span>
      <span class="track" aria-hidden="true">
        <i style={{ left: `${(100 * call.at) / total}%`, width: `${(100 * call.ms) / total}%` }} />
      </span>
      <span class="num">{duration(call.ms)}</span>
      <span class="flags">
        {call.code === undefined ? null : <span class="flag bad">{failureLabel(call)}</span>}
        {call.cut === true ? <span class="flag warn">cut</span> : null}
      </span>
    </>
  )
}

function failureLabel({ code = '', exit }: CallFacts): string {
  if (code === 'ZCL_E_TIMEOUT') return 'timeout'
  if (code === 'ZCL_E_SPAWN') return 'not started'
  if (exit !== undefined) return `exit ${exit}`
  return code.startsWith('HTTP_') ? code.slice(5) : 'failed'
}

function callsNote({ calls, callsLeftOut }: AttemptFacts, shown: number): string {
  const all =
    shown === calls.length
      ? pluralize(shown, 'call')
      : `${count(shown)} of ${count(calls.length)} calls`
  return callsLeftOut === 0 ? all : `${all}; ${count(callsLeftOut)} more are not on this page`
}

/** What the agent said, with its place between the calls. */
function shownWords({ notes }: AttemptFacts, filter: Filter, query: string) {
  if (filter !== 'all') return []
  const text = query.trim().toLowerCase()
  return notes.flatMap((words, number) =>
    words.afterCalls !== undefined && words.text.toLowerCase().includes(text)
      ? [{ words, number }]
      : [],
  )
}

function filterCalls(attempt: AttemptFacts, filter: Filter, query: string): CallFacts[] {
  const { calls } = attempt
  const text = query.trim().toLowerCase()
  if (filter === 'all' && text === '') return calls
  return calls.filter((call, index) => {
    if (filter === 'failed' && call.code === undefined) return false
    if (filter === 'truncated' && call.cut !== true) return false
    return text === '' || searchText(attempt, call, index).includes(text)
  })
}
