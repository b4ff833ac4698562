// Folded entries: a tool call with its input or diff and its result, and the model's thinking.
import type { ComponentChildren } from 'preact'
import type { DiffLine, ToolFacts, ToolTexts } from '../data/data.ts'
import { TextBox } from '../widgets/widgets.tsx'
import { usePageLoaded } from '../page/page.ts'
import { count, dollars, duration } from '../format.ts'
import { useState } from 'preact/hooks'
import { ColouredCode } from './coloured-code.tsx'
import type { TextsOf } from './filter.ts'

/** Places of the entries that the reader has opened; they stay open while they are out of view. */
export type OpenPlaces = Set<string>

interface FoldProps {
  place: string
  opened: OpenPlaces
  summary: ComponentChildren
  /** Called when it is open: a session may hold ten thousand calls. */
  inside(): ComponentChildren
}

function Fold({ place, opened, summary, inside }: FoldProps) {
  const [isOpen, setOpen] = useState(opened.has(place))
  const toggle = (isNowOpen: boolean): void => {
    if (isNowOpen) opened.add(place)
    else opened.delete(place)
    setOpen(isNowOpen)
  }
  return (
    <details class="fold" open={isOpen} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen ? <div class="inside">{inside()}</div> : null}
    </details>
  )
}

export type FoldPlace = Pick<FoldProps, 'place' | 'opened'>

export function ThinkingFold({ text, ...at }: FoldPlace & { text: string }) {
  const summary = (
    <>
      <span class="name">Thinking</span>
      <span class="cut">{text.trim().slice(0, 160)}</span>
    </>
  )
  return <Fold {...at} summary={summary} inside={() => <pre class="soft">{text}</pre>} />
}

export function ToolFold(props: FoldPlace & { tool: ToolFacts; textsOf: TextsOf }) {
  const { tool, textsOf, ...at } = props
  const summary = (
    <>
      <span class="name">{tool.name}</span>
      <span class="cut mono">{tool.title}</span>
      {tool.diff === undefined ? null : (
        <span class="small nowrap">
          <span class="good-ink">+{tool.diff.added}</span>{' '}
          <span class="bad-ink">−{tool.diff.removed}</span>
        </span>
      )}
      {tool.ms === undefined ? null : <span class="small quiet nowrap">{took(tool.ms)}</span>}
      {tool.costUsd === undefined ? null : (
        <span class="small quiet nowrap">{dollars(tool.costUsd)}</span>
      )}
      <Mark tool={tool} />
    </>
  )
  const inside = () => <ToolInside tool={tool} textsOf={textsOf} />
  return <Fold {...at} summary={summary} inside={inside} />
}

/** The times of a session are whole seconds. */
function took(ms: number): string {
  return ms === 0 ? '< 1 s' : duration(ms)
}

function ToolInside({ tool, textsOf }: { tool: ToolFacts; textsOf: TextsOf }) {
  usePageLoaded()
  const texts = textsOf(tool)
  if (texts === undefined) return <p class="small quiet">This part of the page is loading.</p>
  return (
    <>
      {tool.diff === undefined ? (
        <>
          <h3>Input</h3>
          <TextBox label="Input" content={texts.input} />
        </>
      ) : (
        <Diff path={tool.diff.path} texts={texts} />
      )}
      {texts.result === undefined || isResultRedundant(tool) ? null : (
        <>
          <h3>Result</h3>
          <TextBox label="Result" content={texts.result} />
        </>
      )}
    </>
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

function Diff({ path, texts }: { path: string; texts: ToolTexts }) {
  const { lines = [], linesLeftOut = 0 } = texts
  return (
    <>
      <h3 class="mono">{path}</h3>
      <div class="diff" tabIndex={0} role="group" aria-label={`Changes to ${path}`}>
        {lines.map(({ mark, text, colours }, index) => (
          <div key={index} class={classes[mark]}>
            {mark === '+' ? <span class="hidden">added: </span> : null}
            {mark === '-' ? <span class="hidden">removed: </span> : null}
            {text === '' ? ' ' : <ColouredCode text={text} colours={colours} />}
          </div>
        ))}
      </div>
      {linesLeftOut === 0 ? null : (
        <p class="small quiet">{count(linesLeftOut)} more lines are not on this page.</p>
      )}
    </>
  )
}
