// A plot on a canvas, in the page's colours, as wide as its place.
import { useLayoutEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { colourNow, useThemeChanges } from '../theme.tsx'

export interface PlotSeries {
  label: string
  /** A colour of the page: `var(--accent)`. */
  colour: string
  values: (number | null)[]
  shape: 'steps' | 'bars'
}

export interface PlotProps {
  /** What a reader who cannot see it should know. */
  label: string
  x: number[]
  series: PlotSeries[]
  xWords: (value: number) => string
  yWords: (value: number) => string
  yMax?: number
  height?: number
  isLogX?: boolean
}

export function Plot(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const theme = useThemeChanges()
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return
    const plot = new uPlot(
      options(props, element),
      [props.x, ...props.series.map((s) => s.values)],
      element,
    )
    const watch = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: props.height ?? 180 })
    })
    watch.observe(element)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [props.x, props.series, theme])
  return (
    <div class="plot">
      <div ref={place} role="img" aria-label={props.label} />
    </div>
  )
}

function options(props: PlotProps, element: HTMLElement): uPlot.Options {
  const ink = colourNow(element, 'var(--ink-3)')
  const line = colourNow(element, 'var(--line)')
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
      x: { time: false, ...(props.isLogX === true ? { distr: 3, log: 10 } : {}) },
      y: { range: (_plot, _low, high) => [0, props.yMax ?? Math.max(1, high)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        values: (_plot, ticks) => ticks.map((tick) => (tick === null ? '' : props.xWords(tick))),
      },
      { ...axis, size: 44, values: (_plot, ticks) => ticks.map(props.yWords) },
    ],
    series: [{}, ...props.series.map((series) => seriesOf(series, element))],
  }
}

function seriesOf({ label, colour, shape }: PlotSeries, element: HTMLElement): uPlot.Series {
  const stroke = colourNow(element, colour)
  const { stepped, bars } = uPlot.paths
  const paths = shape === 'steps' ? stepped?.({ align: 1 }) : bars?.({ size: [0.86, 60] })
  return {
    label,
    stroke,
    width: shape === 'steps' ? 2 : 0,
    ...(shape === 'bars' ? { fill: stroke } : {}),
    points: { show: false },
    ...(paths === undefined ? {} : { paths }),
  }
}
