// The comparison page: pass rates and measures of both sides with intervals, and what changed.
import type {
  ComparisonPage,
  Difference,
  MeasureComparison,
  MissionComparison,
  Rate,
} from '../data/data.ts'
import { Badge, Empty, Interval, Panel, Stats } from '../widgets/widgets.tsx'
import { Pairs } from './pairs.tsx'
import { count, pluralize, formatInstant, percent, points } from '../format.ts'

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
  return rate.rate === undefined ? '–' : percent(rate.rate)
}

function Missions({ missions }: { missions: MissionComparison[] }) {
  return (
    <Panel title="Pass rate by mission" note="B minus A, with 95 % intervals">
      <div class="scroll" tabIndex={0} role="group" aria-label="Pass rate by mission">
        <table>
          <thead>
            <tr>
              <th scope="col">Mission</th>
              <th scope="col" class="num">
                A
              </th>
              <th scope="col" class="num">
                B
              </th>
              <th scope="col" class="num">
                Points
              </th>
              <th scope="col" style={{ width: '36%' }}>
                −100 to +100 points
              </th>
              <th scope="col" class="num">
                p (Holm)
              </th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {missions.map((mission) => (
              <MissionRow key={mission.missionId} mission={mission} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function MissionRow({ mission }: { mission: MissionComparison }) {
  const { cells, difference, level } = mission
  return (
    <tr>
      <th scope="row">{mission.missionId}</th>
      <td class="num">{cells.a}</td>
      <td class="num">{cells.b}</td>
      <td class="num">{cells.change}</td>
      <td>
        {difference.delta === undefined ||
        difference.low === undefined ||
        difference.high === undefined ? null : (
          <Interval
            from={-1}
            to={1}
            low={difference.low}
            high={difference.high}
            value={difference.delta}
            tone={level}
            label={`between ${points(difference.low)} and ${points(difference.high)} points`}
          />
        )}
      </td>
      <td class="num">{cells.p}</td>
      <td class="nowrap">
        <Badge tone={tones[level]}>{mission.word}</Badge>
      </td>
    </tr>
  )
}

function Measures({ measures }: { measures: MeasureComparison[] }) {
  if (measures.length === 0) return null
  return (
    <Panel
      title="Cost and effort"
      note="means over missions; B to A is the ratio of geometric means; less is better"
    >
      <div class="scroll" tabIndex={0} role="group" aria-label="Cost and effort">
        <table>
          <thead>
            <tr>
              <th scope="col">Measure</th>
              <th scope="col" class="num">
                A
              </th>
              <th scope="col" class="num">
                B
              </th>
              <th scope="col" class="num">
                B to A
              </th>
              <th scope="col" style={{ width: '36%' }}>
                Half to double
              </th>
              <th scope="col" class="num">
                p (Holm)
              </th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {measures.map((measure) => (
              <MeasureRow key={measure.name} measure={measure} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function MeasureRow({ measure }: { measure: MeasureComparison }) {
  const { cells, ratio, low, high, level } = measure
  return (
    <tr>
      <th scope="row">{measure.name}</th>
      <td class="num">{cells.a}</td>
      <td class="num">{cells.b}</td>
      <td class="num">{cells.change}</td>
      <td>
        {ratio !== undefined && low !== undefined && high !== undefined ? (
          <Interval
            from={-1}
            to={1}
            low={Math.log2(low)}
            high={Math.log2(high)}
            value={Math.log2(ratio)}
            tone={level}
            label={`between ${low.toFixed(3)} and ${high.toFixed(3)}`}
          />
        ) : null}
      </td>
      <td class="num">{cells.p}</td>
      <td>
        <Badge tone={tones[level]}>{measure.word}</Badge>
      </td>
    </tr>
  )
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
        <div class="scroll" tabIndex={0} role="group" aria-label="What changed">
          <table>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">A</th>
                <th scope="col">B</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ what, before, after }) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <td>{formatValue(before)}</td>
                  <td>{formatValue(after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}

function formatValue(value: string): string {
  return /^\d{4}-\d\d-\d\dT/.test(value) ? formatInstant(value) : value
}
