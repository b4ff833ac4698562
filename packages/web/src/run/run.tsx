// The page of a run: the grid of missions by attempts and the table of attempts, or the suite view.
import type { AttemptFacts, MissionFacts, RunPage } from '../data/data.ts'
import { Empty, Panel, Stats, useIsNarrow } from '../widgets/widgets.tsx'
import { hrefTo } from '../page/page.ts'
import {
  compact,
  count,
  pluralize,
  duration,
  formatInstant,
  percent,
  rangeText,
} from '../format.ts'
import { AttemptTable } from './attempt-table.tsx'
import { RunIntegrity } from './findings.tsx'
import { Outcome, outcomeMark, outcomeName } from './outcome.tsx'
import { SuiteView } from './suite.tsx'

export { AttemptView } from './attempt/attempt.tsx'
export { Outcome } from './outcome.tsx'

export function RunView({ page, tab }: { page: RunPage; tab: 'overview' | 'suite' }) {
  return (
    <>
      <div class="head">
        <h1>{page.run.suiteId || 'Run'}</h1>
      </div>
      <p class="facts">
        <span class="mono">{page.run.runId}</span>
        <span>started {formatInstant(page.run.createdAt)}</span>
        {page.run.pinned === true ? <span>pinned</span> : null}
      </p>
      <nav class="tabs" aria-label="Views of the run">
        <a href={hrefTo()} aria-current={tab === 'overview' ? 'page' : undefined}>
          Overview
        </a>
        <a href={hrefTo('suite')} aria-current={tab === 'suite' ? 'page' : undefined}>
          Suite
        </a>
      </nav>
      {tab === 'suite' ? <SuiteView page={page} /> : <Overview page={page} />}
    </>
  )
}

function Overview({ page }: { page: RunPage }) {
  const { attempts, rate } = page
  if (attempts.length === 0) {
    return (
      <Panel title="Attempts">
        <Empty>This run has no attempts yet. Run `zcl attempt start` to create one.</Empty>
      </Panel>
    )
  }
  const sum = (pick: (attempt: AttemptFacts) => number): number =>
    attempts.reduce((total, attempt) => total + pick(attempt), 0)
  const failures = sum(({ metrics }) => metrics.failures)
  const tokens = sum((attempt) => attempt.tokens?.total ?? 0)
  const isEstimate = attempts.some((attempt) => attempt.tokens?.isEstimate === true)
  return (
    <>
      <Stats
        items={[
          {
            label: 'Pass rate',
            value: rate.rate === undefined ? '–' : percent(rate.rate),
            note: rate.judged === 0 ? 'no outcome yet' : (rangeText(rate) ?? 'one attempt'),
          },
          {
            label: 'Attempts',
            value: count(attempts.length),
            note: [
              ...(page.run.planned === undefined ? [] : [`of ${count(page.run.planned)} planned`]),
              pluralize(page.missions.length, 'mission'),
            ].join(', '),
          },
          { label: 'Calls', value: count(sum(({ metrics }) => metrics.calls)) },
          { label: 'Failed calls', value: count(failures), tone: failures > 0 ? 'bad' : undefined },
          { label: 'Time in attempts', value: duration(sum(({ metrics }) => metrics.wallMs)) },
          { label: 'Tokens', value: compact(tokens), note: isEstimate ? 'estimated' : undefined },
        ]}
      />
      <Grid page={page} />
      <AttemptTable attempts={attempts} />
      <RunIntegrity findings={page.integrity} />
    </>
  )
}

/** A mission with more attempts is drawn with small cells, so that nothing scrolls sideways. */
const maxColumns = { narrow: 1, wide: 6 }

interface MissionRow {
  mission: MissionFacts
  attempts: AttemptFacts[]
}

function Grid({ page }: { page: RunPage }) {
  const rows = page.missions.map((mission) => ({
    mission,
    attempts: page.attempts.filter(({ missionId }) => missionId === mission.missionId),
  }))
  const maxAttempts = Math.max(0, ...rows.map(({ attempts }) => attempts.length))
  const note = `${pluralize(rows.length, 'mission')}, up to ${pluralize(maxAttempts, 'attempt')} each`
  if (maxAttempts > maxColumns[useIsNarrow() ? 'narrow' : 'wide']) {
    return (
      <Panel title="Missions by attempts" note={note}>
        <Dense rows={rows} isRunning={page.run.isRunning === true} />
      </Panel>
    )
  }
  const columns = maxAttempts
  return (
    <Panel title="Missions by attempts" note={note}>
      <div class="scroll" tabIndex={0} role="group" aria-label="Missions by attempts">
        <table class="grid">
          <thead>
            <tr>
              <th scope="col">Mission</th>
              {Array.from({ length: columns }, (_none, index) => (
                <th scope="col" key={index}>
                  {index + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ mission, attempts }) => (
              <tr key={mission.missionId}>
                <th scope="row">
                  {mission.missionId}
                  <div class="small quiet">
                    {mission.rate.judged === 0
                      ? 'no outcome'
                      : `${mission.rate.passed} of ${mission.rate.judged} passed`}
                  </div>
                </th>
                {attempts.slice(0, columns).map((attempt) => (
                  <td key={attempt.attemptId}>
                    <Tile attempt={attempt} isRunning={page.run.isRunning === true} />
                  </td>
                ))}
                {attempts.length < columns ? <td colSpan={columns - attempts.length} /> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

/** Missions with many attempts: one small cell each, wrapped, so that hundreds fit without scrolling. */
function Dense(props: { rows: MissionRow[]; isRunning: boolean }) {
  return (
    <div class="dense">
      {props.rows.map(({ mission, attempts }) => (
        <section key={mission.missionId} aria-label={mission.missionId}>
          <h3>
            {mission.missionId}{' '}
            <span class="small quiet">
              {mission.rate.judged === 0
                ? 'no outcome'
                : `${mission.rate.passed} of ${mission.rate.judged} passed`}
            </span>
          </h3>
          <ul>
            {attempts.map((attempt) => {
              const text = `${attempt.attemptId}: ${outcomeName(attempt, props.isRunning)}, ${duration(attempt.metrics.wallMs)}`
              return (
                <li key={attempt.attemptId}>
                  <a
                    class={`cell ${attempt.outcome}`}
                    href={hrefTo('attempt', attempt.attemptId)}
                    title={text}
                    aria-label={text}
                  >
                    <span aria-hidden="true">{outcomeMark(attempt.outcome)}</span>
                  </a>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Tile({ attempt, isRunning }: { attempt: AttemptFacts; isRunning: boolean }) {
  const { metrics, outcome, tokens } = attempt
  return (
    <a class={`tile ${outcome}`} href={hrefTo('attempt', attempt.attemptId)}>
      <span class="hidden">{attempt.attemptId}: </span>
      <span class="top-line">
        {isRunning && outcome === 'missing' ? (
          <span class="running">running</span>
        ) : (
          <Outcome outcome={outcome} />
        )}
        <span>{duration(metrics.wallMs)}</span>
      </span>
      <span class="sub">
        {pluralize(metrics.calls, 'call')}
        {metrics.failures === 0 ? null : <span class="bad-ink">, {metrics.failures} failed</span>}
      </span>
      <br />
      <span class="sub quiet">
        {tokens === undefined ? '–' : `${compact(tokens.total)} tokens`}
      </span>
    </a>
  )
}
