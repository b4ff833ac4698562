// node build/picture.mjs: runs the tour and renders its output as docs/tour.svg, a scrolling terminal.
// All text comes from that run; only the timing is set here.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './programs.mjs'

/** @typedef {{ text: string, colour: string, bold: boolean, dim: boolean }} Span */

const columns = 104
const rows = 32
const cell = { width: 8.4, height: 19 }
const padding = 16
const bar = 30
const seconds = { line: 0.16, heading: 1.1, end: 4 }

const palette = {
  ground: '#16181d',
  text: '#d7dae0',
  dim: '#8b919d',
  31: '#ef7a80',
  32: '#8fcf8a',
  33: '#e5c07b',
  34: '#7fb3f0',
  36: '#6fcbd3',
}

const lines = (await recorded()).split('\n').flatMap((line) => wrapped(spansOf(line)))
writeFileSync(path.join(repository, 'docs/tour.svg'), drawing(lines))
console.log(`docs/tour.svg: ${lines.length} lines`)

/** @returns {Promise<string>} what the tour prints on a terminal with colours */
function recorded() {
  const args = [path.join(repository, 'packages/zee/bin/zee.cjs'), 'tour']
  const { NO_COLOR: _, ...outside } = process.env
  const env = { ...outside, FORCE_COLOR: '1' }
  const child = spawn(process.execPath, args, {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = `\u001b[32m$\u001b[39m npm run tour\n`
  child.stdout.on('data', (chunk) => (text += chunk))
  return new Promise((resolve, reject) => {
    child.on('close', (code) =>
      code === 0 ? resolve(text.trimEnd()) : reject(new Error(`the tour ended with ${code}`)),
    )
  })
}

/**
 * Splits a line into spans of one style. Supports colours and bold only.
 * @param {string} line
 * @returns {Span[]}
 */
function spansOf(line) {
  const look = { colour: palette.text, bold: false, dim: false }
  /** @type {Span[]} */
  const spans = []
  for (const part of line.split(/(\u001b\[[\d;]*[A-Za-z])/)) {
    const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1]
    if (codes !== undefined) for (const code of codes.split(';')) apply(look, Number(code))
    else if (!part.startsWith('\u001b') && part !== '') spans.push({ text: part, ...look })
  }
  return spans
}

/**
 * @param {{ colour: string, bold: boolean, dim: boolean }} look
 * @param {number} code
 */
function apply(look, code) {
  if (code === 0 || code === 22) look.bold = look.dim = false
  if (code === 0 || code === 39) look.colour = palette.text
  if (code === 1) look.bold = true
  if (code === 2) look.dim = true
  const colour = Object.entries(palette).find(([name]) => name === String(code))?.[1]
  if (colour !== undefined) look.colour = colour
}

/**
 * Wraps a line at the width of the terminal.
 * @param {Span[]} spans
 * @returns {Span[][]}
 */
function wrapped(spans) {
  /** @type {Span[][]} */
  const out = [[]]
  let used = 0
  for (const span of spans) {
    for (let rest = [...span.text]; rest.length > 0;) {
      if (used === columns) {
        out.push([])
        used = 0
      }
      const text = rest.slice(0, columns - used)
      out.at(-1)?.push({ ...span, text: text.join('') })
      used += text.length
      rest = rest.slice(text.length)
    }
  }
  return out
}

/** @param {Span[][]} all */
function drawing(all) {
  const width = Math.round(columns * cell.width + 2 * padding)
  const height = Math.round(rows * cell.height + 2 * padding + bar)
  const { frames, total } = scrolling(all)
  const body = all.map((spans, index) => lineOf(spans, index)).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">npm run tour: all four programs at work (a recording of a real run, slowed down)</title>
<style>
text { font: 14px ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre }
.b { font-weight: 700 }
.d { opacity: .65 }
.screen { animation: scroll ${total.toFixed(1)}s step-end infinite }
@keyframes scroll { ${frames} }
@media (prefers-reduced-motion: reduce) { .screen { animation: none } }
</style>
<rect width="${width}" height="${height}" rx="10" fill="${palette.ground}"/>
<g fill="${palette.dim}"><circle cx="20" cy="18" r="5.5"/><circle cx="39" cy="18" r="5.5"/><circle cx="58" cy="18" r="5.5"/></g>
<clipPath id="window"><rect x="0" y="${bar}" width="${width}" height="${Math.round(padding + rows * cell.height)}"/></clipPath>
<g clip-path="url(#window)"><g class="screen">
${body}
</g></g>
</svg>
`
}

/**
 * @param {Span[]} spans
 * @param {number} index
 */
function lineOf(spans, index) {
  if (spans.length === 0) return ''
  const y = (bar + padding + (index + 0.75) * cell.height).toFixed(1)
  const pieces = spans.map(({ text, colour, bold, dim }) => {
    const look = [bold ? 'b' : '', dim ? 'd' : ''].filter(Boolean).join(' ')
    return `<tspan fill="${colour}"${look === '' ? '' : ` class="${look}"`}>${escaped(text)}</tspan>`
  })
  const length = (spans.reduce((sum, { text }) => sum + [...text].length, 0) * cell.width).toFixed(
    1,
  )
  return `<text x="${padding}" y="${y}" textLength="${length}" xml:space="preserve">${pieces.join('')}</text>`
}

/**
 * Fills the window from the top, then scrolls by one line at a time.
 * @param {Span[][]} all
 */
function scrolling(all) {
  /** @type {[at: number, offset: number][]} */
  const steps = []
  let at = 0
  all.forEach((spans, index) => {
    if (index < rows - 1 && index > 0) return
    if (spans[0]?.bold === true) at += seconds.heading
    steps.push([at, Math.max(0, index + 1 - rows)])
    at += index === 0 ? seconds.heading * 3 : seconds.line
  })
  const total = at + seconds.end
  const frames = steps.map(([time, offset]) => {
    const y = (-offset * cell.height).toFixed(0)
    return `${((time / total) * 100).toFixed(2)}% { transform: translateY(${y}px) }`
  })
  return { frames: frames.join(' '), total }
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
