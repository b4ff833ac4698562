// The route within a page: the URL part after `#/`, which works for files too.
import { useEffect, useState } from 'preact/hooks'

export function useRoute(): string[] {
  const [route, setRoute] = useState(currentRoute)
  useEffect(() => {
    const onChange = (): void => setRoute(currentRoute())
    window.addEventListener('hashchange', onChange)
    return () => window.removeEventListener('hashchange', onChange)
  }, [])
  return route
}

export function hrefTo(...parts: (string | number)[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part)).join('/')}`
}

/** Changes the route without a history entry; used for selections. */
export function replaceRoute(...parts: (string | number)[]): void {
  history.replaceState(null, '', hrefTo(...parts))
}

function currentRoute(): string[] {
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
