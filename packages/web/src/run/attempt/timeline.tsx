// The calls of an attempt as a waterfall: a mini map, and one row per call.
import { useMemo, useRef, useState } from 'preact/hooks'
import type { AttemptFacts, CallFacts } from '../../data/data.ts'
import { Empty, Panel, Segments, VirtualList, useIsNarrow } from '../../widgets/widgets.tsx'
import { count, pluralize, duration } from '../../format.ts'
import { searchText } from './call-texts.ts'
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
            {shown.length === 0 ? (
              <Empty>No matching calls.</Empty>
            ) : (
              <VirtualList
                label="Calls in order"
                count={shown.length}
                items={shown}
                rowHeight={isNarrow ? 52 : 30}
                selected={shown.findIndex(({ line }) => line === selected)}
                onSelect={(index) => onSelect(shown[index]?.line ?? 0)}
                onRange={(first, last) => moveWindow(window.current, shown, first, last, total)}
                rowClass={(index) => (shown[index]?.code === undefined ? 'call' : 'call failed')}
                row={(index) => <CallRow call={shown[index]} total={total} />}
              />
            )}
          </>
        )}
      </Panel>
    </div>
  )
}

function CallRow({ call, total }: { call: CallFacts | undefined; total: number }) {
  if (call === undefined) return null
  return (
    <>
      <span class="line">{call.line}</span>
      <span class="tool cut">{call.tool === 'cli' ? 'cli' : `${call.tool} ${call.op}`}</span>
      <span class="what cut" title={call.title}>
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
