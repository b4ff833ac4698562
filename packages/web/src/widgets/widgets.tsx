// The components shared by all pages.
import type { ComponentChildren } from 'preact'
import type { PageText } from '../data/data.ts'
import { bytes } from '../format.ts'

export { FlowList } from './flow-list.tsx'
export { useIsNarrow } from './narrow.ts'
export { Plot } from './plot.tsx'
export { Table } from './table.tsx'
export { VirtualList } from './virtual-list.tsx'

export function Stats({ items }: { items: (StatItem | undefined | false)[] }) {
  return (
    <dl class="stats">
      {items.filter(isItem).map(({ label, value, note, tone }) => (
        <div class="stat" key={label}>
          <dt>{label}</dt>
          <dd class={tone === 'bad' ? 'bad-ink' : ''}>
            <span class="nowrap">{value}</span> {note === undefined ? null : <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export interface StatItem {
  label: string
  value: string
  note?: string | undefined
  tone?: 'bad' | undefined
}

function isItem(item: StatItem | undefined | false): item is StatItem {
  return item !== undefined && item !== false
}

export function Panel(props: {
  title: string
  note?: string | undefined
  tools?: ComponentChildren
  class?: string
  children: ComponentChildren
}) {
  return (
    <section class={`panel ${props.class ?? ''}`} aria-label={props.title}>
      <header>
        <h2>{props.title}</h2>
        {props.note === undefined ? null : <span class="quiet">{props.note}</span>}
        {props.tools}
      </header>
      {props.children}
    </section>
  )
}

export function Badge(props: { tone?: string; children: ComponentChildren }) {
  return <span class={`badge ${props.tone ?? ''}`}>{props.children}</span>
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

/** Preformatted text in a box that scrolls by keyboard. */
export function TextBox({ label, content }: { label: string; content: PageText }) {
  return (
    <>
      <pre class="box" tabIndex={0} role="group" aria-label={label}>
        {content.text}
      </pre>
      {content.cutBytes === undefined ? null : (
        <p class="small quiet">{bytes(content.cutBytes)} more are not on this page.</p>
      )}
    </>
  )
}

export interface Segment<Value> {
  value: Value
  label: string
}

export function Segments<Value extends string>(props: {
  label: string
  value: Value
  options: Segment<Value>[]
  onChange(value: Value): void
}) {
  return (
    <div class="segments" role="group" aria-label={props.label}>
      {props.options.map(({ value, label }) => (
        <button
          type="button"
          key={value}
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

/** A value with its interval on an axis from `from` to `to`. */
export function Interval(props: {
  from: number
  to: number
  low: number
  high: number
  value: number | undefined
  label: string
  tone?: string
}) {
  const { from, to } = props
  const toPercent = (value: number): number => (100 * (clamp(value, from, to) - from)) / (to - from)
  const left = toPercent(props.low)
  return (
    <div class={`interval ${props.tone ?? ''}`} role="img" aria-label={props.label}>
      <span class="axis" />
      {from < 0 ? <span class="zero" style={{ left: `${toPercent(0)}%` }} /> : null}
      <span class="span" style={{ left: `${left}%`, width: `${toPercent(props.high) - left}%` }} />
      {props.value === undefined ? null : (
        <span class="dot" style={{ left: `${toPercent(props.value)}%` }} />
      )}
    </div>
  )
}

function clamp(value: number, from: number, to: number): number {
  return Math.min(to, Math.max(from, value))
}
