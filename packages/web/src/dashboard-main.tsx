// The entry of the dashboard, which `zee ui` serves.
import { render } from 'preact'
import { Dashboard } from './dashboard/dashboard.tsx'
import { applyStoredTheme } from './theme.tsx'

applyStoredTheme()
const root = document.getElementById('app')
if (root !== null) render(<Dashboard />, root)
