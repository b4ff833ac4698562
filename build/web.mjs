// Builds the dashboard, the chat page, and the viewer: one HTML file with inline style and code. The content security policy allows them by
// hash. A program replaces the marks with its data.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { repository } from './programs.mjs'

const source = path.join(repository, 'packages/web/src')
const require = createRequire(import.meta.url)

/** In cascade order. */
const styles = ['colours', 'frame', 'parts', 'run', 'trajectory', 'session', 'narrow', 'print']
const programsWithPages = new Set(['zcl', 'zdx', 'zee', 'zeno'])

/**
 * A page that asks its own server.
 * @typedef {{ title: string, entry: string, styles: readonly string[] }} App
 */

const appStyles = ['colours', 'frame', 'parts', 'narrow', 'dashboard']
/** @type {App} */
const dashboard = { title: 'zee', entry: 'dashboard-main.tsx', styles: appStyles }
/** @type {App} */
const chat = { title: 'zino', entry: 'chat-main.tsx', styles: [...appStyles, 'chat'] }

/** @type {Promise<string> | undefined} */
let built

/**
 * Writes the viewer into the bundle of a program that shows pages. All programs share one build of it.
 * @param {string} name
 * @param {string} folder
 */
export async function writeViewer(name, folder) {
  if (name === 'zee') await writeApp(path.join(folder, 'ui'), dashboard)
  if (name === 'zino') await writeApp(path.join(folder, 'chat'), chat)
  if (!programsWithPages.has(name)) return
  built ??= buildViewer()
  await writeFile(path.join(folder, 'viewer.html'), await built)
}

async function buildViewer() {
  const [code, style] = await Promise.all([bundleCode('main.tsx'), bundleStyle(styles)])
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>@@zee:title@@</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript to show its data; it asks no network.</noscript></div>
<script type="application/json" id="zee-data">@@zee:data@@</script>
<script>${code}</script>
@@zee:parts@@</body>
</html>
`
}

/**
 * Writes an app as three files: its content security policy allows no inline code and no inline style.
 * @param {string} folder
 * @param {App} app
 */
async function writeApp(folder, { title, entry, styles: names }) {
  const [code, style] = await Promise.all([bundleCode(entry), bundleStyle(names)])
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<link rel="stylesheet" href="app.css">
<script src="app.js" defer></script>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript; it asks only its own server.</noscript></div>
</body>
</html>
`
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'index.html'), html)
  await writeFile(path.join(folder, 'app.js'), code)
  await writeFile(path.join(folder, 'app.css'), style)
}

/** @param {string} entryFile */
async function bundleCode(entryFile) {
  const bundle = await rolldown({
    input: path.join(source, entryFile),
    platform: 'browser',
    // The JSX settings are in the package's tsconfig.json.
    transform: { target: 'es2022' },
    onLog(level, log, report) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
      report(level, log)
    },
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  const [entry] = output
  // The code must not contain a tag that ends its script element.
  return entry.code.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
}

/** @param {readonly string[]} names */
async function bundleStyle(names) {
  const plot = path.join(path.dirname(require.resolve('uplot')), 'uPlot.min.css')
  const own = names.map((name) => path.join(source, 'styles', `${name}.css`))
  const texts = await Promise.all([plot, ...own].map((file) => readFile(file, 'utf8')))
  return texts
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .trim()
}

/** @param {string} text */
function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
