// Home and End in a list whose rows are measured while the page scrolls. The browser's own animation ends
// where the edge was when the key was pressed; these keys reach the edge as it is after the measurement.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Returns whether End was the last thing that the reader did, so that the list has to stay at its end. */
export function useEdgeKeys(list: RefObject<HTMLElement | null>, isActive: boolean): () => boolean {
  const staysAtEnd = useRef(false)
  useEffect(() => {
    if (!isActive) return
    const leave = (): void => {
      staysAtEnd.current = false
    }
    const onKey = (event: KeyboardEvent): void => {
      leave()
      if (!isForList(event, list.current)) return
      if (event.key === 'Home') window.scrollTo({ top: 0, behavior: 'instant' })
      else if (event.key === 'End') scrollToEnd()
      else return
      staysAtEnd.current = event.key === 'End'
      event.preventDefault()
    }
    const others = ['wheel', 'pointerdown', 'hashchange'] as const
    window.addEventListener('keydown', onKey)
    for (const name of others) window.addEventListener(name, leave, { passive: true })
    return () => {
      window.removeEventListener('keydown', onKey)
      for (const name of others) window.removeEventListener(name, leave)
    }
  }, [isActive])
  return () => staysAtEnd.current
}

export function scrollToEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
}

/** Keys in a field, or in a box that scrolls by itself, belong to it. */
function isForList(event: KeyboardEvent, list: HTMLElement | null): boolean {
  const { target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
  if (!(target instanceof HTMLElement)) return false
  if (target === document.body || target.id === 'main') return true
  return list?.contains(target) === true && target.closest('[tabindex="0"], input') === null
}
