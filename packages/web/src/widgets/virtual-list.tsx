// A list that renders only its visible rows. It is one tab stop; arrow keys, Page Up, Page Down, Home and
// End move the selection. Printing renders up to 2,000 rows.
import { Component, type ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { usePrinting } from './printing.ts'

export interface VirtualListProps {
  label: string
  count: number
  /** The source of the rows; a new value rerenders them. */
  items: unknown
  rowHeight: number
  /** Index of the selected row, or -1. */
  selected: number
  onSelect(index: number): void
  /** Called with the visible rows. */
  onRange?(first: number, last: number): void
  row(index: number): ComponentChildren
  rowClass(index: number): string
  rowStyle?(index: number): Record<string, string>
}

const overscan = 8
const maxPrintedRows = 2000

export function VirtualList(props: VirtualListProps) {
  const { label, count, rowHeight, selected, onRange } = props
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ first: 0, last: 40 })
  const isPrinting = usePrinting()
  const measure = (): void => {
    const element = box.current
    if (element === null) return
    const first = Math.floor(element.scrollTop / rowHeight)
    const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight)
    setView((before) => (before.first === first && before.last === last ? before : { first, last }))
    onRange?.(first, Math.min(last, count))
  }
  useLayoutEffect(measure, [count, rowHeight])
  useEffect(() => {
    if (selected >= 0) scrollIntoView(box.current, selected, rowHeight)
  }, [selected, rowHeight])
  const from = isPrinting ? 0 : Math.max(0, view.first - overscan)
  const to = isPrinting ? Math.min(count, maxPrintedRows) : Math.min(count, view.last + overscan)
  // Keys repeat after the number of visible rows, so elements that scroll out are reused.
  const pool = Math.max(1, to - from)
  const rows = []
  for (let index = from; index < to; index++) {
    rows.push(<Row key={index % pool} index={index} isSelected={index === selected} list={props} />)
  }
  const isShown = selected >= from && selected < to
  return (
    <div
      ref={box}
      class="rows"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={isShown ? `row-${selected}` : undefined}
      style={{ height: isPrinting ? 'auto' : `min(64vh, 640px, ${count * rowHeight}px)` }}
      onScroll={measure}
      onKeyDown={(event) => moveSelection(event, props, box.current)}
    >
      <div role="presentation" style={{ height: `${(isPrinting ? to : count) * rowHeight}px` }}>
        {rows}
      </div>
    </div>
  )
}

interface RowProps {
  index: number
  isSelected: boolean
  list: VirtualListProps
}

/** Skips updates of unchanged rows: scrolling leaves most rows as they are. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { index, isSelected, list } = this.props
    return (
      next.index !== index ||
      next.isSelected !== isSelected ||
      next.list.items !== list.items ||
      next.list.rowHeight !== list.rowHeight
    )
  }

  override render({ index, isSelected, list }: RowProps) {
    return (
      <div
        id={`row-${index}`}
        role="option"
        aria-selected={isSelected}
        aria-setsize={list.count}
        aria-posinset={index + 1}
        class={`row ${list.rowClass(index)}`}
        style={{ top: `${index * list.rowHeight}px`, ...list.rowStyle?.(index) }}
        onClick={() => list.onSelect(index)}
      >
        {list.row(index)}
      </div>
    )
  }
}

function moveSelection(
  event: KeyboardEvent,
  props: VirtualListProps,
  box: HTMLElement | null,
): void {
  const { count, rowHeight, selected } = props
  const page = Math.max(1, Math.floor((box?.clientHeight ?? 0) / rowHeight) - 1)
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: selected + 1,
    ArrowUp: selected - 1,
    PageDown: selected + page,
    PageUp: selected - page,
    Home: 0,
    End: count - 1,
  }
  const next = steps[event.key]
  if (next === undefined || count === 0) return
  event.preventDefault()
  props.onSelect(Math.min(count - 1, Math.max(0, next)))
}

function scrollIntoView(box: HTMLElement | null, index: number, rowHeight: number): void {
  if (box === null) return
  const top = index * rowHeight
  const isAbove = top < box.scrollTop
  const isBelow = top + rowHeight > box.scrollTop + box.clientHeight
  if (isAbove || isBelow) box.scrollTop = Math.max(0, top - box.clientHeight / 2 + rowHeight)
}
