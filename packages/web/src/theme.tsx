// The colour scheme: the system's, unless the reader chooses another.
import { useEffect, useState } from 'preact/hooks'

const storageKey = 'zee-theme'

export function ThemeToggle() {
  const [isDark, setDark] = useState(isDarkAtStart)
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const onChange = (): void => {
      if (chosenTheme() === null) setDark(query.matches)
    }
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [])
  const toggle = (): void => {
    const next = isDark ? 'light' : 'dark'
    document.documentElement.dataset.theme = next
    storeTheme(next)
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

/** A number that changes with the colours; canvases redraw when it changes. */
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

/** The computed value of a CSS colour such as `var(--bad)`, for a canvas. */
export function resolveColour(element: HTMLElement, value: string): string {
  const before = element.style.color
  element.style.color = value
  const colour = getComputedStyle(element).color
  element.style.color = before
  return colour
}

export function applyStoredTheme(): void {
  const theme = chosenTheme()
  if (theme !== null) document.documentElement.dataset.theme = theme
}

function isDarkAtStart(): boolean {
  return (
    (chosenTheme() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) ===
    'dark'
  )
}

/** The reader's choice, or null. Browsers may deny storage to pages on disk. */
function chosenTheme(): 'light' | 'dark' | null {
  const now = document.documentElement.dataset.theme
  if (now === 'light' || now === 'dark') return now
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : null
  } catch {
    return null
  }
}

function storeTheme(theme: string): void {
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
