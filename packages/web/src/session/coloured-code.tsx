// Code in the colours that the program has found for it.
import type { ColourRun } from '../data/data.ts'

export function ColouredCode({ text, colours = [] }: { text: string; colours?: ColourRun[] }) {
  let end = 0
  const runs = colours.map(([length, colour], index) => {
    const piece = text.slice(end, (end += length))
    return colour === '' ? (
      piece
    ) : (
      <span key={index} class={`code-${colour}`}>
        {piece}
      </span>
    )
  })
  return (
    <>
      {runs}
      {text.slice(end)}
    </>
  )
}
