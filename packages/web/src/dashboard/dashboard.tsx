// The frame of the dashboard: the rail, the view that the address names, and the keys.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ErrorBoundary } from '../error-boundary.tsx'
import { hrefTo, useRoute } from '../page/page.ts'
import { ThemeToggle } from '../theme.tsx'
import { useRows, type Rows } from './api.ts'
import { CompareView } from './compare.tsx'
import { ActionDialog } from './confirm.tsx'
import { RunList, SessionList, TraceList } from './lists.tsx'
import { MemoryView } from './memory.tsx'
import { NowView } from './now.tsx'
import { isTyping } from './table.tsx'
import { UsageView } from './usage.tsx'

const places = [
  ['', 'Now'],
  ['sessions', 'Sessions'],
  ['runs', 'Runs'],
  ['reading', 'Reading'],
  ['memory', 'Memory'],
  ['usage', 'Usage'],
] as const

export function Dashboard() {
  const rows = useRows()
  const route = useRoute()
  const [isHelpShown, showHelp] = useState(false)
  useKeys(() => showHelp(true))
  const place = route[0] === 'compare' ? route[1] : (route[0] ?? '')
  const title = places.find(([name]) => name === place)?.[1] ?? 'Now'
  useEffect(() => {
    document.title = `${title} · zee`
  }, [title])
  return (
    <div class="dashboard">
      <header class="rail">
        <a class="mark" href={hrefTo()}>
          zee
        </a>
        <nav aria-label="Dashboard">
          <ul>
            {places.map(([name, label]) => (
              <li key={name}>
                <a
                  href={name === '' ? hrefTo() : hrefTo(name)}
                  aria-current={name === place ? 'page' : undefined}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <span class={`live ${rows.isConnected ? '' : 'lost'}`} role="status">
          {rows.isConnected ? 'live' : 'connection lost'}
        </span>
        <button type="button" class="toggle" aria-label="Keys" onClick={() => showHelp(true)}>
          ?
        </button>
        <ThemeToggle />
      </header>
      <main id="main" tabIndex={-1}>
        <ErrorBoundary>
          <View route={route} rows={rows} />
        </ErrorBoundary>
      </main>
      <ActionDialog />
      {isHelpShown ? <Help onClose={() => showHelp(false)} /> : null}
    </div>
  )
}

function View({ route, rows }: { route: string[]; rows: Rows }) {
  const { isLoaded } = rows
  switch (route[0]) {
    case 'sessions':
      return <SessionList rows={rows.sessions} isLoaded={isLoaded} />
    case 'runs':
      return <RunList rows={rows.runs} isLoaded={isLoaded} />
    case 'reading':
      return <TraceList rows={rows.traces} isLoaded={isLoaded} />
    case 'memory':
      return <MemoryView />
    case 'usage':
      return <UsageView />
    case 'compare':
      return <CompareView route={route} rows={rows} />
    default:
      return <NowView rows={rows} />
  }
}

/** `/` finds, `?` helps. The table handles its own keys. */
function useKeys(showHelp: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const field = document.querySelector<HTMLInputElement>('.find')
      if (event.key === 'Escape' && document.activeElement === field) return field?.blur()
      if (isTyping(event)) return
      if (event.key === '?') showHelp()
      else if (event.key === '/' && field !== null) {
        field.focus()
        event.preventDefault()
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

const keys = [
  ['j, k', 'next row, previous row'],
  ['Enter', 'open the row'],
  ['x', 'tick the row; two ticked rows can be compared'],
  ['f', 'next row with a failure'],
  ['/', 'find'],
  ['?', 'this help'],
] as const

function Help({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <dl class="keys">
        {keys.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog" class="choices">
        <button class="button">Close</button>
      </form>
    </dialog>
  )
}
