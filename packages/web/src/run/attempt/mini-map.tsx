// All calls of an attempt in one strip, however many: a stroke for each, as high as it took long.
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { CallFacts } from '../../data/data.ts'
import { colourNow, useThemeChanges } from '../../theme.tsx'

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
    const [place, element] = [box.current, canvas.current]
    if (place === null || element === null) return
    const paint = (): void => draw(element, place, calls, total)
    const watch = new ResizeObserver(paint)
    watch.observe(place)
    return () => watch.disconnect()
  }, [calls, total, theme])
  const pick = (event: MouseEvent): void => {
    const width = box.current?.clientWidth ?? 1
    onPick(nearest(calls, (total * event.offsetX) / width))
  }
  // Everything it offers is in the list below as well.
  return (
    <div ref={box} class="minimap" aria-hidden="true" onClick={pick}>
      <canvas ref={canvas} />
      <div ref={windowRef} class="window" />
    </div>
  )
}

/** Moves the frame around what the list shows; outside of rendering, it happens on every scroll. */
export function showWindow(
  frame: HTMLDivElement | null,
  calls: CallFacts[],
  first: number,
  last: number,
  total: number,
): void {
  const [from, to] = [calls[first], calls[Math.min(last, calls.length) - 1]]
  if (frame === null || from === undefined || to === undefined) return
  frame.hidden = first === 0 && last >= calls.length
  frame.style.left = `${(100 * from.at) / total}%`
  frame.style.width = `${(100 * Math.max(0, to.at + to.ms - from.at)) / total}%`
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
  const longest = calls.reduce((most, { ms }) => Math.max(most, ms), 1)
  const heightOf = (ms: number): number =>
    Math.max(3 * scale, (Math.log1p(ms) / Math.log1p(longest)) * (height - 8 * scale))
  context.globalAlpha = 0.8
  for (const isFailed of [false, true]) {
    context.fillStyle = colourNow(box, isFailed ? 'var(--bad)' : 'var(--bar)')
    for (const { at, ms, code } of calls) {
      if ((code !== undefined) !== isFailed) continue
      const x = (at / total) * width
      const wide = Math.max(1.5 * scale, (ms / total) * width)
      const high = heightOf(ms)
      context.fillRect(x, height - high, wide, high)
    }
  }
}

function nearest(calls: CallFacts[], at: number): number {
  let best = calls[0]
  for (const call of calls) {
    if (best === undefined || distance(call, at) < distance(best, at)) best = call
  }
  return best?.line ?? 0
}

function distance(call: CallFacts, at: number): number {
  if (at < call.at) return call.at - at
  return Math.max(0, at - call.at - call.ms)
}
