// The page of an attempt: outcome, figures, findings, and every call on a timeline.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { AttemptFacts, NoteFacts } from '../../data/data.ts'
import { Badge, Panel, Stats, TextBox } from '../../widgets/widgets.tsx'
import { replaceRoute } from '../../page/page.ts'
import { compact, count, pluralize, duration, formatInstant, humanize } from '../../format.ts'
import { CallDetail } from './call-detail.tsx'
import { ExamPanels } from './exam.tsx'
import { FrictionPanel, IntegrityPanel, NotesPanel } from '../findings.tsx'
import { LatencyPanel } from './latency.tsx'
import { OutcomeBadge } from '../outcome.tsx'
import { Timeline } from './timeline.tsx'

export function AttemptView({ attempt, line }: { attempt: AttemptFacts; line: number }) {
  const [selected, setSelected] = useState(() => firstShownLine(attempt, line))
  // The address of an open page may change to another call.
  useEffect(() => {
    if (Number.isInteger(line)) setSelected(line)
  }, [line])
  const byLine = useMemo(
    () => new Map(attempt.calls.map((call, index) => [call.line, index])),
    [attempt.calls],
  )
  const select = (next: number): void => {
    setSelected(next)
    replaceRoute('attempt', attempt.attemptId, 'call', next)
  }
  const jump = (next: number): void => {
    select(next)
    document.getElementById('timeline')?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <AttemptHead attempt={attempt} />
      <Figures attempt={attempt} />
      <div class="columns">
        <div>
          <Timeline attempt={attempt} selected={selected} onSelect={select} />
          <FrictionPanel findings={attempt.findings} onJump={jump} />
          <IntegrityPanel attempt={attempt} onJump={jump} />
          <LatencyPanel calls={attempt.calls} />
        </div>
        <div>
          {selected < 0 ? (
            <WordsDetail words={attempt.notes[-1 - selected]} />
          ) : (
            <CallDetail attempt={attempt} index={byLine.get(selected) ?? -1} />
          )}
          <FeedbackPanel attempt={attempt} />
          <ExamPanels exam={attempt.exam} />
          <NotesPanel notes={attempt.notes.filter(({ afterCalls }) => afterCalls === undefined)} />
          {attempt.prompt === undefined ? null : (
            <Panel title="Prompt">
              <div class="body">
                <TextBox label="Prompt" content={attempt.prompt} />
              </div>
            </Panel>
          )}
        </div>
      </div>
    </>
  )
}

/** What the agent said at one place between the calls. */
function WordsDetail({ words }: { words: NoteFacts | undefined }) {
  if (words === undefined) return null
  const note = words.at === '' ? undefined : formatInstant(words.at)
  return (
    <Panel title={humanize(words.kind)} note={note} class="detail">
      <div class="body" aria-live="polite">
        <TextBox label="Words" content={{ text: words.text }} />
      </div>
    </Panel>
  )
}

/** The call that the address names, else the first failed one. */
function firstShownLine({ calls }: AttemptFacts, line: number): number {
  if (Number.isInteger(line)) return line
  return calls.find(({ code }) => code !== undefined)?.line ?? 0
}

function AttemptHead({ attempt }: { attempt: AttemptFacts }) {
  return (
    <>
      <div class="head">
        <h1>{attempt.missionId || attempt.attemptId}</h1>
        <span>
          <OutcomeBadge outcome={attempt.outcome} />{' '}
          {attempt.isValid ? null : <Badge tone="bad">evidence not valid</Badge>}
        </span>
      </div>
      <p class="facts">
        <span class="mono">{attempt.attemptId}</span>
        <span>started {formatInstant(attempt.startedAt)}</span>
        {attempt.mode === undefined ? null : <span>{attempt.mode} mode</span>}
        {attempt.model === undefined ? null : <span>{attempt.model}</span>}
        {attempt.agentId === undefined ? null : <span>agent {attempt.agentId}</span>}
      </p>
    </>
  )
}

function Figures({ attempt }: { attempt: AttemptFacts }) {
  const { metrics, tokens } = attempt
  return (
    <Stats
      items={[
        {
          label: 'Calls',
          value: count(metrics.calls),
          note: metrics.retries === 0 ? undefined : pluralize(metrics.retries, 'retry', 'retries'),
        },
        {
          label: 'Failed',
          value: count(metrics.failures),
          note: metrics.timeouts === 0 ? undefined : pluralize(metrics.timeouts, 'timeout'),
          tone: metrics.failures > 0 ? 'bad' : undefined,
        },
        {
          label: 'Time',
          value: duration(metrics.wallMs),
          note: `${duration(metrics.callMs)} in calls`,
        },
        { label: 'Latency p50', value: duration(metrics.p50Ms) },
        { label: 'Latency p95', value: duration(metrics.p95Ms) },
        { label: 'Truncated', value: count(metrics.truncations) },
        tokens === undefined
          ? undefined
          : {
              label: 'Tokens',
              value: compact(tokens.total),
              note: tokens.isEstimate ? 'estimated' : undefined,
            },
      ]}
    />
  )
}

function FeedbackPanel({ attempt }: { attempt: AttemptFacts }) {
  const { feedback, expectations } = attempt
  if (feedback === undefined) {
    return (
      <Panel title="Outcome">
        <p class="empty">No feedback was given.</p>
      </Panel>
    )
  }
  const basis = feedback.basis === 'hypothesis' ? ' (hypothesis)' : ''
  return (
    <Panel
      title="Outcome"
      note={feedback.at === undefined ? undefined : formatInstant(feedback.at)}
    >
      <div class="body" style={{ display: 'grid', gap: '10px' }}>
        <TextBox label="Result" content={feedback.result} />
        <div class="chips">
          {feedback.classification === undefined ? null : (
            <Badge tone="accent">{humanize(feedback.classification) + basis}</Badge>
          )}
          {feedback.tags.map((tag) => (
            <Badge key={tag}>{humanize(tag)}</Badge>
          ))}
        </div>
        {expectations === undefined ? null : (
          <p class={expectations.ok ? 'good-ink' : 'bad-ink'}>
            {expectations.ok
              ? 'Meets the expectations of the suite.'
              : 'Does not meet the expectations of the suite:'}
          </p>
        )}
        {expectations?.failures.map(({ code, message }) => (
          <p class="small" key={code + message}>
            <span class="mono">{code}</span> {message}
          </p>
        ))}
      </div>
    </Panel>
  )
}
