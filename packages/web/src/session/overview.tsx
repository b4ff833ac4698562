// What a session changed, and how its context grew.
import { useMemo } from 'preact/hooks'
import type { SessionPage, TurnFacts } from '../data/data.ts'
import { compact, count, pluralize } from '../format.ts'
import { Panel, Plot } from '../widgets/widgets.tsx'

interface ChangedFile {
  path: string
  added: number
  removed: number
  edits: number
}

const maxFiles = 200

interface OverviewProps extends Pick<SessionPage, 'context'> {
  turns: readonly TurnFacts[]
}

export function Overview({ turns, context }: OverviewProps) {
  const files = useMemo(() => changedFiles(turns), [turns])
  const { x, series } = useMemo(() => contextSeries(context), [context])
  if (files.length === 0 && x.length < 2) return null
  return (
    <div class="pair">
      {files.length === 0 ? null : (
        <Panel title="Files changed" note={pluralize(files.length, 'file')}>
          <div class="scroll" tabIndex={0} role="group" aria-label="Files changed">
            <table>
              <tbody>
                {files.slice(0, maxFiles).map(({ path, added, removed, edits }) => (
                  <tr key={path}>
                    <th scope="row" class="mono">
                      {path}
                    </th>
                    <td class="num quiet">{pluralize(edits, 'edit')}</td>
                    <td class="num good-ink">+{count(added)}</td>
                    <td class="num bad-ink">−{count(removed)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {files.length <= maxFiles ? null : (
            <p class="empty">{count(files.length - maxFiles)} more files are not listed here.</p>
          )}
        </Panel>
      )}
      {x.length < 2 ? null : (
        <Panel title="Context" note="input tokens of each answer">
          <Plot
            label={`Context of ${x.length} answers, up to ${compact(Math.max(...context))} tokens`}
            x={x}
            series={series}
            xName="answer"
            yName="input tokens"
            formatX={(value) => (Number.isInteger(value) ? String(value) : '')}
            formatY={compact}
          />
        </Panel>
      )}
    </div>
  )
}

function contextSeries(context: readonly number[] = []) {
  const values = [...context]
  const x = values.map((_, index) => index + 1)
  const series = [
    { label: 'input tokens', colour: 'var(--accent)', values, shape: 'steps' as const },
  ]
  return { x, series }
}

/** Sums the successful changes by file, in the order of the first change. */
function changedFiles(turns: readonly TurnFacts[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  for (const { entries } of turns) {
    for (const entry of entries) {
      if (entry.type !== 'tool' || entry.diff === undefined || entry.ok !== true) continue
      const { path, added, removed } = entry.diff
      const file = files.get(path) ?? { path, added: 0, removed: 0, edits: 0 }
      files.set(path, file)
      file.added += added
      file.removed += removed
      file.edits++
    }
  }
  return [...files.values()]
}
