// A suite over time and money: the pass rate of its runs, and the cost of missions against their pass rate.
import type { MissionFacts, RunPage, SuiteRunFacts } from '../data/data.ts'
import { Panel } from '../widgets/widgets.tsx'
import { distinctInstants, formatInstant, percent, pluralize } from '../format.ts'

const size = { width: 560, height: 220, left: 60, right: 16, top: 12, bottom: 40 }
const ticks = [0, 0.25, 0.5, 0.75, 1]

interface Point {
  x: number
  y: number
  text: string
  isCurrent?: boolean
}

export function History({ page }: { page: RunPage }) {
  const { history = [] } = page
  const priced = page.missions.filter(isPriced)
  if (history.length === 0 && priced.length === 0) return null
  return (
    <div class="pair">
      {history.length === 0 ? null : <RatesOverRuns runs={history} current={page.run.runId} />}
      {priced.length === 0 ? null : <CostAgainstRate missions={priced} />}
    </div>
  )
}

function RatesOverRuns({ runs, current }: { runs: SuiteRunFacts[]; current: string }) {
  const points = runs.map(({ runId, createdAt, passed, judged }, index) => ({
    x: runs.length === 1 ? 0.5 : index / (runs.length - 1),
    y: passed / judged,
    text: `${formatInstant(createdAt)}: ${passed} of ${judged} passed`,
    isCurrent: runId === current,
  }))
  const ends = [runs[0]?.createdAt ?? '', runs.at(-1)?.createdAt ?? ''] as const
  return (
    <Panel title="Pass rate across runs" note={`${pluralize(runs.length, 'run')} of this suite`}>
      <Chart
        label="Pass rate across runs"
        points={points}
        isLine
        xName="run, oldest first"
        xEnds={distinctInstants(ends)}
      />
    </Panel>
  )
}

type PricedMission = MissionFacts & { costUsd: number }

function isPriced(mission: MissionFacts): mission is PricedMission {
  return mission.costUsd !== undefined && mission.rate.rate !== undefined
}

function CostAgainstRate({ missions }: { missions: PricedMission[] }) {
  const most = Math.max(...missions.map(({ costUsd }) => costUsd)) || 1
  const points = missions.map(({ missionId, costUsd, rate }) => ({
    x: costUsd / most,
    y: rate.rate ?? 0,
    text: `${missionId}: ${percent(rate.rate ?? 0)} for ${dollars(costUsd)} per attempt`,
  }))
  return (
    <Panel title="Cost against pass rate" note={pluralize(missions.length, 'mission')}>
      <Chart
        label="Cost against pass rate"
        points={points}
        xName="cost per attempt"
        xEnds={['$0', dollars(most)]}
      />
    </Panel>
  )
}

function Chart(props: {
  label: string
  points: readonly Point[]
  xName: string
  xEnds: readonly [string, string]
  isLine?: boolean
}) {
  const { points, xEnds } = props
  const at = ({ x, y }: Pick<Point, 'x' | 'y'>): [number, number] => [
    size.left + x * (size.width - size.left - size.right),
    size.top + (1 - y) * (size.height - size.top - size.bottom),
  ]
  const bottom = size.height - size.bottom
  return (
    <div class="body">
      <svg
        class="chart"
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`${props.label}: ${points.map(({ text }) => text).join('; ')}`}
      >
        {ticks.map((tick) => {
          const [, y] = at({ x: 0, y: tick })
          return (
            <g key={tick}>
              <line class="tick" x1={size.left} x2={size.width - size.right} y1={y} y2={y} />
              <text x={size.left - 8} y={y + 4} text-anchor="end">
                {percent(tick)}
              </text>
            </g>
          )
        })}
        <text x={size.left} y={bottom + 16}>
          {xEnds[0]}
        </text>
        <text x={size.width - size.right} y={bottom + 16} text-anchor="end">
          {xEnds[1]}
        </text>
        <text x={(size.left + size.width) / 2} y={size.height - 6} text-anchor="middle">
          {props.xName}
        </text>
        {props.isLine === true ? (
          <polyline points={points.map((point) => at(point).join(',')).join(' ')} />
        ) : null}
        {points.map((point, index) => {
          const [x, y] = at(point)
          return (
            <circle key={index} cx={x} cy={y} r={point.isCurrent === true ? 6 : 4}>
              <title>{point.text}</title>
            </circle>
          )
        })}
      </svg>
    </div>
  )
}

function dollars(value: number): string {
  return `$${value < 0.01 ? value.toPrecision(2) : value.toFixed(2)}`
}
