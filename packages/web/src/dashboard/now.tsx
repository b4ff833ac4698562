// What goes on now: open sessions, running suites, zino, timers, waiting calls, and the latest failed calls.
import type { FailedCall, NowFacts, RunRow, SessionRow } from '../data/data.ts'
import { duration, formatInstant, pluralize } from '../format.ts'
import { Badge, Empty, Panel } from '../widgets/widgets.tsx'
import { ago, baseName } from './ago.ts'
import { pageHref, useAnswer, useTicks, type Rows } from './api.ts'
import { ActionButton } from './confirm.tsx'
import { passRate } from './lists.tsx'

/** Without the list of open files, a session whose last record waits counts as working this long. */
const unknownMs = 10 * 60_000
/** Sessions may begin between two polls. */
const graceMs = 15_000
const nowPollMs = 5000
const maxFeed = 30

export function NowView({ rows }: { rows: Rows }) {
  const ticks = useTicks(nowPollMs)
  const now = useAnswer<NowFacts>('now', ticks)
  const facts = now instanceof Error ? undefined : now
  const running = rows.sessions.filter((session) => isWorking(session, facts?.openSessions))
  const suites = rows.runs.filter(({ details }) => details?.isRunning === true)
  return (
    <>
      <div class="list-head">
        <h1>Now</h1>
        {rows.pending === 0 ? null : (
          <span class="quiet" role="status">
            reading {pluralize(rows.pending, 'record')} …
          </span>
        )}
      </div>
      <div class="pair">
        <Panel title="Suites" note={suites.length === 0 ? undefined : String(suites.length)}>
          {suites.length === 0 ? (
            <Empty>No suite runs.</Empty>
          ) : (
            suites.map((run) => <SuiteLine key={run.key} run={run} />)
          )}
        </Panel>
        <Panel title="Sessions" note={running.length === 0 ? undefined : String(running.length)}>
          {running.length === 0 ? (
            <Empty>No session is working.</Empty>
          ) : (
            running.map((session) => <SessionLine key={session.id} session={session} />)
          )}
        </Panel>
        <ZinoPanel facts={facts} />
        <Waiting facts={facts} />
      </div>
      <Feed calls={latestFailures(rows)} />
    </>
  )
}

function isWorking({ id, modifiedMs, details }: SessionRow, open: string[] | undefined): boolean {
  if (details?.isOpen !== true) return false
  if (open?.includes(id) === true) return true
  return Date.now() - modifiedMs < (open === undefined ? unknownMs : graceMs)
}

function SuiteLine({ run }: { run: RunRow }) {
  const { details } = run
  if (details === undefined) return null
  const { passed, failed, infra, planned = details.attempts, leftMs } = details
  const done = passed + failed + infra
  return (
    <div class="now-line">
      <a href={pageHref(`run/${run.key}`)}>{run.suiteId}</a>
      <span>
        {done} of {planned} planned
      </span>
      {done === 0 ? null : <span>{passRate(passed, done)} passed so far</span>}
      <span class="quiet">{leftMs === undefined ? '' : `${duration(leftMs)} left`}</span>
      <ActionButton action="stop" id={run.key} label="Stop" />
      <progress max={planned} value={done} aria-label={`${done} of ${planned} attempts`} />
    </div>
  )
}

function SessionLine({ session }: { session: SessionRow }) {
  return (
    <div class="now-line">
      <a class="cut" href={pageHref(`session/${session.id}`)}>
        {session.title || session.id}
      </a>
      <span class="quiet">{baseName(session.project)}</span>
      <span class="quiet">{session.model}</span>
    </div>
  )
}

function ZinoPanel({ facts }: { facts: NowFacts | undefined }) {
  const state = facts?.zino.state
  const text = {
    absent: 'zino is not set up: zino init',
    stopped: 'zino is stopped: zino up --detach',
  }
  return (
    <Panel
      title="zino"
      note={state}
      tools={
        state === 'running' ? <ActionButton action="stop" id="zino" label="Stop zino" /> : undefined
      }
    >
      {state === 'running' ? (
        <ul class="services">
          {facts?.zino.services.map(({ name, state: own }) => (
            <li key={name}>
              <Badge tone={own === 'up' ? 'good' : 'bad'}>{own}</Badge> {name}
            </li>
          ))}
        </ul>
      ) : (
        <Empty>{state === undefined ? 'Loading …' : text[state]}</Empty>
      )}
    </Panel>
  )
}

function Waiting({ facts }: { facts: NowFacts | undefined }) {
  const { timers = [], approvals = [] } = facts ?? {}
  return (
    <Panel title="Timers and approvals">
      {approvals.map(({ id, text }) => (
        <div class="now-line" key={id}>
          <span class="cut">{text}</span>
          <ActionButton action="approve" id={id} label="Approve" />
          <ActionButton action="deny" id={id} label="Deny" />
        </div>
      ))}
      {timers.map(({ id, text, next }) => (
        <div class="now-line" key={id}>
          <span class="cut">{text}</span>
          <span class="quiet nowrap">{formatInstant(next) || next}</span>
        </div>
      ))}
      {timers.length + approvals.length === 0 ? <Empty>No timers, and nothing waits.</Empty> : null}
    </Panel>
  )
}

function Feed({ calls }: { calls: FailedCall[] }) {
  return (
    <Panel title="Failed calls" note={calls.length === 0 ? undefined : 'newest first'}>
      {calls.length === 0 ? (
        <Empty>No failed calls.</Empty>
      ) : (
        <ul class="feed">
          {calls.map((call, at) => (
            <li key={at}>
              <a class="cut mono" href={pageHref(call.page)}>
                {call.title}
              </a>
              <span class="quiet cut">{call.where}</span>
              <span class="quiet nowrap">{ago(call.atMs)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function latestFailures({ sessions, runs }: Rows): FailedCall[] {
  const calls = [
    ...sessions
      .slice(0, 50)
      .flatMap(({ title, details }) =>
        (details?.failed ?? []).map((call) => ({ ...call, where: title || call.where })),
      ),
    ...runs.slice(0, 20).flatMap(({ details }) => details?.failedCalls ?? []),
  ]
  return calls.sort((a, b) => b.atMs - a.atMs).slice(0, maxFeed)
}
