// The entry of the viewer: renders the data embedded in the page. A served page follows changes on its
// server; a page on disk makes no requests.
import { render } from 'preact'
import { App } from './app.tsx'
import type { PageData } from './data/data.ts'
import { applyStoredTheme } from './theme.tsx'

applyStoredTheme()
const embedded = document.getElementById('zee-data')?.textContent ?? 'null'
const root = document.getElementById('app')
if (root !== null) render(<App embedded={JSON.parse(embedded) as PageData} />, root)
