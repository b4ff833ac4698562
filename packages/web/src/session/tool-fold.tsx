// A folded tool call: input or diff, and result.
import type { DiffFacts, DiffLine, ToolFacts } from '../data/data.ts'
import { TextBox } from '../widgets/widgets.tsx'
import { count, dollars, duration } from '../format.ts'
import { useState } from 'preact/hooks'

/** Renders its contents when it is opened: a session may hold ten thousand calls. */
export function ToolFold({ tool }: { tool: ToolFacts }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="name">{tool.name}</span>
        <span class="cut mono">{tool.title}</span>
        {tool.diff === undefined ? null : (
          <span class="small nowrap">
            <span class="good-ink">+{tool.diff.added}</span>{' '}
            <span class="bad-ink">−{tool.diff.removed}</span>
          </span>
        )}
        {tool.ms === undefined ? null : <span class="small quiet nowrap">{duration(tool.ms)}</span>}
        {tool.costUsd === undefined ? null : (
          <span class="small quiet nowrap">{dollars(tool.costUsd)}</span>
        )}
        <Mark tool={tool} />
      </summary>
      {isOpen ? <Inside tool={tool} /> : null}
    </details>
  )
}

function Inside({ tool }: { tool: ToolFacts }) {
  return (
    <div class="inside">
      {tool.diff === undefined ? (
        <>
          <h3>Input</h3>
          <TextBox label="Input" content={tool.input} />
        </>
      ) : (
        <Diff diff={tool.diff} />
      )}
      {tool.result === undefined || isResultRedundant(tool) ? null : (
        <>
          <h3>Result</h3>
          <TextBox label="Result" content={tool.result} />
        </>
      )}
    </div>
  )
}

/** The diff already shows a successful change. */
function isResultRedundant({ diff, ok }: ToolFacts): boolean {
  return diff !== undefined && ok === true
}

function Mark({ tool: { ok, exit } }: { tool: ToolFacts }) {
  if (ok === undefined) return <span class="flag warn">no result</span>
  if (exit !== undefined) return <span class="flag bad">exit {exit}</span>
  return ok ? <span class="flag good">ok</span> : <span class="flag bad">failed</span>
}

const classes: Readonly<Record<DiffLine['mark'], string>> = {
  ' ': 'same',
  '+': 'add',
  '-': 'del',
  '…': 'gap',
}

function Diff({ diff }: { diff: DiffFacts }) {
  return (
    <>
      <h3 class="mono">{diff.path}</h3>
      <div class="diff" tabIndex={0} role="group" aria-label={`Changes to ${diff.path}`}>
        {diff.lines.map(({ mark, text }, index) => (
          <div key={index} class={classes[mark]}>
            {mark === '+' ? <span class="hidden">added: </span> : null}
            {mark === '-' ? <span class="hidden">removed: </span> : null}
            {text === '' ? ' ' : text}
          </div>
        ))}
      </div>
      {diff.linesLeftOut === 0 ? null : (
        <p class="small quiet">{count(diff.linesLeftOut)} more lines are not on this page.</p>
      )}
    </>
  )
}
