// Call latency: a logarithmic histogram, and the slowest operations.
import { useMemo } from 'preact/hooks'
import type { CallFacts } from '../../data/data.ts'
import { Panel, Plot } from '../../widgets/widgets.tsx'
import { compact, count, duration } from '../../format.ts'

/** Hidden for fewer than two calls. */
export function LatencyPanel({ calls }: { calls: CallFacts[] }) {
  return calls.length < 2 ? null : <Latency calls={calls} />
}

function Latency({ calls }: { calls: CallFacts[] }) {
  const plot = useMemo(() => histogram(calls), [calls])
  const operations = useMemo(() => operationRows(calls), [calls])
  return (
    <Panel title="Latency" note="number of calls by duration" class="late">
      <Plot
        label={`Histogram of call durations; ${count(calls.length)} calls`}
        x={plot.x}
        series={plot.series}
        xName="duration of a call"
        yName="calls"
        formatX={(value) => (Number.isInteger(value) ? duration(10 ** value) : '')}
        formatY={compact}
        height={150}
      />
      <div class="scroll" tabIndex={0} role="group" aria-label="Latency by operation">
        <table>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" class="num">
                Calls
              </th>
              <th scope="col" class="num">
                Failed
              </th>
              <th scope="col" class="num">
                p50
              </th>
              <th scope="col" class="num">
                Max
              </th>
              <th scope="col" class="num">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {operations.map((each) => (
              <tr key={each.name}>
                <th scope="row" class="mono">
                  {each.name}
                </th>
                <td class="num">{count(each.calls)}</td>
                <td class="num">
                  {each.failed === 0 ? '–' : <span class="bad-ink">{count(each.failed)}</span>}
                </td>
                <td class="num">{duration(each.median)}</td>
                <td class="num">{duration(each.longest)}</td>
                <td class="num">{duration(each.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

const binsPerDecade = 4

function histogram(calls: CallFacts[]) {
  const bins = new Map<number, number>()
  for (const { ms } of calls) {
    const bin = Math.floor(Math.log10(Math.max(1, ms)) * binsPerDecade)
    bins.set(bin, (bins.get(bin) ?? 0) + 1)
  }
  const first = Math.min(...bins.keys())
  const last = Math.max(...bins.keys(), first + binsPerDecade)
  const x: number[] = []
  const values: number[] = []
  for (let bin = first - 1; bin <= last + 1; bin++) {
    x.push((bin + 0.5) / binsPerDecade)
    values.push(bins.get(bin) ?? 0)
  }
  return { x, series: [{ label: 'calls', colour: 'var(--bar)', shape: 'bars' as const, values }] }
}

const maxOperations = 12

function operationRows(calls: CallFacts[]) {
  const groups = new Map<string, CallFacts[]>()
  for (const call of calls) {
    const name = operationName(call)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [call])
    else group.push(call)
  }
  const rows = [...groups].map(([name, group]) => {
    const times = group.map(({ ms }) => ms).sort((a, b) => a - b)
    return {
      name,
      calls: group.length,
      failed: group.filter(({ code }) => code !== undefined).length,
      median: times[Math.floor((times.length - 1) / 2)] ?? 0,
      longest: times.at(-1) ?? 0,
      total: times.reduce((sum, each) => sum + each, 0),
    }
  })
  return rows.sort((a, b) => b.total - a.total).slice(0, maxOperations)
}

/** The program of a command line, otherwise tool and operation. */
function operationName({ tool, op, title }: CallFacts): string {
  return tool === 'cli' ? (title.split(' ', 1)[0] ?? op) : `${tool} ${op}`
}
