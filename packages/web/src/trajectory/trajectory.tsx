// The page of a retrieval trajectory: steps, the part of the corpus they touched, claims and budgets.
import { useState } from 'preact/hooks'
import type { BudgetFacts, StepFacts, TrajectoryPage } from '../data/data.ts'
import { Badge, Empty, Panel, Stats, TextBox } from '../widgets/widgets.tsx'
import { replaceRoute } from '../page/page.ts'
import { bytes, count, pluralize, duration, formatInstant } from '../format.ts'
import { ClaimsPanel } from './claims.tsx'
import { CorpusPanel } from './corpus.tsx'
import { StepList } from './step-list.tsx'

export function TrajectoryView({ page, line }: { page: TrajectoryPage; line: number }) {
  const [selected, setSelected] = useState(Number.isInteger(line) ? line : 0)
  const select = (next: number): void => {
    setSelected(next)
    replaceRoute('step', next)
  }
  const jump = (next: number): void => {
    select(next)
    document.getElementById('steps')?.scrollIntoView({ block: 'nearest' })
  }
  const step = page.steps.find((each) => each.line === selected)
  return (
    <>
      <div class="head">
        <h1>{page.log.slice(page.log.lastIndexOf('/') + 1)}</h1>
      </div>
      <p class="facts">
        <span class="mono">{page.log}</span>
        {page.root === undefined ? null : (
          <span>
            read from <span class="mono">{page.root}</span>
          </span>
        )}
        <span>{formatInstant(page.startedAt)}</span>
        {page.badLines === 0 ? null : (
          <span class="warn-ink">{pluralize(page.badLines, 'line')} could not be read</span>
        )}
      </p>
      <Totals page={page} />
      <div class="columns">
        <div>
          <StepList page={page} selected={selected} onSelect={select} />
          <CorpusPanel page={page} onJump={jump} />
        </div>
        <div>
          <StepDetail step={step} />
          <BudgetPanel budgets={page.budgets} />
          <ClaimsPanel claims={page.claims} isChecked={page.root !== undefined} onJump={jump} />
        </div>
      </div>
    </>
  )
}

function Totals({ page }: { page: TrajectoryPage }) {
  const { totals } = page
  return (
    <Stats
      items={[
        {
          label: 'Requests',
          value: count(totals.requests),
          note: totals.truncated === 0 ? undefined : `${totals.truncated} truncated`,
        },
        {
          label: 'Errors',
          value: count(totals.errors),
          tone: totals.errors > 0 ? 'bad' : undefined,
        },
        {
          label: 'Files read',
          value: count(totals.filesRead),
          note:
            page.files.length === 0
              ? undefined
              : `of ${count(page.files.length + page.filesLeftOut)}`,
        },
        { label: 'Lines read', value: count(totals.linesRead) },
        { label: 'Scanned', value: bytes(totals.bytesRead) },
        { label: 'Time', value: duration(totals.ms) },
        totals.subcalls === 0
          ? undefined
          : { label: 'Sub-calls', value: count(totals.subcalls), note: `${totals.deepest} deep` },
      ]}
    />
  )
}

function BudgetPanel({ budgets }: { budgets: BudgetFacts[] }) {
  if (budgets.length === 0) return null
  return (
    <Panel title="Budget" note="used and limit">
      <ul class="bars body">
        {budgets.map(({ name, used, limit }) => {
          const share = limit === undefined || limit === 0 ? 0 : Math.min(1, used / limit)
          const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : ''
          return (
            <li key={name}>
              <span>{name}</span>
              <span class="meter" aria-hidden="true">
                <i class={tone} style={{ width: `${100 * share}%` }} />
              </span>
              <span class="num">
                {count(used)}
                {limit === undefined ? null : <span class="quiet"> of {count(limit)}</span>}
              </span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

function StepDetail({ step }: { step: StepFacts | undefined }) {
  if (step === undefined) {
    return (
      <Panel title="Step" class="detail">
        <Empty>Select a step to see its request and result.</Empty>
      </Panel>
    )
  }
  const facts: [string, string | undefined][] = [
    ['id', step.id],
    ['at', step.at === undefined ? undefined : formatInstant(step.at)],
    ['took', step.ms === undefined ? undefined : duration(step.ms)],
    ['scanned', step.bytes === undefined ? undefined : bytes(step.bytes)],
    ['found', step.count === undefined ? undefined : count(step.count)],
    ['redacted', step.redacted?.join(', ')],
  ]
  return (
    <Panel
      title={`${step.name}, line ${step.line}`}
      class="detail"
      tools={<StepBadge step={step} />}
    >
      <div class="body" aria-live="polite">
        <dl class="props">
          {facts.map(([name, value]) =>
            value === undefined ? null : (
              <>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </>
            ),
          )}
        </dl>
        {step.error === undefined ? null : <p class="bad-ink">{step.error}</p>}
        <TextBox label="Request" content={{ text: step.details }} />
      </div>
    </Panel>
  )
}

function StepBadge({ step }: { step: StepFacts }) {
  if (step.ok === false) return <Badge tone="bad">error</Badge>
  if (step.truncated === true) return <Badge tone="warn">truncated</Badge>
  return step.ok === true ? <Badge tone="good">ok</Badge> : null
}
