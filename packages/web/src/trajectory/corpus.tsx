// The corpus as a tree map of its files, coloured by access, and a table of the touched files.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FileFacts, TrajectoryPage } from '../data/data.ts'
import { Empty, Panel } from '../widgets/widgets.tsx'
import { resolveColour, useThemeChanges } from '../theme.tsx'
import { bytes, count, pluralize } from '../format.ts'
import { layoutTreeMap, type FileTile } from './tree-map.ts'

const states: readonly FileFacts['state'][] = ['untouched', 'listed', 'matched', 'read']

type Jump = (line: number) => void

export function CorpusPanel({ page, onJump }: { page: TrajectoryPage; onJump: Jump }) {
  const { files, filesLeftOut } = page
  const legend = (
    <span class="legend right">
      {states.map((state) => (
        <span key={state} class={`swatch-${state}`}>
          {state}
        </span>
      ))}
    </span>
  )
  const note = `${pluralize(files.length, 'file')}${filesLeftOut === 0 ? '' : `, ${count(filesLeftOut)} more not shown`}`
  if (files.length === 0) {
    return (
      <Panel title="Corpus">
        <Empty>No files were touched. Pass --root to show the entire corpus.</Empty>
      </Panel>
    )
  }
  return (
    <Panel title="Corpus" note={note} tools={legend} class="long late">
      <FileMap files={files} onJump={onJump} />
      <TouchedFiles files={files} onJump={onJump} />
    </Panel>
  )
}

function FileMap({ files, onJump }: { files: FileFacts[]; onJump: Jump }) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const tiles = useRef<FileTile[]>([])
  const [tip, setTip] = useState<{ file: FileFacts; x: number; y: number }>()
  const theme = useThemeChanges()
  useLayoutEffect(() => {
    const [container, element] = [box.current, canvas.current]
    if (container === null || element === null) return
    const observer = new ResizeObserver(() => {
      tiles.current = drawMap(element, container, files)
    })
    observer.observe(container)
    return () => observer.disconnect()
  }, [files, theme])
  const fileAt = (event: MouseEvent): FileFacts | undefined =>
    tiles.current.find((tile) => isInside(tile, event.offsetX, event.offsetY))?.file
  const showTip = (event: MouseEvent): void => {
    const file = fileAt(event)
    const isRight = event.offsetX > (box.current?.clientWidth ?? 0) / 2
    const x = isRight ? event.offsetX - 240 : event.offsetX + 14
    setTip(file === undefined ? undefined : { file, x: Math.max(0, x), y: event.offsetY + 14 })
  }
  const pick = (event: MouseEvent): void => {
    const line = fileAt(event)?.steps?.[0]
    if (line !== undefined) onJump(line)
  }
  const read = files.filter(({ state }) => state === 'read').length
  return (
    <div ref={box} class="map">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Map of ${count(files.length)} files, ${count(read)} of them read; the table below lists them`}
        onMouseMove={showTip}
        onMouseLeave={() => setTip(undefined)}
        onClick={pick}
      />
      {tip === undefined ? null : (
        <div class="tip" style={{ left: `${tip.x}px`, top: `${tip.y}px` }}>
          <span class="mono">{tip.file.path}</span>
          <div class="quiet">
            {tip.file.state}, {bytes(tip.file.bytes)}
          </div>
        </div>
      )}
    </div>
  )
}

function drawMap(element: HTMLCanvasElement, box: HTMLElement, files: FileFacts[]): FileTile[] {
  const scale = window.devicePixelRatio
  const [width, height] = [box.clientWidth, box.clientHeight]
  element.width = width * scale
  element.height = height * scale
  const context = element.getContext('2d')
  const { tiles, folders } = layoutTreeMap(files, {
    x: 3,
    y: 3,
    width: width - 6,
    height: height - 6,
  })
  if (context === null) return tiles
  context.scale(scale, scale)
  const colours = new Map(states.map((state) => [state, resolveColour(box, `var(--map-${state})`)]))
  for (const { x, y, width: wide, height: high, file } of tiles) {
    context.fillStyle = colours.get(file.state) ?? ''
    context.fillRect(x, y, Math.max(0.5, wide), Math.max(0.5, high))
  }
  context.strokeStyle = resolveColour(box, 'var(--line-strong)')
  context.fillStyle = resolveColour(box, 'var(--ink-2)')
  context.font = '11px system-ui, sans-serif'
  for (const folder of folders) {
    context.strokeRect(folder.x + 0.5, folder.y + 0.5, folder.width - 1, folder.height - 1)
    context.fillText(
      ellipsize(context, folder.name, folder.width - 10),
      folder.x + 5,
      folder.y + 12,
    )
  }
  drawLabels(context, tiles, box)
  return tiles
}

/** Draws file names on tiles that are large enough. */
function drawLabels(context: CanvasRenderingContext2D, tiles: FileTile[], box: HTMLElement): void {
  const onDark = resolveColour(box, 'var(--surface)')
  const onLight = resolveColour(box, 'var(--ink)')
  for (const { x, y, width, height, file } of tiles) {
    if (width < 56 || height < 18) continue
    context.fillStyle = file.state === 'read' ? onDark : onLight
    const name = file.path.slice(file.path.lastIndexOf('/') + 1)
    context.fillText(ellipsize(context, name, width - 8), x + 4, y + 13)
  }
}

function ellipsize(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let end = text.length
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end--
  return `${text.slice(0, end)}…`
}

function isInside({ x, y, width, height }: FileTile, pointX: number, pointY: number): boolean {
  return pointX >= x && pointX < x + width && pointY >= y && pointY < y + height
}

const maxFiles = 16

function TouchedFiles({ files, onJump }: { files: FileFacts[]; onJump: Jump }) {
  const [isExpanded, setExpanded] = useState(false)
  const order = (file: FileFacts): number => states.indexOf(file.state)
  const touched = files
    .filter(({ state }) => state !== 'untouched')
    .sort((a, b) => order(b) - order(a) || (a.path < b.path ? -1 : 1))
  if (touched.length === 0) return null
  const rows = isExpanded ? touched : touched.slice(0, maxFiles)
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="Touched files">
        <table>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Access</th>
              <th scope="col" class="num">
                Lines read
              </th>
              <th scope="col" class="num">
                Size
              </th>
              <th scope="col">Steps</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((file) => (
              <tr key={file.path}>
                <th scope="row" class="mono">
                  {file.path}
                </th>
                <td>{file.state}</td>
                <td class="num">{file.lines === undefined ? '–' : count(file.lines)}</td>
                <td class="num soft">{bytes(file.bytes)}</td>
                <td>
                  <div class="chips">
                    {file.steps?.slice(0, 6).map((line) => (
                      <button
                        type="button"
                        class="chip"
                        key={line}
                        onClick={() => onJump(line)}
                        aria-label={`Show step ${line}`}
                      >
                        {line}
                      </button>
                    ))}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {touched.length > rows.length ? (
        <button type="button" class="more" onClick={() => setExpanded(true)}>
          Show all {count(touched.length)}
        </button>
      ) : null}
    </>
  )
}
