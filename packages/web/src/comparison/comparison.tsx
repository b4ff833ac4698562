// The comparison page: pass rates and measures of both sides with intervals, and what changed.
import type {
  ComparisonPage,
  Difference,
  MeasureComparison,
  MissionComparison,
  Rate,
} from '../data/data.ts'
import { Badge, Empty, Interval, Panel, Stats, Table } from '../widgets/widgets.tsx'
import { Pairs } from './pairs.tsx'
import { count, pluralize, formatInstant, points } from '../format.ts'

const tones = { better: 'good', worse: 'bad', even: '', missing: 'warn' } as const

export function ComparisonView({ page }: { page: ComparisonPage }) {
  const [a, b] = page.sides
  return (
    <>
      <div class="head">
        <h1>
          {a.label} <span class="quiet">against</span> {b.label}
        </h1>
        {page.verdicts.slice(0, 1).map((verdict) => (
          <Badge key={verdict.name} tone={tones[verdict.level]}>
            {verdict.word}
          </Badge>
        ))}
      </div>
      {page.verdicts.map((verdict) => (
        <p class="facts" key={verdict.name}>
          <span>{verdict.text}</span>
        </p>
      ))}
      {page.lost === undefined ? null : (
        <p class="facts">
          <span class="warn-ink">{page.lost}</span>
        </p>
      )}
      {page.caution === undefined ? null : (
        <Panel title="Caution">
          <p class="body warn-ink">{page.caution}</p>
        </Panel>
      )}
      <Stats
        items={[
          { label: `A: ${a.label}`, value: formatRate(a.rate), note: a.counts },
          { label: `B: ${b.label}`, value: formatRate(b.rate), note: b.counts },
          {
            label: 'Difference, B − A',
            value: page.overall.delta === undefined ? '–' : `${points(page.overall.delta)} points`,
            note: formatRange(page.overall),
          },
          { label: 'Missions', value: count(page.missions.length) },
        ]}
      />
      <Changes changes={page.changes} />
      <Missions missions={page.missions} />
      <Measures measures={page.measures} />
      <Pairs pairs={page.pairs} />
      <Panel title="Notes">
        <ul class="body">
          {page.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </Panel>
    </>
  )
}

function formatRange({ low, high }: Difference): string {
  if (low === undefined || high === undefined) return 'no interval'
  return `${points(low)} to ${points(high)}`
}

function formatRate(rate: Rate): string {
  return rate.rate === undefined ? '–' : `${(rate.rate * 100).toFixed(1)}%`
}

function Missions({ missions }: { missions: MissionComparison[] }) {
  return (
    <Panel title="Pass rate by mission" note="B minus A, with 95 % intervals">
      <Table
        label="Pass rate by mission"
        rows={missions}
        rowKey={({ missionId }) => missionId}
        columns={[
          { name: 'Mission', cell: ({ missionId }) => missionId },
          { name: 'A', class: 'num', cell: ({ cells }) => cells.a },
          { name: 'B', class: 'num', cell: ({ cells }) => cells.b },
          { name: 'Points', class: 'num', cell: ({ cells }) => cells.change },
          { name: '−100 to +100 points', width: '36%', class: 'wide', cell: pointsInterval },
          { name: 'p (Holm)', class: 'num wide', cell: ({ cells }) => cells.p },
          { name: 'Verdict', cellClass: 'nowrap', cell: verdictBadge },
        ]}
      />
    </Panel>
  )
}

function pointsInterval({ difference: { delta, low, high }, level }: MissionComparison) {
  if (delta === undefined || low === undefined || high === undefined) return null
  const label = `between ${points(low)} and ${points(high)} points`
  const place = { from: -1, to: 1, low, high, value: delta }
  return <Interval {...place} tone={level} label={label} />
}

function verdictBadge({ level, word }: Pick<MissionComparison, 'level' | 'word'>) {
  return <Badge tone={tones[level]}>{word}</Badge>
}

function Measures({ measures }: { measures: MeasureComparison[] }) {
  if (measures.length === 0) return null
  return (
    <Panel
      title="Cost and effort"
      note="means over missions; B to A is the ratio of geometric means; less is better"
    >
      <Table
        label="Cost and effort"
        rows={measures}
        rowKey={({ name }) => name}
        columns={[
          { name: 'Measure', cell: ({ name }) => name },
          { name: 'A', class: 'num', cell: ({ cells }) => cells.a },
          { name: 'B', class: 'num', cell: ({ cells }) => cells.b },
          { name: 'B to A', class: 'num', cell: ({ cells }) => cells.change },
          { name: 'Half to double', width: '36%', class: 'wide', cell: ratioInterval },
          { name: 'p (Holm)', class: 'num wide', cell: ({ cells }) => cells.p },
          { name: 'Verdict', cell: verdictBadge },
        ]}
      />
    </Panel>
  )
}

function ratioInterval({ ratio, low, high, level }: MeasureComparison) {
  if (ratio === undefined || low === undefined || high === undefined) return null
  const label = `between ${low.toFixed(3)} and ${high.toFixed(3)}`
  const [lowest, highest, value] = [low, high, ratio].map(Math.log2) as [number, number, number]
  const place = { from: -1, to: 1, low: lowest, high: highest, value }
  return <Interval {...place} tone={level} label={label} />
}

function Changes({ changes }: { changes: ComparisonPage['changes'] }) {
  return (
    <Panel
      title="What changed"
      note={changes.length === 0 ? undefined : pluralize(changes.length, 'difference')}
    >
      {changes.length === 0 ? (
        <Empty>Both sides were measured the same way.</Empty>
      ) : (
        <Table
          label="What changed"
          rows={changes}
          rowKey={({ what }) => what}
          columns={[
            { name: 'What', cell: ({ what }) => what },
            { name: 'A', cell: ({ before }) => formatValue(before) },
            { name: 'B', cell: ({ after }) => formatValue(after) },
          ]}
        />
      )}
    </Panel>
  )
}

function formatValue(value: string): string {
  return /^\d{4}-\d\d-\d\dT/.test(value) ? formatInstant(value) : value
}
