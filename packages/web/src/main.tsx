// The viewer's entry: reads the data that the page carries and shows it. A served page asks its server
// for news; a page on disk asks nobody.
import { render } from 'preact'
import { App } from './app.tsx'
import type { PageData } from './data/data.ts'
import { applyRememberedTheme } from './theme.tsx'

applyRememberedTheme()
const carried = document.getElementById('zee-data')?.textContent ?? 'null'
const place = document.getElementById('app')
if (place !== null) render(<App carried={JSON.parse(carried) as PageData} />, place)
