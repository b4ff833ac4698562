// Data parts that follow the page's code and are parsed lazily.
import { useEffect, useState } from 'preact/hooks'

const parsedParts = new Map<number, unknown>()
let servedParts: readonly unknown[] | undefined

/** A part by its number; undefined if it is missing or not loaded yet. */
export function pagePart(number: number): unknown {
  if (servedParts !== undefined) return servedParts[number]
  if (parsedParts.has(number)) return parsedParts.get(number)
  const text = document.getElementById(`zee-part-${number}`)?.textContent
  if (text === undefined || text === null || (text === '' && isLoading())) return undefined
  try {
    const part: unknown = JSON.parse(text)
    parsedParts.set(number, part)
    return part
  } catch {
    // The browser has not received all of it yet.
    return undefined
  }
}

/** Replaces the embedded parts with those of the server. */
export function replaceParts(parts: readonly unknown[]): void {
  servedParts = parts
}

/** Whether the page is loaded completely; a component that uses parts rerenders then. */
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
