// The parts of a page that lie behind its code and are read when somebody wants them.
import { useEffect, useState } from 'preact/hooks'

const read = new Map<number, unknown>()
let refreshed: readonly unknown[] | undefined

/** A part by its number; undefined while the page has not come so far, or when it has none. */
export function pagePart(number: number): unknown {
  if (refreshed !== undefined) return refreshed[number]
  if (read.has(number)) return read.get(number)
  const text = document.getElementById(`zee-part-${number}`)?.textContent
  if (text === undefined || text === null || (text === '' && isLoading())) return undefined
  try {
    const part: unknown = JSON.parse(text)
    read.set(number, part)
    return part
  } catch {
    // It is still on its way.
    return undefined
  }
}

/** What a server sent instead of the parts that the page came with. */
export function refreshParts(parts: readonly unknown[]): void {
  refreshed = parts
}

/** Shows again what needs parts once all of the page is there. */
export function usePageLoaded(): boolean {
  const [isLoaded, setLoaded] = useState(!isLoading())
  useEffect(() => {
    if (isLoaded) return
    const onLoad = (): void => setLoaded(true)
    if (!isLoading()) return onLoad()
    document.addEventListener('DOMContentLoaded', onLoad)
    return () => document.removeEventListener('DOMContentLoaded', onLoad)
  }, [isLoaded])
  return isLoaded
}

function isLoading(): boolean {
  return document.readyState === 'loading'
}
