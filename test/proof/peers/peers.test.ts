// Every pipe, socket and child of every program with every hostile behaviour: a signal ends the program, its
// memory stays below its bound, and the processes that it started end too. `npm test` runs a sample;
// `npm run test:long` runs all cells with both signals, and checks that the end takes less than 3 s.
// `ZEE_PEERS` selects boundaries and behaviours by a regular expression, `ZEE_PEERS_TABLE` names a file for
// the measured values.
import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { behaviours, isPossible, type Behaviour } from './behaviours.ts'
import { protocols } from './protocols.ts'
import { Stage, type Boundary } from './stage.ts'
import { zclBoundaries } from './zcl-boundaries.ts'
import { zdxBoundaries } from './zdx-boundaries.ts'
import { zenoBoundaries } from './zeno-boundaries.ts'
import { zinoBoundaries } from './zino-boundaries.ts'

interface Cell {
  boundary: Boundary
  behaviour: Behaviour
  signal: NodeJS.Signals
  title: string
}

const isLong = process.env.ZEE_ROUNDS !== undefined
const { ZEE_PEERS: selection, ZEE_PEERS_TABLE: table } = process.env
const isSample = !isLong && selection === undefined
const observeMs = isSample ? 300 : 2000

/** Cells of `npm test`. */
const sample = new Set([
  'zdx: provider anthropic floods',
  'zdx: MCP server, stdio sends requests without reading answers',
  'zino: HTTP client never writes',
  'zcl: command of run never writes',
  'zeno: client of the socket sends requests without reading answers',
  'zino: client of mem sends an endless line',
])

const all = [...zdxBoundaries, ...zclBoundaries, ...zenoBoundaries, ...zinoBoundaries]
const cells = all.flatMap((boundary) => {
  const names = Object.keys(behaviours) as Behaviour[]
  const possible = names.filter((name) => isPossible(name, protocols[boundary.protocol]))
  return possible
    .filter((name) => boundary.only?.includes(name) ?? true)
    .flatMap((behaviour) => cellsOf(boundary, behaviour))
})

function cellsOf(boundary: Boundary, behaviour: Behaviour): Cell[] {
  const title = `${boundary.name} ${behaviour}`
  if (isSample && !sample.has(title)) return []
  if (selection !== undefined && !new RegExp(selection).test(title)) return []
  const signals: NodeJS.Signals[] = isLong ? ['SIGINT', 'SIGTERM'] : ['SIGINT']
  return signals.map((signal) => ({ boundary, behaviour, signal, title }))
}

test.each(cells)('$title: $signal ends the program in bounded memory', async (cell) => {
  const { boundary, behaviour, signal, title } = cell
  const stage = new Stage(behaviour, boundary.protocol)
  try {
    const pid = await boundary.start(stage)
    await stage.engaged(pid)
    const { endedMs, hasEndedBefore, peakMiB } = await stage.measure(pid, observeMs, signal)
    if (table !== undefined) {
      const row = { title, signal, endedMs, hasEndedBefore, peakMiB, boundMiB: boundary.boundMiB }
      appendFileSync(table, `${JSON.stringify(row)}\n`)
    }
    expect(peakMiB).toBeLessThan(boundary.boundMiB)
    if (!isSample) expect(endedMs).toBeLessThan(3000)
  } finally {
    await stage.remove()
  }
})
