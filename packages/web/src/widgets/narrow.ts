// Whether the window is as narrow as a phone: rows are taller there.
import { useEffect, useState } from 'preact/hooks'

const query = '(max-width: 640px)'

export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const onChange = (): void => setNarrow(list.matches)
    list.addEventListener('change', onChange)
    return () => list.removeEventListener('change', onChange)
  }, [])
  return isNarrow
}
