// The suite view of a run: pass rates with intervals, and distributions over the attempts.
import { useMemo } from 'preact/hooks'
import type { AttemptFacts, MissionFacts, RunPage } from '../data/data.ts'
import { Empty, Interval, Panel, Plot, Table } from '../widgets/widgets.tsx'
import { compact, count, pluralize, duration, percent, humanize, rangeText } from '../format.ts'
import { computeDistribution, type Measure } from './distribution.ts'
import { History } from './history.tsx'

export function SuiteView({ page }: { page: RunPage }) {
  const { attempts } = page
  if (attempts.length === 0) {
    return (
      <Panel title="Pass rate">
        <Empty>No attempts to summarize yet.</Empty>
      </Panel>
    )
  }
  return (
    <>
      <Rates page={page} />
      <History page={page} />
      <div class="pair quad">
        <Distribution
          title="Calls per attempt"
          measure="calls"
          attempts={attempts}
          value={calls}
          format={compact}
        />
        <Distribution
          title="Time per attempt"
          measure="time"
          attempts={attempts}
          value={wallMs}
          format={duration}
        />
        <Distribution
          title="Tokens per attempt"
          measure="tokens"
          attempts={attempts}
          value={tokens}
          format={compact}
        />
        <Distribution
          title="Failed calls per attempt"
          measure="failed calls"
          attempts={attempts}
          value={failures}
          format={compact}
        />
      </div>
      <div class="pair">
        <Frictions attempts={attempts} />
        <Codes attempts={attempts} />
      </div>
    </>
  )
}

const calls = ({ metrics }: AttemptFacts): number => metrics.calls
const wallMs = ({ metrics }: AttemptFacts): number => metrics.wallMs
const tokens = (attempt: AttemptFacts): number | undefined => attempt.tokens?.total
const failures = ({ metrics }: AttemptFacts): number => metrics.failures

function Rates({ page }: { page: RunPage }) {
  const all: MissionFacts = {
    missionId: 'all missions',
    attempts: page.attempts.length,
    rate: page.rate,
  }
  const rows = page.missions.length > 1 ? [all, ...page.missions] : page.missions
  return (
    <Panel title="Pass rate" note="with 95 % intervals (Wilson)">
      <Table
        label="Pass rates"
        rows={rows}
        rowKey={({ missionId }) => missionId}
        columns={[
          { name: 'Mission', cell: ({ missionId }) => missionId },
          { name: 'Passed', class: 'num', cell: ({ rate }) => `${rate.passed} of ${rate.judged}` },
          {
            name: 'Rate',
            class: 'num',
            cellClass: 'nowrap',
            cell: ({ rate: { rate } }) => (rate === undefined ? '–' : percent(rate)),
          },
          {
            name: 'Interval',
            class: 'num wide',
            cellClass: 'soft',
            cell: ({ rate }) => rangeText(rate) ?? '–',
          },
          { name: '0 to 100 %', width: '45%', cell: rateInterval },
        ]}
      />
    </Panel>
  )
}

function rateInterval({ rate: { rate, low, high } }: MissionFacts) {
  if (low === undefined || high === undefined) return null
  const label = `between ${percent(low)} and ${percent(high)}`
  return <Interval from={0} to={1} low={low} high={high} value={rate} label={label} />
}

function Distribution(props: {
  title: string
  /** The name of the value, for its axis. */
  measure: string
  attempts: AttemptFacts[]
  value: Measure
  format: (value: number) => string
}) {
  const { title, attempts, value, format } = props
  const distribution = useMemo(() => computeDistribution(attempts, value), [attempts, value])
  if (distribution === undefined) {
    return (
      <Panel title={title}>
        <Empty>No attempt has this value.</Empty>
      </Panel>
    )
  }
  const { x, series, summary } = distribution
  const note =
    summary === undefined
      ? 'no attempt passed or failed'
      : `median ${format(summary.median)}, ${format(summary.min)} to ${format(summary.max)}`
  return (
    <Panel title={title} note={note}>
      <Plot
        label={`${title}: share of attempts at or below a value; ${note}`}
        x={x}
        series={series}
        xName={props.measure}
        yName="share of attempts at or below"
        formatX={format}
        formatY={percent}
        yMax={1}
      />
    </Panel>
  )
}

function Frictions({ attempts }: { attempts: AttemptFacts[] }) {
  const counts = new Map<string, number>()
  for (const { findings } of attempts) {
    for (const kind of new Set(findings.map((finding) => finding.kind))) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
  }
  return (
    <Panel title="Friction" note="number of attempts">
      <Bars
        counts={counts}
        max={attempts.length}
        format={humanize}
        emptyText="No friction counts."
      />
    </Panel>
  )
}

function Codes({ attempts }: { attempts: AttemptFacts[] }) {
  const counts = new Map<string, number>()
  for (const { calls } of attempts) {
    for (const { code } of calls) {
      if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1)
    }
  }
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0)
  return (
    <Panel title="Failed calls by code" note={pluralize(total, 'call')}>
      <Bars counts={counts} max={total} format={String} emptyText="No failed calls." />
    </Panel>
  )
}

function Bars(props: {
  counts: ReadonlyMap<string, number>
  max: number
  format: (name: string) => string
  emptyText: string
}) {
  if (props.counts.size === 0) return <Empty>{props.emptyText}</Empty>
  const rows = [...props.counts].toSorted((a, b) => b[1] - a[1]).slice(0, 12)
  return (
    <ul class="bars body">
      {rows.map(([name, value]) => (
        <li key={name}>
          <span class="cut" title={name}>
            {props.format(name)}
          </span>
          <span class="meter" aria-hidden="true">
            <i style={{ width: `${(100 * value) / props.max}%` }} />
          </span>
          <span class="num">{count(value)}</span>
        </li>
      ))}
    </ul>
  )
}
