// Cost and tokens over time, and their sums by model, project or program.
import { useMemo, useState } from 'preact/hooks'
import type { UsageSum } from '../data/data.ts'
import { compact, count, dollars, pluralize } from '../format.ts'
import { Empty, Panel, Plot, Segments, Stats, Table } from '../widgets/widgets.tsx'
import { useAnswer } from './api.ts'

type Measure = 'cost' | 'tokens'
type Key = 'model' | 'project' | 'program' | 'day'

const maxDays = 60

export function UsageView() {
  const answer = useAnswer<{ rows: UsageSum[] }>('usage', 0)
  const [chosen, choose] = useState<Measure>()
  const [by, setBy] = useState<Key>('model')
  const rows = answer === undefined || answer instanceof Error ? [] : answer.rows
  const measure = chosen ?? (rows.some(({ costUsd }) => costUsd > 0) ? 'cost' : 'tokens')
  const days = useMemo(() => perDay(rows, measure), [rows, measure])
  const groups = useMemo(() => grouped(rows, by), [rows, by])
  if (rows.length === 0) {
    const none = 'No receipts yet: programs write them when they ask a model.'
    const problem = answer instanceof Error ? answer.message : none
    return (
      <>
        <Head />
        <Empty>{answer === undefined ? 'Loading …' : problem}</Empty>
      </>
    )
  }
  const total = sumOf(rows)
  const format = measure === 'cost' ? dollars : compact
  return (
    <>
      <Head />
      <Stats
        items={[
          { label: 'Cost', value: costText(total) },
          { label: 'Requests', value: count(total.requests) },
          { label: 'Tokens in', value: compact(total.inputTokens) },
          { label: 'Tokens out', value: compact(total.outputTokens) },
        ]}
      />
      <Panel
        title="Over time"
        note="per day, UTC"
        tools={
          <Segments
            label="What to show"
            value={measure}
            options={[
              { value: 'cost', label: 'Cost' },
              { value: 'tokens', label: 'Tokens' },
            ]}
            onChange={(value: Measure) => choose(value)}
          />
        }
      >
        <Plot
          label={`${measure} per day, ${days.names[0] ?? ''} to ${days.names.at(-1) ?? ''}`}
          x={days.x}
          series={days.series}
          xName="day"
          yName={measure === 'cost' ? 'US dollars' : 'tokens'}
          formatX={(value) => (Number.isInteger(value) ? (days.names[value]?.slice(5) ?? '') : '')}
          formatY={format}
          yMax={days.max}
        />
      </Panel>
      <Panel
        title="Sums"
        tools={
          <Segments
            label="Rows"
            value={by}
            options={(['model', 'project', 'program', 'day'] as const).map((value) => ({
              value,
              label: value,
            }))}
            onChange={(value: Key) => setBy(value)}
          />
        }
      >
        <Table
          label="Sums"
          rows={groups}
          rowKey={([name]) => name}
          columns={[
            { name: by, cell: ([name]) => (name === '' ? 'unknown' : name) },
            { name: 'requests', class: 'num wide', cell: ([, sum]) => count(sum.requests) },
            { name: 'tokens in', class: 'num', cell: ([, sum]) => count(sum.inputTokens) },
            { name: 'tokens out', class: 'num', cell: ([, sum]) => count(sum.outputTokens) },
            { name: 'cost', class: 'num', cell: ([, sum]) => costText(sum) },
          ]}
        />
        {total.unpriced === 0 ? null : (
          <p class="small quiet body">
            {count(total.unpriced)} of {pluralize(total.requests, 'request')} have no known price.
          </p>
        )}
      </Panel>
    </>
  )
}

function Head() {
  return (
    <div class="list-head">
      <h1>Usage</h1>
    </div>
  )
}

/** A request without a known price is not free. */
function costText({ costUsd, requests, unpriced }: Sum): string {
  return unpriced === requests ? '–' : dollars(costUsd)
}

type Sum = Pick<UsageSum, 'requests' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'unpriced'>

function sumOf(rows: readonly UsageSum[]): Sum {
  return rows.reduce<Sum>(
    (sum, row) => ({
      requests: sum.requests + row.requests,
      inputTokens: sum.inputTokens + row.inputTokens,
      outputTokens: sum.outputTokens + row.outputTokens,
      costUsd: sum.costUsd + row.costUsd,
      unpriced: sum.unpriced + row.unpriced,
    }),
    { requests: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0 },
  )
}

function grouped(rows: readonly UsageSum[], by: Key): [string, Sum][] {
  const names = [...new Set(rows.map((row) => row[by]))]
  const sums = names.map((name): [string, Sum] => [
    name,
    sumOf(rows.filter((row) => row[by] === name)),
  ])
  if (by === 'day') return sums.sort(([a], [b]) => (a < b ? 1 : -1))
  return sums.sort(([, a], [, b]) => b.costUsd - a.costUsd || b.inputTokens - a.inputTokens)
}

/** One bar per day from the first day with usage, at most 60 days. */
function perDay(rows: readonly UsageSum[], measure: Measure) {
  const valueOf = (row: UsageSum) =>
    measure === 'cost' ? row.costUsd : row.inputTokens + row.outputTokens
  const sums = new Map<string, number>()
  for (const row of rows) {
    if (row.day !== '') sums.set(row.day, (sums.get(row.day) ?? 0) + valueOf(row))
  }
  const known = [...sums.keys()].sort()
  const names = everyDay(known[0], known.at(-1)).slice(-maxDays)
  const values = names.map((name) => sums.get(name) ?? 0)
  const x = names.map((_, index) => index)
  const series = [{ label: measure, colour: 'var(--bar)', values, shape: 'bars' as const }]
  return { names, x, series, max: Math.max(...values, Number.MIN_VALUE) * 1.1 }
}

function everyDay(first: string | undefined, last: string | undefined): string[] {
  if (first === undefined || last === undefined) return []
  const days: string[] = []
  for (let ms = Date.parse(first); ms <= Date.parse(last); ms += 86_400_000) {
    days.push(new Date(ms).toISOString().slice(0, 10))
  }
  return days
}
