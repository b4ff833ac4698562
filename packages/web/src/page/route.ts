// Where one is within a page: the part of the address behind `#/`, so that it works from a file.
import { useEffect, useState } from 'preact/hooks'

export function useRoute(): string[] {
  const [route, setRoute] = useState(routeNow)
  useEffect(() => {
    const onChange = (): void => setRoute(routeNow())
    window.addEventListener('hashchange', onChange)
    return () => window.removeEventListener('hashchange', onChange)
  }, [])
  return route
}

export function hrefTo(...parts: (string | number)[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part)).join('/')}`
}

/** Changes the address without a new entry in the history: for what is selected. */
export function replaceRoute(...parts: (string | number)[]): void {
  history.replaceState(null, '', hrefTo(...parts))
}

function routeNow(): string[] {
  const text = location.hash.startsWith('#/') ? location.hash.slice(2) : ''
  return text === '' ? [] : text.split('/').map(decode)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
