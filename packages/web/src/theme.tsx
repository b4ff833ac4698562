// Light or dark: what the system says, unless the reader says otherwise.
import { useEffect, useState } from 'preact/hooks'

const key = 'zee-theme'

export function ThemeToggle() {
  const [isDark, setDark] = useState(startsDark)
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const onChange = (): void => {
      if (chosen() === null) setDark(query.matches)
    }
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [])
  const toggle = (): void => {
    const next = isDark ? 'light' : 'dark'
    document.documentElement.dataset.theme = next
    remember(next)
    setDark(!isDark)
    window.dispatchEvent(new Event('zee-theme'))
  }
  const label = isDark ? 'Use light colours' : 'Use dark colours'
  return (
    <button type="button" class="toggle" aria-label={label} title={label} onClick={toggle}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" stroke-width="1.5" />
        <path d="M8 1.75a6.25 6.25 0 0 1 0 12.5z" fill="currentColor" />
      </svg>
    </button>
  )
}

/** Counts up whenever colours change, for what is drawn and not styled. */
export function useThemeChanges(): number {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const onChange = (): void => setChanges((before) => before + 1)
    const query = matchMedia('(prefers-color-scheme: dark)')
    window.addEventListener('zee-theme', onChange)
    query.addEventListener('change', onChange)
    return () => {
      window.removeEventListener('zee-theme', onChange)
      query.removeEventListener('change', onChange)
    }
  }, [])
  return changes
}

/** What a style such as `var(--bad)` comes to now, for a canvas. */
export function colourNow(element: HTMLElement, value: string): string {
  const before = element.style.color
  element.style.color = value
  const colour = getComputedStyle(element).color
  element.style.color = before
  return colour
}

export function applyRememberedTheme(): void {
  const theme = chosen()
  if (theme !== null) document.documentElement.dataset.theme = theme
}

function startsDark(): boolean {
  return (
    (chosen() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  )
}

/** A browser may refuse storage to files; then nothing is remembered. */
function chosen(): 'light' | 'dark' | null {
  const now = document.documentElement.dataset.theme
  if (now === 'light' || now === 'dark') return now
  try {
    const kept = localStorage.getItem(key)
    return kept === 'light' || kept === 'dark' ? kept : null
  } catch {
    return null
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // It stays for this page.
  }
}
