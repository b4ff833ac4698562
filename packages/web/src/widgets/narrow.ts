// Detects windows of phone width, where rows are taller.
import { useEffect, useState } from 'preact/hooks'

const query = '(max-width: 640px)'

export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const onChange = (): void => setNarrow(list.matches)
    list.addEventListener('change', onChange)
    return () => list.removeEventListener('change', onChange)
  }, [])
  return isNarrow
}
