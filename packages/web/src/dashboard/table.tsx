// A table that renders only its visible rows, with a tick per row. j and k move, x ticks, Enter opens, f goes
// to the next row with a failure.
import { Component, type ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useIsNarrow } from '../widgets/widgets.tsx'
import { useTicks } from './api.ts'

export interface Column<Row> {
  name: string
  /** `main` grows; `wide` columns are hidden on a phone. */
  class: string
  cell(row: Row): ComponentChildren
}

export interface TableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf(row: Row): string
  hrefOf(row: Row): string
  hasFailure(row: Row): boolean
  nameOf(row: Row): string
  ticked: readonly string[]
  onTick(key: string): void
}

const overscan = 10
const minuteMs = 60_000

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, columns } = props
  const rowHeight = useIsNarrow() ? 58 : 36
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ first: 0, last: 30 })
  const [selected, setSelected] = useState(-1)
  const minute = useTicks(minuteMs)
  const measure = (): void => {
    const element = box.current
    if (element === null) return
    const first = Math.floor(element.scrollTop / rowHeight)
    const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight)
    setView((old) => (old.first === first && old.last === last ? old : { first, last }))
  }
  useLayoutEffect(measure, [rows.length, rowHeight])
  useTableKeys(props, selected, setSelected)
  useEffect(() => scrollTo(box.current, selected, rowHeight), [selected, rowHeight])
  const from = Math.max(0, view.first - overscan)
  const shown = rows.slice(from, view.last + overscan)
  return (
    <div class="grid-table" role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div class="grid-row grid-head" role="row" aria-rowindex={1}>
        <span role="columnheader" class="tick">
          <span class="hidden">Compare</span>
        </span>
        {columns.map((column) => (
          <span role="columnheader" key={column.name} class={column.class}>
            {column.name}
          </span>
        ))}
      </div>
      <div
        class="grid-body"
        role="rowgroup"
        tabIndex={0}
        aria-label={`${label}, rows`}
        ref={box}
        onScroll={measure}
      >
        <div role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
          {shown.map((row, at) => {
            const index = from + at
            const key = props.keyOf(row)
            return (
              <TableRow
                key={key}
                {...{ row, index, rowHeight, minute, select: setSelected, table: props }}
                isSelected={index === selected}
                isTicked={props.ticked.includes(key)}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface TableRowProps<Row> {
  row: Row
  index: number
  rowHeight: number
  isSelected: boolean
  isTicked: boolean
  /** Ages are given in minutes. */
  minute: number
  table: TableProps<Row>
  select(index: number): void
}

/** Skips updates of unchanged rows: a frame of scrolling brings a few new rows and leaves the others as they are. */
class TableRow<Row> extends Component<TableRowProps<Row>> {
  override shouldComponentUpdate(next: TableRowProps<Row>): boolean {
    const now = this.props
    return (
      next.row !== now.row ||
      next.index !== now.index ||
      next.rowHeight !== now.rowHeight ||
      next.isSelected !== now.isSelected ||
      next.isTicked !== now.isTicked ||
      next.minute !== now.minute
    )
  }

  override render({ row, index, rowHeight, isSelected, isTicked, table }: TableRowProps<Row>) {
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        class={`grid-row ${isSelected ? 'selected' : ''}`}
        style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
        onClick={() => this.props.select(this.props.index)}
      >
        <span role="cell" class="tick">
          <input
            type="checkbox"
            aria-label={`Tick ${table.nameOf(row)}`}
            checked={isTicked}
            onChange={() => this.props.table.onTick(table.keyOf(row))}
          />
        </span>
        {table.columns.map((column) => (
          <span role="cell" key={column.name} class={column.class} data-name={column.name}>
            {column.cell(row)}
          </span>
        ))}
      </div>
    )
  }
}

function useTableKeys<Row>(
  props: TableProps<Row>,
  selected: number,
  select: (index: number) => void,
): void {
  const latest = useRef({ props, selected })
  latest.current = { props, selected }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { props: now, selected: at } = latest.current
      if (isTyping(event) || now.rows.length === 0) return
      const row = now.rows[at]
      const bound = (index: number) => Math.min(now.rows.length - 1, Math.max(0, index))
      if (event.key === 'j') select(bound(at + 1))
      else if (event.key === 'k') select(bound(at - 1))
      else if (event.key === 'f') select(nextFailure(now, at))
      else if (event.key === 'x' && row !== undefined) now.onTick(now.keyOf(row))
      else if (event.key === 'Enter' && row !== undefined) location.href = now.hrefOf(row)
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** The next row with a failure, from the top after the last one. */
function nextFailure<Row>({ rows, hasFailure }: TableProps<Row>, selected: number): number {
  const after = rows.findIndex((row, index) => index > selected && hasFailure(row))
  if (after !== -1) return after
  const first = rows.findIndex((row) => hasFailure(row))
  return first === -1 ? selected : first
}

/** Keys belong to a focused control. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  const isControl = ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName)
  const isTick = target instanceof HTMLInputElement && target.type === 'checkbox'
  if (event.key === 'Enter')
    return target.tagName === 'A' || target.tagName === 'BUTTON' || isControl
  return isControl && !isTick
}

function scrollTo(box: HTMLElement | null, index: number, rowHeight: number): void {
  if (box === null || index < 0) return
  const top = index * rowHeight
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + rowHeight > box.scrollTop + box.clientHeight) {
    box.scrollTop = top + rowHeight - box.clientHeight
  }
}
