// A uPlot canvas in the page's colours that follows the width of its container.
import { useLayoutEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { withoutRepeats } from './tick-labels.ts'
import { resolveColour, useThemeChanges } from '../theme.tsx'

export interface PlotSeries {
  label: string
  /** A CSS colour such as `var(--accent)`. */
  colour: string
  values: (number | null)[]
  shape: 'steps' | 'bars'
}

export interface PlotProps {
  /** The text alternative. */
  label: string
  x: number[]
  series: PlotSeries[]
  /** The names of the axes. */
  xName: string
  yName: string
  formatX: (value: number) => string
  formatY: (value: number) => string
  yMax?: number
  height?: number
}

export function Plot(props: PlotProps) {
  const container = useRef<HTMLDivElement>(null)
  const theme = useThemeChanges()
  useLayoutEffect(() => {
    const element = container.current
    if (element === null) return
    const plot = new uPlot(
      plotOptions(props, element),
      [props.x, ...props.series.map((s) => s.values)],
      element,
    )
    const observer = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: props.height ?? 180 })
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [props.x, props.series, theme])
  return (
    <div class="plot">
      <p class="axis-name">{props.yName}</p>
      <div ref={container} role="img" aria-label={props.label} />
      <p class="axis-name end">{props.xName}</p>
    </div>
  )
}

function plotOptions(props: PlotProps, element: HTMLElement): uPlot.Options {
  const ink = resolveColour(element, 'var(--ink-3)')
  const line = resolveColour(element, 'var(--line)')
  const axis = {
    stroke: ink,
    font: '11px system-ui',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  }
  return {
    width: Math.max(120, element.clientWidth),
    height: props.height ?? 180,
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    legend: { show: props.series.length > 1, live: false },
    scales: {
      x: { time: false, range: (_plot, low, high) => xRange(props, low, high) },
      y: { range: (_plot, _low, high) => [0, props.yMax ?? Math.max(1, high)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        values: (_plot, ticks) =>
          withoutRepeats(ticks.map((tick) => (tick === null ? '' : props.formatX(tick)))),
      },
      { ...axis, size: 52, values: (_plot, ticks) => withoutRepeats(ticks.map(props.formatY)) },
    ],
    series: [{}, ...props.series.map((series) => toSeries(series, element))],
  }
}

/** A bar is centred on its value: half a step of room keeps the first and the last one whole. */
function xRange({ x, series }: PlotProps, low: number, high: number): [number, number] {
  const [first = 0, second = first + 1] = x
  const margin = series.some(({ shape }) => shape === 'bars') ? (second - first) / 2 : 0
  return [low - margin, high + margin]
}

function toSeries({ label, colour, shape }: PlotSeries, element: HTMLElement): uPlot.Series {
  const stroke = resolveColour(element, colour)
  const { stepped, bars } = uPlot.paths
  const paths = shape === 'steps' ? stepped?.({ align: 1 }) : bars?.({ size: [0.86, 60] })
  return {
    label,
    stroke,
    width: shape === 'steps' ? 2 : 0,
    ...(shape === 'bars' ? { fill: stroke } : {}),
    points: { show: false },
    paths,
  }
}
