// A list in the flow of the page, or of a box that scrolls, whose rows have different heights. It renders
// only the rows near the visible part. Padding stands for the others, by estimate until they are measured.
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { scrollToEnd, useEdgeKeys } from './edge-keys.ts'
import { usePrinting } from './printing.ts'
import { RowOffsets } from './row-offsets.ts'

export interface FlowListProps {
  count: number
  /** The source of the rows; a new value drops the measured heights. */
  items: unknown
  estimate(index: number): number
  /** One element with a key. */
  row(index: number): ComponentChildren
  /** Scrolls to this row whenever the object is a new one. */
  target?: { index: number } | undefined
  /** The box that scrolls; without it, the window. */
  scroller?: RefObject<HTMLElement | null>
  as?: 'div' | 'ol'
}

/** Shorter lists render all rows, so that the browser's own search finds their text. */
const maxWholeRows = 40
/** Pixels beyond the visible part that are rendered, too. */
const overscan = 500
/** Height of the bar that covers the top of the window, with a gap. */
const topBar = 60

export function FlowList(props: FlowListProps) {
  const { count, items, estimate, row, target, scroller, as: Element = 'div' } = props
  const box = useRef<HTMLElement>(null)
  const rows = useMemo(() => new RowOffsets(count, estimate), [items, count])
  const [range, setRange] = useState({ from: 0, to: 0, height: 0 })
  const isWhole = usePrinting() || count <= maxWholeRows
  const from = isWhole ? 0 : Math.min(range.from, count)
  const to = isWhole ? count : Math.min(range.to, count)

  const isAtEnd = useEdgeKeys(box, scroller === undefined)

  /** The visible part: its top in the list, and its height. */
  const visiblePart = () => {
    const frame = scroller?.current
    const frameTop = frame?.getBoundingClientRect().top ?? topBar
    const top = frameTop - (box.current?.getBoundingClientRect().top ?? 0)
    return { top, height: frame?.clientHeight ?? window.innerHeight - topBar }
  }
  const update = (): void => {
    const { top, height } = visiblePart()
    const next = {
      from: rows.indexAt(top - overscan),
      to: rows.indexAt(top + height + overscan) + 1,
      height: rows.total,
    }
    setRange((now) =>
      now.from === next.from && now.to === next.to && now.height === next.height ? now : next,
    )
  }
  /** Keeps the first visible row in its place when rows above it turn out higher than estimated. */
  const measure = (): void => {
    if (isWhole || box.current === null) return
    // Browsers round scroll positions to whole pixels.
    const first = rows.indexAt(visiblePart().top + 1)
    let shift = 0
    for (const [at, element] of [...box.current.children].entries()) {
      const index = from + at
      const difference = rows.setHeight(index, element.getBoundingClientRect().height)
      if (index < first) shift += difference
    }
    if (isAtEnd()) scrollToEnd()
    else if (shift !== 0)
      (scroller?.current ?? window).scrollBy({ top: shift, behavior: 'instant' })
    update()
  }

  useLayoutEffect(() => {
    const frame = scroller?.current ?? window
    update()
    frame.addEventListener('scroll', update, { passive: true })
    window.addEventListener('resize', update)
    return () => {
      frame.removeEventListener('scroll', update)
      window.removeEventListener('resize', update)
    }
  }, [rows])
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    for (const element of box.current?.children ?? []) observer.observe(element)
    return () => observer.disconnect()
  }, [rows, from, to, isWhole])
  useLayoutEffect(() => {
    if (target === undefined || target.index < 0) return
    if (isWhole) return box.current?.children[target.index]?.scrollIntoView()
    const top = rows.offset(target.index) - visiblePart().top
    ;(scroller?.current ?? window).scrollBy({ top, behavior: 'instant' })
  }, [target])

  const shown = []
  for (let index = from; index < to; index++) shown.push(row(index))
  return (
    <Element
      ref={box as RefObject<HTMLDivElement & HTMLOListElement>}
      class="flow"
      style={{
        paddingTop: `${rows.offset(from)}px`,
        paddingBottom: `${isWhole ? 0 : rows.total - rows.offset(to)}px`,
      }}
    >
      {shown}
    </Element>
  )
}
