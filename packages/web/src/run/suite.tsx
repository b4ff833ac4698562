// A run as a measurement: pass rates with their intervals, and how much the attempts took.
import { useMemo } from 'preact/hooks'
import type { AttemptFacts, MissionFacts, RunPage } from '../data/data.ts'
import { Empty, Interval, Panel, Plot } from '../widgets/widgets.tsx'
import { compact, count, counted, duration, percent, spoken } from '../format.ts'
import { distributionOf, type Measure } from './distribution.ts'

export function SuiteView({ page }: { page: RunPage }) {
  const { attempts } = page
  if (attempts.length === 0) {
    return (
      <Panel title="Pass rate">
        <Empty>There is nothing to add up yet.</Empty>
      </Panel>
    )
  }
  return (
    <>
      <Rates page={page} />
      <div class="pair quad">
        <Distribution title="Calls per attempt" attempts={attempts} value={calls} words={compact} />
        <Distribution
          title="Time per attempt"
          attempts={attempts}
          value={wallMs}
          words={duration}
        />
        <Distribution
          title="Tokens per attempt"
          attempts={attempts}
          value={tokens}
          words={compact}
        />
        <Distribution
          title="Failed calls per attempt"
          attempts={attempts}
          value={failures}
          words={compact}
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
      <div class="scroll" tabIndex={0} role="region" aria-label="Pass rates">
        <table>
          <thead>
            <tr>
              <th scope="col">Mission</th>
              <th scope="col" class="num">
                Passed
              </th>
              <th scope="col" class="num">
                Rate
              </th>
              <th scope="col" class="num wide">
                Interval
              </th>
              <th scope="col" style={{ width: '45%' }}>
                0 to 100 %
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ missionId, rate }) => (
              <tr key={missionId}>
                <th scope="row">{missionId}</th>
                <td class="num">
                  {rate.passed} of {rate.judged}
                </td>
                <td class="num">{rate.rate === undefined ? '–' : percent(rate.rate)}</td>
                <td class="num soft wide">
                  {rate.judged === 0 ? '–' : `${percent(rate.low)} to ${percent(rate.high)}`}
                </td>
                <td>
                  {rate.judged === 0 ? null : (
                    <Interval
                      from={0}
                      to={1}
                      low={rate.low}
                      high={rate.high}
                      value={rate.rate}
                      label={`between ${percent(rate.low)} and ${percent(rate.high)}`}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function Distribution(props: {
  title: string
  attempts: AttemptFacts[]
  value: Measure
  words: (value: number) => string
}) {
  const { title, attempts, value, words } = props
  const found = useMemo(() => distributionOf(attempts, value), [attempts, value])
  if (found === undefined) {
    return (
      <Panel title={title}>
        <Empty>No attempt says.</Empty>
      </Panel>
    )
  }
  const note = `median ${words(found.median)}, ${words(found.least)} to ${words(found.most)}`
  return (
    <Panel title={title} note={note}>
      <Plot
        label={`${title}: share of attempts at or below a value; ${note}`}
        x={found.x}
        series={found.series}
        xWords={words}
        yWords={percent}
        yMax={1}
      />
    </Panel>
  )
}

function Frictions({ attempts }: { attempts: AttemptFacts[] }) {
  const found = new Map<string, number>()
  for (const { findings } of attempts) {
    for (const kind of new Set(findings.map((finding) => finding.kind))) {
      found.set(kind, (found.get(kind) ?? 0) + 1)
    }
  }
  return (
    <Panel title="Friction" note="attempts in which it was found">
      <Bars found={found} most={attempts.length} words={spoken} none="No friction was found." />
    </Panel>
  )
}

function Codes({ attempts }: { attempts: AttemptFacts[] }) {
  const found = new Map<string, number>()
  for (const { calls } of attempts) {
    for (const { code } of calls) {
      if (code !== undefined) found.set(code, (found.get(code) ?? 0) + 1)
    }
  }
  const total = [...found.values()].reduce((sum, each) => sum + each, 0)
  return (
    <Panel title="Failed calls by code" note={counted(total, 'call')}>
      <Bars found={found} most={total} words={String} none="No call failed." />
    </Panel>
  )
}

function Bars(props: {
  found: ReadonlyMap<string, number>
  most: number
  words: (name: string) => string
  none: string
}) {
  if (props.found.size === 0) return <Empty>{props.none}</Empty>
  const rows = [...props.found].toSorted((a, b) => b[1] - a[1]).slice(0, 12)
  return (
    <ul class="bars body">
      {rows.map(([name, value]) => (
        <li key={name}>
          <span class="cut" title={name}>
            {props.words(name)}
          </span>
          <span class="meter" aria-hidden="true">
            <i style={{ width: `${(100 * value) / props.most}%` }} />
          </span>
          <span class="num">{count(value)}</span>
        </li>
      ))}
    </ul>
  )
}
