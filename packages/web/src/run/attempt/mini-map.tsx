// A strip with one bar per call of an attempt; the height grows with the duration (log scale).
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { CallFacts } from '../../data/data.ts'
import { resolveColour, useThemeChanges } from '../../theme.tsx'

export interface MiniMapProps {
  calls: CallFacts[]
  total: number
  windowRef: RefObject<HTMLDivElement | null>
  onPick(line: number): void
}

export function MiniMap({ calls, total, windowRef, onPick }: MiniMapProps) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useThemeChanges()
  useLayoutEffect(() => {
    const [container, element] = [box.current, canvas.current]
    if (container === null || element === null) return
    const observer = new ResizeObserver(() => draw(element, container, calls, total))
    observer.observe(container)
    return () => observer.disconnect()
  }, [calls, total, theme])
  const pick = (event: MouseEvent): void => {
    const width = box.current?.clientWidth ?? 1
    onPick(nearestLine(calls, (total * event.offsetX) / width))
  }
  // Hidden from assistive technology: the list below offers the same.
  return (
    <div ref={box} class="minimap" aria-hidden="true" onClick={pick}>
      <canvas ref={canvas} />
      <div ref={windowRef} class="window" />
    </div>
  )
}

/** Moves the frame to the visible rows. Bypasses rendering, because it runs on every scroll. */
export function moveWindow(
  frame: HTMLDivElement | null,
  visible: readonly CallFacts[],
  isEveryCall: boolean,
  total: number,
): void {
  if (frame === null || visible.length === 0) return
  const from = visible.reduce((first, { at }) => Math.min(first, at), Infinity)
  const to = visible.reduce((last, { at, ms }) => Math.max(last, at + ms), 0)
  frame.hidden = isEveryCall
  frame.style.left = `${(100 * from) / total}%`
  frame.style.width = `${(100 * Math.max(0, to - from)) / total}%`
}

function draw(
  element: HTMLCanvasElement,
  box: HTMLElement,
  calls: CallFacts[],
  total: number,
): void {
  const scale = window.devicePixelRatio
  const [width, height] = [box.clientWidth * scale, box.clientHeight * scale]
  element.width = width
  element.height = height
  const context = element.getContext('2d')
  if (context === null) return
  const longest = calls.reduce((max, { ms }) => Math.max(max, ms), 1)
  const heightOf = (ms: number): number =>
    Math.max(3 * scale, (Math.log1p(ms) / Math.log1p(longest)) * (height - 8 * scale))
  context.globalAlpha = 0.8
  for (const isFailed of [false, true]) {
    context.fillStyle = resolveColour(box, isFailed ? 'var(--bad)' : 'var(--bar)')
    for (const { at, ms, code } of calls) {
      if ((code !== undefined) !== isFailed) continue
      const x = (at / total) * width
      const wide = Math.max(1.5 * scale, (ms / total) * width)
      const high = heightOf(ms)
      context.fillRect(x, height - high, wide, high)
    }
  }
}

function nearestLine(calls: CallFacts[], time: number): number {
  let best = calls[0]
  for (const call of calls) {
    if (best === undefined || distance(call, time) < distance(best, time)) best = call
  }
  return best?.line ?? 0
}

function distance(call: CallFacts, time: number): number {
  if (time < call.at) return call.at - time
  return Math.max(0, time - call.at - call.ms)
}
