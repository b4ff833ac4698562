// The steps of a trajectory in order; steps of sub-calls are indented.
import { useMemo, useState } from 'preact/hooks'
import type { StepFacts, TrajectoryPage } from '../data/data.ts'
import { Empty, Panel, Segments, VirtualList, useIsNarrow } from '../widgets/widgets.tsx'
import { count, pluralize, duration } from '../format.ts'

type Filter = 'all' | 'errors' | 'events'

export function StepList(props: {
  page: TrajectoryPage
  selected: number
  onSelect(line: number): void
}) {
  const { page, selected, onSelect } = props
  const [filter, setFilter] = useState<Filter>('all')
  const isNarrow = useIsNarrow()
  const shown = useMemo(() => filterSteps(page.steps, filter), [page.steps, filter])
  const tools = (
    <Segments<Filter>
      label="Filter steps"
      value={filter}
      onChange={setFilter}
      options={[
        { value: 'all', label: 'All' },
        { value: 'errors', label: `Errors ${page.totals.errors}` },
        { value: 'events', label: 'Events' },
      ]}
    />
  )
  return (
    <div id="steps" class="list">
      <Panel title="Steps" note={stepsNote(page)} tools={tools} class="long">
        {shown.length === 0 ? (
          <Empty>{page.steps.length === 0 ? 'The trace is empty.' : 'No matching steps.'}</Empty>
        ) : (
          <VirtualList
            label="Steps in order"
            count={shown.length}
            items={shown}
            rowHeight={isNarrow ? 52 : 30}
            selected={shown.findIndex(({ line }) => line === selected)}
            onSelect={(index) => onSelect(shown[index]?.line ?? 0)}
            rowClass={(index) => rowClass(shown[index])}
            rowStyle={(index) => ({ '--depth': String(Math.min(shown[index]?.depth ?? 0, 8)) })}
            row={(index) => <StepRow step={shown[index]} />}
          />
        )}
      </Panel>
    </div>
  )
}

function StepRow({ step }: { step: StepFacts | undefined }) {
  if (step === undefined) return null
  return (
    <>
      <span class="line">{step.line}</span>
      <span class="name cut">{step.name}</span>
      <span class="what cut" title={step.title}>
        {step.title}
      </span>
      <span class="num quiet count">
        {step.count === undefined ? '' : `${count(step.count)} found`}
      </span>
      <span class="num ms">{step.ms === undefined ? '' : duration(step.ms)}</span>
      <span class="flags">
        {step.ok === false ? <span class="flag bad">error</span> : null}
        {step.truncated === true ? <span class="flag warn">cut</span> : null}
      </span>
    </>
  )
}

function rowClass(step: StepFacts | undefined): string {
  const failed = step?.ok === false ? ' failed' : ''
  return `step ${step?.kind === 'request' ? '' : 'event'}${failed}`
}

function filterSteps(steps: StepFacts[], filter: Filter): StepFacts[] {
  if (filter === 'all') return steps
  return steps.filter(({ ok, kind }) => (filter === 'errors' ? ok === false : kind !== 'request'))
}

function stepsNote({ steps, stepsLeftOut }: TrajectoryPage): string {
  const all = pluralize(steps.length, 'step')
  return stepsLeftOut === 0 ? all : `${all}; ${count(stepsLeftOut)} more are not on this page`
}
